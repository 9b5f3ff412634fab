"""Servers that break a rule of the game, each found by a check of every dialect.

A server accepts an illegal move, refuses a legal one, gives the turn to the wrong player, names the wrong winner, or
sends the result to one player only.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

import pytest
from msgspec.structs import replace
from tests.net.harbour import harbour, run

from boardwire import dialects
from boardwire.conformance.server.check import CheckResult, Verdict, Wire
from boardwire.conformance.server.climb import TOO_HIGH, TURNS
from boardwire.conformance.server.objects_player import EDITIONS
from boardwire.dialects.eriantys_objects import messages as erian
from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.messages import classes as java
from boardwire.errors import Illegal
from boardwire.games import tris

from .judging import Change, ObjectChange, Serving, between_each, decoded_between, judge, serving
from .test_native import find

Message = dict[str, Any]
Lines = Callable[[int], tuple[Change, Change]]
"""Changes of a client's and of the server's lines, by the number of the connection."""


def same(line: bytes) -> bytes:
    return line


def finding(
    dialect: str, name: str, faulty: Callable[[int], Serving], monkeypatch: pytest.MonkeyPatch, wait: float = 0.3
) -> CheckResult:
    """Return the result of the check whose name begins so, against a faulty proxy of our server."""
    monkeypatch.setattr(Wire.expect_silence, "__defaults__", (0.05,))
    found: list[CheckResult] = []

    async def scenario() -> None:
        async with harbour() as place, serving(faulty(await place.open(dialect))) as port:
            found.extend(await judge(dialect, port, lambda check: check.name.startswith(name), wait))

    run(scenario)
    (one,) = found
    return one


def rewritten(change: Callable[[Message], Message | None]) -> Change:
    """Return a change of lines from a change of their objects; None drops the line."""

    def lines(line: bytes) -> bytes:
        message = change(json.loads(line))
        return b"" if message is None else json.dumps(message, separators=(",", ":")).encode() + b"\n"

    return lines


def takes(change: Callable[[Message], Message | None]) -> Lines:
    """Return a server that changes a client's messages."""
    return lambda number: (rewritten(change), same)


def says(change: Callable[[Message], Message | None]) -> Lines:
    """Return a change of the server's messages."""
    return lambda number: (same, rewritten(change))


def to_one_only(word: bytes) -> Lines:
    """Return a server that sends a message to its first connection only."""
    return lambda number: (same, same if number == 1 else lambda line: b"" if word in line else line)


def swapping(login: bytes, field: str, turn: bytes) -> Lines:
    """Return a server that swaps the names of two players, which it learns from their logins."""
    names: list[bytes] = []

    def up(line: bytes) -> bytes:
        if login in line:
            names.append(line.partition(f'"{field}":"'.encode())[2].partition(b'"')[0])
        return line

    def down(line: bytes) -> bytes:
        if turn not in line or len(names) != 2:
            return line
        one, other = names
        return line.replace(one, b"\0").replace(other, one).replace(b"\0", other)

    return lambda number: (up, down)


# --- Forza Quattro ----------------------------------------------------------------------------------------------------


def seventh_disc(number: int, seen: list[int]) -> tuple[Change, Change]:
    """Replace a full column with the next one."""

    def up(line: bytes) -> bytes:
        seen.extend([1] if line == b"1\n" else [])
        return b"2\n" if line == b"1\n" and len(seen) == 7 else line

    return up, same


def full_columns() -> Lines:
    seen: list[int] = []
    return lambda number: seventh_disc(number, seen)


