"""The specification matches the program: messages, defaults, events, codes, limits, transcripts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from boardwire import games
from boardwire.dialects.native import messages as wire
from boardwire.dialects.native import server, session
from boardwire.errors import Objection, Reason
from boardwire.games.game import Outcome
from boardwire.lobby.quotas import Quotas
from boardwire.net.connections import ConnectionLimits
from boardwire.net.http import HEAD_SECONDS
from boardwire.table import events as ev
from boardwire.table.decide import CHAT_LIMIT
from boardwire.table.termination import Termination
from boardwire.wire.websocket import MAX_MESSAGE_BYTES

from ...pages import section
from .transcript import run

PAGE = (Path(__file__).parents[3] / "docs" / "dialects" / "native.md").read_text()
MESSAGES = [*get_args(wire.Request), *get_args(wire.Reply)]
PARTS = [
    *(wire.Kept, wire.TableInfo, wire.PlayerInfo, wire.MatchState, wire.Asked, wire.Happening, wire.AdvisedStep),
    *(Outcome, Objection),
]


def rows(text: str) -> list[list[str]]:
    """Return the rows of the tables in a text, without their heads."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.mark.parametrize("kind", [*MESSAGES, *PARTS])
def test_every_field_of_every_message_is_there_with_its_default(kind: type[msgspec.Struct]) -> None:
    tag = kind.__struct_config__.tag
    shown = {row[0].strip("`"): row[2].strip("`") for row in rows(section(PAGE, f"`{tag}`" if tag else kind.__name__))}
    fields = msgspec.structs.fields(kind)
    assert shown == {field.encode_name: "" if field.required else default(field) for field in fields}


def default(field: msgspec.structs.FieldInfo) -> str:
    """Return the default of a field as JSON."""
    made = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
    return msgspec.json.encode(made).decode()


def test_every_event_every_end_and_every_code_is_there() -> None:
    names = {kind.__name__.lower() for kind in ev.Event.__args__} - {"opened"}
    assert {row[0].strip("`") for row in rows(section(PAGE, "Events"))} == names
    assert {row[0].strip("`") for row in rows(section(PAGE, "Ends"))} == set(Termination)
    assert {row[0].strip("`") for row in rows(section(PAGE, "Refusals"))} == set(Reason)


def test_the_limits_are_those_of_the_program() -> None:
    shown = {row[0].strip("`"): row[1] for row in rows(section(PAGE, "Limits"))}
    limits = ConnectionLimits()
    expected = {
        "a message to the server": f"{MAX_MESSAGE_BYTES:,} bytes",
        "messages a second": f"{limits.messages:,} ",
        "unread bytes of a client that does not read": f"{limits.unsent:,} ",
        "connections from one address": f"{limits.per_address:,} ",
        "time for the handshake, and then for the first message": f"{HEAD_SECONDS:.0f} seconds each",
        "chat lines": f"{session.LINES.max_requests} in {session.LINES.seconds:.0f} seconds, each of {CHAT_LIMIT} ",
        "open`, `find`, `pair` and a `rematch` that begins": f"{Quotas().openings} in a minute",
        "join`, `watch` and `resume": f"{Quotas().comings} in a minute",
        "list": f"{session.LISTS.max_requests} in {session.LISTS.seconds:.0f} seconds",
        "hint": f"{session.HINTS.max_requests} in {session.HINTS.seconds:.0f} seconds",
        "why": f"{session.WHYS.max_requests} in {session.WHYS.seconds:.0f} seconds",
        "seats of one player in matches that are not over": str(Quotas().seats),
        "seats held for absent players of one address": str(Quotas().held),
        "matches against bots from one address": str(Quotas().bot_matches),
        "spectators of one address at one table": str(Quotas().spectators_from),
        "unread bytes of all clients of one address": f"{limits.unsent_from:,}",
        "open`, `find`, `pair` and rematches of one address": f"{Quotas().openings_from:,} in a minute",
        "join`, `watch` and `resume` of one address": f"{Quotas().comings_from:,} in a minute",
        "tables in one list": str(server.LIST_LIMIT),
        "unreadable messages in a row": str(session.MAX_BAD_MESSAGES),
    }
    assert shown.keys() == expected.keys()
    for what, words in expected.items():
        assert shown[what].startswith(words), what
    assert f"pings every {session.PING_SECONDS:.0f} seconds" in PAGE


@pytest.mark.parametrize("block", re.findall(r"^```transcript\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
def test_the_transcripts_match_the_server(block: str) -> None:
    assert run(block) == block


@pytest.mark.parametrize("name", ["tris", "santorini", "eriantys"])
def test_actions_and_seats_of_the_games_match_the_specification(name: str) -> None:
    game: Any = games.game(name)
    text = section(PAGE, name.capitalize())
    counts = game.seat_counts
    assert f"A table for {counts[0]}" + (f" to {counts[-1]}" if len(counts) > 1 else "") in text
    for example in re.findall(r"`(\{\"type\":.*?\})`", text):
        msgspec.convert(msgspec.json.decode(example), game.Action)
    fields = {field.encode_name for field in msgspec.structs.fields(game.View)}
    (view,) = re.findall(r"^The view .*$", text, re.MULTILINE)
    words = re.findall(r"`(\w+)`", view) or re.findall(r'"(\w+)":', view)
    assert words
    assert set(words) <= fields
    if name != "tris":
        tags = {kind.__struct_config__.tag for kind in game.Action.__args__}
        (actions,) = re.findall(r"^Players' actions are .*$", text, re.MULTILINE)
        assert set(re.findall(r"`(\w+)`", actions)) <= tags
