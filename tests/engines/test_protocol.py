"""The messages of engines: every line that is sent and read fits the published schema."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from random import Random

import jsonschema_rs
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from boardwire import games
from boardwire.engines.protocol import Budget, ChoiceMessage, IllegalChoice, Info, JsonLines, Ready, Refuse, schema
from boardwire.engines.text_mode import TextLines
from boardwire.errors import BoardwireError, Malformed
from boardwire.games import tris
from boardwire.games.game import CHANCE, Outcome
from boardwire.testing.laws import playthrough

PUBLISHED = Path(__file__).parents[2] / "docs" / "engine-protocol.json"


def test_the_published_schema_is_that_of_the_code() -> None:
    """After a change: `boardwire check-engine --schema any > docs/engine-protocol.json`."""
    assert json.loads(PUBLISHED.read_text()) == json.loads(json.dumps(schema()))


@pytest.mark.parametrize("name", games.NAMES)
def test_every_question_of_a_match_fits_the_schema_and_its_answers_are_read(name: str) -> None:
    game, talk = games.game(name), JsonLines()
    valid = jsonschema_rs.validator_for(schema(name)).validate
    valid(json.loads(talk.hello(game, 0, 2, game.Options(), 7)))
    for ply in playthrough(game, game.Options(), 2, Random(4).randrange, 60):
        if ply.seat == CHANCE:
            continue
        view = game.view(ply.position, ply.seat)
        line = talk.choose(view, ply.decision, Budget(1.0, None, 5))
        asked = json.loads(line)
        valid(asked)
        assert line.count(b"\n") == 1
        number = tuple(ply.decision.choices).index(ply.action)
        for answer in ({"number": number}, {"action": asked["choices"][number]}, {"text": asked["texts"][number]}):
            asked = json.loads(talk.choose(view, ply.decision, Budget()))
            said = {"type": "choice", "id": asked["id"], **answer}
            valid(said)
            read = talk.read(json.dumps(said).encode())
            assert isinstance(read, ChoiceMessage)
            assert talk.action(read, view, ply.decision) == ply.action
    valid(json.loads(talk.over(Outcome("line", (0,)))))
    valid(json.loads(talk.over(None)))


def talk_about_tris() -> JsonLines:
    talk = JsonLines()
    talk.hello(games.game("tris"), 0, 2, tris.Options(), 7)
    decision = tris.pending(tris.new(tris.Options(), 2))
    assert decision is not None
    talk.choose(None, decision, Budget())
    return talk


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"type":"ready"}', Ready()),
        (b'{"type":"ready","name":"x","later":1}', Ready(name="x")),
        (b'{"type":"refuse","text":"no"}', Refuse(text="no")),
        (b'{"type":"info","value":-1}', Info(value=-1)),
        (b'{"type":"choice","id":0,"number":1}', None),
        (b"  ", None),
        (b"\r", None),
    ],
)
def test_a_line_is_read(line: bytes, message: object) -> None:
    assert talk_about_tris().read(line) == message


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe", b"[]", b"3", b"null", b"{}", b'{"type":"hello"}', b'{"type":"choice"}',
        b'{"type":"choice","id":1}', b'{"type":"choice","id":1,"number":"1"}', b'{"type":"choice","id":2,"number":1}',
        b'{"type":"choice","id":1,"number":1,"text":"1"}', b'{"type":"info","value":1.5}',
        b'{"type":"info","depth":-1}',
        b'{"type":"ready","name":"' + b"x" * 65 + b'"}', b'{"type":"info","text":"' + b"x" * 1001 + b'"}',
        b"[" * 100_000, b'{"type":"choice","id":1,"number":' + b"9" * 5000 + b"}",
    ],
)  # fmt: skip
def test_any_other_line_is_malformed(line: bytes) -> None:
    with pytest.raises(Malformed):
        talk_about_tris().read(line)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ('"number":9', IllegalChoice),
        ('"number":-1', IllegalChoice),
        ('"action":9', IllegalChoice),
        ('"action":null', Malformed),
        ('"action":{"cell":1}', Malformed),
        ('"action":true', Malformed),
        ('"text":"9"', Malformed),
        ('"text":""', Malformed),
    ],
)
def test_a_choice_that_there_is_not_is_an_error(answer: str, error: type[BoardwireError]) -> None:
    talk = talk_about_tris()
    decision = tris.pending(tris.new(tris.Options(), 2))
    assert decision is not None
    said = talk.read(f'{{"type":"choice","id":1,{answer}}}'.encode())
    assert isinstance(said, ChoiceMessage)
    with pytest.raises(error):
        talk.action(said, None, decision)


@given(st.binary(max_size=200))
@example(b'{"type":"choice","id":1,"action":' + b"[" * 500 + b"]" * 500 + b"}")
def test_any_bytes_are_a_message_or_malformed(line: bytes) -> None:
    for talk in (talk_about_tris(), TextLines()):
        with suppress(Malformed):
            talk.read(line)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=9), st.lists, max_leaves=9))
@pytest.mark.parametrize("name", games.NAMES)
def test_any_value_is_an_action_or_an_error(name: str, value: object) -> None:
    game, talk = games.game(name), JsonLines()
    talk.hello(game, 0, 2, game.Options(), 7)
    ply = next(
        ply for ply in playthrough(game, game.Options(), 2, Random(4).randrange) if ply.seat != CHANCE
    )  # the first decision of a player
    talk.choose(None, ply.decision, Budget())
    said = talk.read(json.dumps({"type": "choice", "id": 1, "action": value}).encode())
    assert isinstance(said, ChoiceMessage)
    with suppress(Malformed, IllegalChoice):
        assert talk.action(said, None, ply.decision) in ply.decision.choices