FORZA: Final[dict[str, tuple[str, Callable[[], Lines]]]] = {
    "takes a disc for a full column": ("a full column gets NO", full_columns),
    "refuses a free column": ("four in a row win", lambda: lambda _: (lambda line: line.replace(b"7", b"8"), same)),
    "gives the turn to the wrong player": (
        "a disc is told to both",
        lambda: lambda _: (same, lambda line: line.replace(b"TURN YELLOW", b"TURN RED")),
    ),
    "names the wrong winner": (
        "so do four in a column",
        lambda: lambda _: (same, lambda line: line.replace(b"WON line", b"LOST line")),
    ),
    "calls a draw a win": (
        "a full board",
        lambda: lambda _: (same, lambda line: line.replace(b"DRAWN", b"WON")),
    ),
    "tells the result to one player only": ("four in a row win", lambda: to_one_only(b"LOST")),
}


@pytest.mark.parametrize(("name", "lines"), FORZA.values(), ids=FORZA.keys())
def test_forza_lines(name: str, lines: Callable[[], Lines], monkeypatch: pytest.MonkeyPatch) -> None:
    made = lines()
    found = finding("forza-lines", name, lambda port: between_each(port, made), monkeypatch)
    assert found.verdict is Verdict.FAIL, found.detail


# --- santorini-actions ------------------------------------------------------------------------------------------------


def step_taken_for(wanted: tuple[int, int], other: tuple[int, int], after: int = 0) -> Callable[[], Lines]:
    """Return a server that replaces one cell with another, after the cell was named `after` times."""

    def lines() -> Lines:
        seen: list[int] = []

        def change(message: Message) -> Message:
            data = message.get("data", {})
            if message["action"] == "playStep" and (data["x"], data["y"]) == wanted:
                seen.append(1)
                if len(seen) > after:
                    data["x"], data["y"] = other
            return message

        return takes(change)

    return lines


ACTIONS: Final[dict[str, tuple[str, Callable[[], Lines]]]] = {
    "plays a step to a cell that is too far": ("a step to a cell", step_taken_for((3, 3), TURNS[0].to)),
    "plays a step two levels up": ("a step two levels up", step_taken_for(TOO_HIGH, (0, 0), 2)),
    "refuses a legal step": ("playStep: the battlefield", step_taken_for(TURNS[0].to, (4, 0))),
    "gives the turn to the wrong player": (
        "after a turn actualPlayer",
        lambda: swapping(b'"addPlayer"', "playerNickname", b'"actualPlayer"'),
    ),
    "names the wrong winner": (
        "the winner gets youWin",
        lambda: lambda _: (same, lambda line: line.replace(b"youWin", b"youLose")),
    ),
    "tells the loser nothing": (
        "the winner gets youWin",
        lambda: lambda _: (same, lambda line: b"" if b"youLose" in line else line),
    ),
    "tells the winner nothing": (
        "the winner gets youWin",
        lambda: lambda _: (same, lambda line: b"" if b"youWin" in line else line),
    ),
}


