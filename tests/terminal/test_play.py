"""A person at a terminal, typing into a pipe that the test holds."""

from __future__ import annotations

import asyncio
import io
import os
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from boardwire import dialects
from boardwire.config import Settings
from boardwire.dialects.dialect import Ask, ClientOptions, Note, Over, Players, Result, Show
from boardwire.games.game import Decision
from boardwire.games.tris import Kind, View
from boardwire.net.client import ClientConnection
from boardwire.node import Node
from boardwire.terminal import play

from ..net.harbour import Harbour, Wire, harbour, run

TRIS = dialects.dialect("tris-lines")
NOBODY: ClientConnection = None  # type: ignore[assignment]  # what is heard is only shown


class Keyboard:
    """A pipe that stands for the keyboard, and the screen above it."""

    def __init__(self, write: int) -> None:
        self._write: int | None = write
        self.screen = io.StringIO()

    async def until(self, words: str, times: int = 1) -> None:
        """Wait until the screen shows these words `times` times."""
        while self.screen.getvalue().count(words) < times:
            await asyncio.sleep(0.001)

    def type(self, text: str) -> None:
        assert self._write is not None
        os.write(self._write, text.encode())

    def close(self) -> None:
        if self._write is not None:
            os.close(self._write)
            self._write = None


@contextmanager
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Iterator[Keyboard]:
    read, write = os.pipe()
    keys = Keyboard(write)
    with open(read) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        yield keys
        keys.close()


Sitting = Callable[[Keyboard, Harbour, Wire], Awaitable[None]]


def sit(monkeypatch: pytest.MonkeyPatch, sitting: Sitting, *, first: bool = False) -> str:
    """Let a person play against a plain socket; gives what was on the screen."""
    shown = ""

    async def scenario() -> None:
        nonlocal shown
        async with harbour() as place:
            port = await place.open("tris-lines")
            opponent = await place.connect(port)
            assert await opponent.line() == "WAIT"
            if first:  # the person is to be the first player
                opponent.close()
                await place.settled(lambda: not place.connections.connections)
            with keyboard(monkeypatch) as keys, monkeypatch.context() as patch:
                patch.setattr("sys.stdout", keys.screen)
                playing = asyncio.create_task(play.play_match("tris", TRIS, "127.0.0.1", port, ClientOptions()))
                if first:
                    await place.settled(lambda: len(place.lobby) == 1)
                    opponent = await place.connect(port)
                assert await opponent.line() == "READY"
                await sitting(keys, place, opponent)
                await playing
                shown = keys.screen.getvalue()

    run(scenario, asyncio.new_event_loop)
    return shown


def test_a_person_plays_to_the_end_and_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    async def sitting(keys: Keyboard, place: Harbour, opponent: Wire) -> None:
        for own, theirs in (("0", b"3\n"), ("1", b"4\n")):
            keys.type(f"{own}\n")
            await opponent.line()
            opponent.send(theirs)
            assert await opponent.line() == "OK"
        await keys.until("Your turn", 3)
        keys.type(f"x\n3\n{'9' * 5000}\n 2 \n")
        assert await opponent.rest() == b"1,1,1,2,2,0,0,0,0,L\n"

    shown = sit(monkeypatch, sitting, first=True)
    assert shown.startswith("tris over tris-lines at 127.0.0.1:")
    for words in (
        "Waiting for an opponent. You will move first.",
        "The match begins. You are X.",
        "Your turn (X). Which cell: 0 1 2 3 4 5 6 7 8?",
        "Type the number of a free cell.",
        "Cell 3 is taken.",
        "Cells are numbered 0 to 8.",
        "Waiting for your opponent.",
    ):
        assert words in shown
    assert shown.endswith("    X │ X │ X\n   ───┼───┼───\n    O │ O │  \n   ───┼───┼───\n      │   │  \n\nYou win!\n")
    assert "\x1b" not in shown, "no colours where it is no terminal"


def test_a_person_who_types_q_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    async def sitting(keys: Keyboard, place: Harbour, opponent: Wire) -> None:
        keys.type("4\n")  # not its turn
        await keys.until("It is not your turn")
        keys.type("Q\n4\n")
        assert await opponent.rest() == b"DISCONNECTED\n"

    shown = sit(monkeypatch, sitting)
    assert "The match begins. You are O, your opponent moves first.\n" in shown
    assert "It is not your turn; wait, or type q to leave.\n" in shown
    assert shown.endswith("You have left the match.\n")