@pytest.mark.parametrize("dialect", ["santorini-actions", "santorini-actions/shipped"])
@pytest.mark.parametrize(("name", "lines"), ACTIONS.values(), ids=ACTIONS.keys())
def test_santorini_actions(
    name: str, lines: Callable[[], Lines], dialect: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = lines()
    found = finding(dialect, name, lambda port: between_each(port, made), monkeypatch)
    assert found.verdict is Verdict.FAIL, found.detail


# --- santorini-lobby --------------------------------------------------------------------------------------------------


def action_taken_for(kind: str, wanted: tuple[int, int], other: tuple[int, int]) -> Callable[[], Lines]:
    """Return a server that replaces the cell of an action."""

    def change(message: Message) -> Message:
        content = message["content"]
        if message["type"] == "EXECUTE_ACTION" and content["actionIdentifier"] == {"description": kind}:
            cell = content["coordinate"]
            if (cell["x"], cell["y"]) == wanted:
                cell["x"], cell["y"] = other
        return message

    return lambda: takes(change)


LOBBY: Final[dict[str, tuple[str, Callable[[], Lines]]]] = {
    "plays a move that is too far": ("an illegal action", action_taken_for("Move", (3, 3), TURNS[0].to)),
    "plays a move two levels up": ("a pawn does not move two levels up", action_taken_for("Move", TOO_HIGH, (0, 0))),
    "refuses a legal move": ("actions are told to all", action_taken_for("Move", TURNS[0].to, (4, 0))),
    "refuses a legal build": ("actions are told to all", action_taken_for("Build_Block", TOO_HIGH, (4, 0))),
    "gives the turn to the wrong player": (
        "actions are told to all",
        lambda: swapping(b'"ADD_USER"', "username", b'"TURN_CHANGE"'),
    ),
    "names the wrong winner": ("all hear of the win", lambda: swapping(b'"ADD_USER"', "username", b'"WIN"')),
    "tells the result to one player only": (
        "all hear of the win",
        # the first two connections are not players: one looks at the lobby
        lambda: lambda number: (same, same if number <= 2 else lambda line: b"" if b'"WIN"' in line else line),
    ),
}


@pytest.mark.parametrize(("name", "lines"), LOBBY.values(), ids=LOBBY.keys())
def test_santorini_lobby(name: str, lines: Callable[[], Lines], monkeypatch: pytest.MonkeyPatch) -> None:
    made = lines()
    found = finding("santorini-lobby", name, lambda port: between_each(port, made), monkeypatch)
    assert found.verdict is Verdict.FAIL, found.detail


# --- santorini-objects ------------------------------------------------------------------------------------------------

Objects = Callable[[int], tuple[ObjectChange, ObjectChange]]


def plain(message: Any) -> list[Any]:
    return [] if isinstance(message, Edition) else [message]


def moves(wanted: tuple[int, int], other: tuple[int, int]) -> Objects:
    """Return a server that replaces the cell of a move on the ground."""

    def up(message: Any) -> list[Any]:
        cell = message.new_position if isinstance(message, java.ConsolidateMove) else None
        if cell is not None and (cell.x, cell.y) == wanted:
            return [java.ConsolidateMove(1, java.Position(*other, 0))]
        return plain(message)

    return lambda number: (up, plain)


def sends(change: Callable[[int, Any], Any]) -> Objects:
    """Return a server that changes or drops its messages, by the number of the connection."""

    def make(number: int) -> tuple[ObjectChange, ObjectChange]:
        def down(message: Any) -> list[Any]:
            said = change(number, message)
            return [] if said is None else plain(said)

        return plain, down

    return make


def _wrong_turn(number: int, message: Any) -> Any:
    if isinstance(message, java.UpdateTurn | java.UpdateShippedTurn):
        return replace(message, player_id=3 - message.player_id)
    return message


def _wrong_winner(number: int, message: Any) -> Any:
    return java.UpdateWinner(3 - message.player_id) if isinstance(message, java.UpdateWinner) else message


def _winner_to_one_only(number: int, message: Any) -> Any:
    return None if isinstance(message, java.UpdateWinner) and number == 2 else message


OBJECTS: Final[dict[str, tuple[str, Objects]]] = {
    "makes a move that is not on offer": ("a move that is not on offer", moves((3, 3), TURNS[0].to)),
    "makes a move two levels up": ("a move two levels up", moves(TOO_HIGH, (0, 0))),
    "refuses a legal move": ("all see a move", moves(TURNS[0].to, (4, 0))),
    "gives the turn to the wrong player": ("all hear whose turn", sends(_wrong_turn)),
    "names the wrong winner": ("all hear who won", sends(_wrong_winner)),
    "tells the result to one player only": ("all hear who won", sends(_winner_to_one_only)),
}


def proxied(dialect: str, make: Objects, encode: Callable[[Any], bytes], greeting: bytes = b"") -> Callable[[int], Any]:
    """Return a server that changes Java objects."""
    speaks = dialects.dialect(dialect)
    count: list[int] = []

    def each() -> tuple[ObjectChange, ObjectChange]:
        count.append(1)
        return make(len(count))

    decoders = speaks.decoder, speaks.replies or speaks.decoder
    return lambda port: decoded_between(port, decoders, encode, each, greeting)


@pytest.mark.parametrize("dialect", ["santorini-objects", "santorini-objects/d1", "santorini-objects/shipped"])
@pytest.mark.parametrize(("name", "make"), OBJECTS.values(), ids=OBJECTS.keys())
def test_santorini_objects(name: str, make: Objects, dialect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    edition = EDITIONS[dialect.partition("/")[2]]
    found = finding(dialect, name, proxied(dialect, make, edition.encode), monkeypatch)
    assert found.verdict is Verdict.FAIL, found.detail


# --- Eriantys ---------------------------------------------------------------------------------------------------------


def field_taken_for(kind: str, field: str, wanted: Any, other: Any) -> Callable[[], Lines]:
    """Return a server that replaces a value of a client's field."""

    def change(message: Message) -> Message:
        return {**message, field: other} if message["type"] == kind and message.get(field) == wanted else message

    return lambda: takes(change)


def _three_of_four(message: Message) -> Message:
    if message["type"] == "StudentToIslandMessage":
        message["students"] = message["students"][:3]
    return message


def _one_asked_only(number: int) -> tuple[Change, Change]:
    return same, same if number == 1 else lambda line: line.replace(b'"ask":"assistant"', b'"ask":""')


MESSAGES: Final[dict[str, tuple[str, Callable[[], Lines]]]] = {
    "takes a card that was played in this round": (
        "cards are played in order",
        field_taken_for("PlayAssistantCardMessage", "assistantCard", 1, 5),
    ),
    "takes too many students": ("too many students", lambda: takes(_three_of_four)),
    "lets mother nature go too far": (
        "mother nature goes",
        field_taken_for("MoveMotherNatureMessage", "movement", 2, 1),
    ),
    "refuses a legal step of mother nature": (
        "mother nature goes",
        field_taken_for("MoveMotherNatureMessage", "movement", 1, 9),
    ),
    "does not ask the second player": ("cards are played in order", lambda: _one_asked_only),
    "names the wrong winner": (
        "a whole match ends",
        lambda: swapping(b'"LoginRequest"', "nickname", b'"WinMessage"'),
    ),
    "tells the result to one player only": ("a whole match ends", lambda: to_one_only(b'"WinMessage"')),
}


@pytest.mark.parametrize(("name", "lines"), MESSAGES.values(), ids=MESSAGES.keys())
def test_eriantys_messages(name: str, lines: Callable[[], Lines], monkeypatch: pytest.MonkeyPatch) -> None:
    made = lines()
    found = finding("eriantys-messages", name, lambda port: between_each(port, made), monkeypatch)
    assert found.verdict is Verdict.FAIL, found.detail


def answers(kind: type[Any], field: str, wanted: Any, other: Any) -> Objects:
    """Return a server that replaces a value of a client's field."""

    def up(message: Any) -> list[Any]:
        if type(message) is kind and getattr(message, field) == wanted:
            message = replace(message, **{field: other})
        return [message]

    return lambda number: (up, lambda message: [message])


def _three_students(message: Any) -> list[Any]:
    if isinstance(message, erian.MovedStudentOnIslandMessage):
        message = replace(message, students=tuple(message.students or ())[:3])
    return [message]


def erian_says(change: Callable[[int, Any], Any]) -> Objects:
    """Return a server that changes or drops its messages, by the number of the connection."""

    def make(number: int) -> tuple[ObjectChange, ObjectChange]:
        def down(message: Any) -> list[Any]:
            said = change(number, message)
            return [] if said is None else [said]

        return lambda message: [message], down

    return make


def _starts_for_the_other(number: int, message: Any) -> Any:
    return None if isinstance(message, erian.StartTurnMessage) else message


def _win_to_one_only(number: int, message: Any) -> Any:
    return None if isinstance(message, erian.WinMessage) and number == 2 else message


def wrong_winner() -> Objects:
    """Return a server that names the loser as the winner."""
    names: list[str] = []

    def make(number: int) -> tuple[ObjectChange, ObjectChange]:
        def up(message: Any) -> list[Any]:
            if isinstance(message, erian.LoginRequest) and message.nickname is not None:
                names.append(message.nickname)
            return [message]

        def down(message: Any) -> list[Any]:
            if isinstance(message, erian.WinMessage):
                one, other = names
                loser = other if message.winner.nickname == one else one
                message = replace(message, winner=erian.PlayerModel(nickname=loser))
            return [message]

        return up, down

    return make


ERIANTYS: Final[dict[str, tuple[str, Callable[[], Objects]]]] = {
    "takes a card that is not in the offer": (
        "a card that is not offered",
        lambda: answers(erian.PlayAssistantCardMessage, "index_assistant_card_model", 10, 3),
    ),
    "takes too many students": (
        "too many students",
        lambda: lambda number: (_three_students, lambda message: [message]),
    ),
    "lets mother nature go too far": (
        "mother nature goes as far",
        lambda: answers(erian.MovedMotherNatureMessage, "movement", 2, 1),
    ),
    "refuses a legal step of mother nature": (
        "mother nature goes as far",
        lambda: answers(erian.MovedMotherNatureMessage, "movement", 1, 9),
    ),
    "refuses a legal cloud": (
        "the cloud ends the turn",
        lambda: answers(erian.AddStudentFromCloudToEntranceMessage, "cloud_index", 1, 7),
    ),
    "begins no turn": ("the lower card begins", lambda: erian_says(_starts_for_the_other)),
    "names the wrong winner": ("a match of 2, BEGINNER", wrong_winner),
    "tells the result to one player only": ("a match of 2, BEGINNER", lambda: erian_says(_win_to_one_only)),
}


@pytest.mark.parametrize(("name", "make"), ERIANTYS.values(), ids=ERIANTYS.keys())
def test_eriantys_objects(name: str, make: Callable[[], Objects], monkeypatch: pytest.MonkeyPatch) -> None:
    found = finding("eriantys-objects", name, proxied("eriantys-objects", make(), erian.encode), monkeypatch, 0.5)
    assert found.verdict is Verdict.FAIL, found.detail


# --- native -----------------------------------------------------------------------------------------------------------


def _takes_anything(position: Any, seat: int, action: Any) -> Any:
    try:
        return APPLY(position, seat, action)
    except Illegal:
        decision = tris.pending(position)
        assert decision is not None
        return APPLY(position, seat, next(iter(decision.choices)))


def _refuses_the_middle(position: Any, seat: int, action: Any) -> Any:
    if action == 4:
        raise Illegal("not there")
    return APPLY(position, seat, action)


def _wrong_outcome(position: Any) -> Any:
    outcome = OUTCOME(position)
    return outcome if outcome is None else replace(outcome, winners=tuple(1 - seat for seat in outcome.winners))


APPLY, OUTCOME = tris.apply, tris.outcome
NATIVE: Final = {
    "plays an illegal move": ("an act that is illegal", "apply", _takes_anything),
    "refuses a legal move": ("act: a step to all", "apply", _refuses_the_middle),
    "names the wrong winner": ("a match that is won", "outcome", _wrong_outcome),
}


@pytest.mark.parametrize(("name", "function", "wrong"), NATIVE.values(), ids=NATIVE.keys())
def test_native(name: str, function: str, wrong: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tris, function, wrong)
    found: list[CheckResult] = []

    async def scenario() -> None:
        async with harbour() as place:
            found.extend(await find(place, lambda check: check.name.startswith(name), 0.3))

    run(scenario)
    assert [one.verdict for one in found] == [Verdict.FAIL], found