def test_the_end_of_the_input_is_a_leaving_too(monkeypatch: pytest.MonkeyPatch) -> None:
    async def sitting(keys: Keyboard, place: Harbour, opponent: Wire) -> None:
        opponent.send(b"4\n")
        assert await opponent.line() == "OK"
        await keys.until("Your turn")
        keys.type("0")  # and no line end
        keys.close()
        assert await opponent.rest() == b"2,0,0,0,1,0,0,0,0,\nDISCONNECTED\n"

    assert sit(monkeypatch, sitting).endswith("You have left the match.\n")


def test_an_opponent_who_leaves_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    async def sitting(keys: Keyboard, place: Harbour, opponent: Wire) -> None:
        opponent.close()

    assert sit(monkeypatch, sitting).endswith("Your opponent has left.\n")


@pytest.mark.parametrize("source", ["a file", "/dev/null"])
def test_input_that_is_no_terminal_and_no_pipe_works_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, source: str
) -> None:
    file = tmp_path / "typed"
    file.write_text("4\n" * 3000)

    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open("tris-lines")
            with open(file if source == "a file" else source) as stdin:
                monkeypatch.setattr("sys.stdin", stdin)
                await play.play_match("tris", TRIS, "127.0.0.1", port, ClientOptions())

    run(scenario, asyncio.new_event_loop)
    assert capsys.readouterr().out.endswith("You have left the match.\n")


class Terminal(io.StringIO):
    """An output that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("plain", [False, True])
def test_results_are_coloured_unless_the_user_wants_none(monkeypatch: pytest.MonkeyPatch, plain: bool) -> None:
    screen = Terminal()
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    if plain:
        monkeypatch.setenv("NO_COLOR", "1")
    play.Person("tris").receive(NOBODY, Over(None, "You win!", Result.WON))
    assert screen.getvalue() == ("You win!\n" if plain else "\x1b[1;32mYou win!\x1b[0m\n")


class Typist(io.StringIO):
    """A screen in front of which someone sits who answers every question with the first choice it offers."""

    def __init__(self, keys: Keyboard, question: str) -> None:
        super().__init__()
        self._keys = keys
        self._question = re.compile(question)

    def write(self, text: str) -> int:
        if found := self._question.search(text):
            self._keys.type(f"{found[1]}\n")
        return super().write(text)


def over_native(monkeypatch: pytest.MonkeyPatch, game: str, question: str) -> str:
    """Let a person play a bot over the native dialect, always by the first choice; gives what was on the screen."""
    shown = ""

    async def scenario() -> None:
        nonlocal shown
        node = Node(Settings(data=":memory:", http="0", listen=("tris-lines=0",)), asyncio.get_running_loop())
        with keyboard(monkeypatch) as keys, monkeypatch.context() as patch:
            screen = Typist(keys, question)
            patch.setattr("sys.stdout", screen)
            await node.start()
            port = int(re.findall(r"listening http 127.0.0.1:(\d+)", screen.getvalue())[0])
            settings = {"game": game, "bots": ",greedy"}
            await play.play_match(
                game, dialects.dialect("native"), "127.0.0.1", port, ClientOptions("Ada", 2, settings)
            )
            await node.stop()
            shown = screen.getvalue()

    run(scenario, asyncio.new_event_loop)
    return shown[shown.index(f"{game} over native") :]


def test_a_person_plays_over_the_native_dialect_as_over_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = over_native(monkeypatch, "tris", r"Which cell: (\d)")
    assert "Your turn (X). Which cell: 0 1 2 3 4 5 6 7 8?" in shown
    assert "greedy bot 2 takes cell 4." in shown
    assert shown.endswith("You lose (line).\n")


def test_a_match_that_has_not_begun_has_no_board(capsys: pytest.CaptureFixture[str]) -> None:
    play.Person("tris").receive(NOBODY, Show(None, "Waiting."))
    assert capsys.readouterr().out == "Waiting.\n"


def test_server_text_cannot_control_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    person = play.Person("tris")
    person.receive(NOBODY, Note("Message from the server: \x1b]0;owned\x07\x1b[2J\r\nboo"))
    person.receive(NOBODY, Show(View((None,) * 9, 0), "\x1b[31mred"))
    person.receive(NOBODY, Show(View((None,) * 9, 0)))
    person.receive(NOBODY, Over(None, "\x9b31mover", Result.LOST))
    shown = capsys.readouterr().out
    assert not set("\x1b\x9b\x07\r") & set(shown)
    assert "boo" in shown
    assert "red\n" in shown


def test_output_during_an_open_question_begins_on_its_own_line(capsys: pytest.CaptureFixture[str]) -> None:
    person = play.Person("tris")
    person.receive(NOBODY, Ask(View((None,) * 9, 0), Decision(Kind.MARK, (0,), (3,))))
    person.receive(NOBODY, Note("hello"))
    person.receive(NOBODY, Note("again"))
    assert capsys.readouterr().out.endswith("Which cell: 3? \nhello\nagain\n")


def test_a_new_question_replaces_the_old_one(capsys: pytest.CaptureFixture[str]) -> None:
    person = play.Person("tris")
    person.receive(NOBODY, Note("something"))
    person.handle_line(NOBODY, "4")
    assert "not your turn" in capsys.readouterr().out


EMPTY = View((None,) * 9, 0)


class Noted:
    """A connection that keeps the answers."""

    def __init__(self) -> None:
        self.answers: list[int] = []

    def answer(self, action: int) -> None:
        self.answers.append(action)


def test_steps_since_the_last_answer_are_shown_between_board_and_question(
    capsys: pytest.CaptureFixture[str],
) -> None:
    person, noted = play.Person("tris"), Noted()
    person.receive(NOBODY, Players(("ann", "b\x1b[2Job"), 0))
    person.receive(NOBODY, Ask(EMPTY, Decision(Kind.MARK, (0,), (4, 5))))
    person.handle_line(noted, "4")  # type: ignore[arg-type]  # all of a connection that a person uses
    assert noted.answers == [4]
    capsys.readouterr()
    moved = View((None, 1, None, None, 0, None, None, None, None), 0)
    person.receive(NOBODY, Ask(moved, Decision(Kind.MARK, (0,), (5,))))
    *_, board, news, question = capsys.readouterr().out.splitlines()
    assert "│" in board
    assert news == "b\\x1b[2Job takes cell 1."
    assert question.startswith("Your turn (X).")


def test_the_last_steps_are_described_at_the_end_too(capsys: pytest.CaptureFixture[str]) -> None:
    person = play.Person("tris")
    person.receive(NOBODY, Players(("ann", "bob"), 0))
    person.receive(NOBODY, Ask(EMPTY, Decision(Kind.MARK, (0,), (4, 5))))
    person.handle_line(Noted(), "4")  # type: ignore[arg-type]  # all of a connection that a person uses
    person.receive(NOBODY, Over(View((None, 1, None, None, 0, None, None, None, None), None), "You lose.", Result.LOST))
    assert capsys.readouterr().out.splitlines()[-2:] == ["bob takes cell 1.", "You lose."]


def test_a_board_that_is_as_it_was_is_not_drawn_again(capsys: pytest.CaptureFixture[str]) -> None:
    person = play.Person("tris")
    for _ in range(3):
        person.receive(NOBODY, Show(EMPTY, "still waiting"))
    shown = capsys.readouterr().out
    assert (shown.count("───┼───"), shown.count("still waiting")) == (2, 3)


def test_the_rules_and_a_card_are_told_when_they_are_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    person = play.Person("santorini")
    person.handle_line(NOBODY, "help")
    person.handle_line(NOBODY, "HELP pan")
    person.handle_line(NOBODY, "help nobody")
    shown = capsys.readouterr().out
    assert "A player who moves up to level 3 wins" in shown
    assert "Pan (simple; for 2, 3, 4 players)" in shown
    assert "santorini has no card called 'nobody'" in shown
    assert max(map(len, shown.splitlines())) < 80
    assert "up,\n" not in shown, "a sentence is broken where the line ends, and nowhere else"
    tris = play.Person("tris")
    tris.receive(NOBODY, Ask(EMPTY, Decision(Kind.MARK, (0,), (4,))))
    tris.handle_line(NOBODY, "help")
    assert capsys.readouterr().out.endswith("Which cell: 4? "), "the question is put again"
