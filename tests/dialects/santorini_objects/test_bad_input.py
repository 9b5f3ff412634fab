"""Every message in every phase, from every seat, with wrong fields: it changes nothing and reaches no other client."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
import pytest

from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.messages import classes as wire

from .spoken import EDITION, Caller, Hall, at_position, cell, kinds, login, seat

EMPTY = "0" * 25
NONE: frozenset[wire.Position] = frozenset()
FAR = cell(99, -3, 7)

SAMPLES: dict[type, tuple[msgspec.Struct, ...]] = {
    wire.Position: (),
    wire.Message: (wire.Message(None), wire.Message("HELLO"), wire.Message("2 players"), wire.Message("Error")),
    wire.UpdateInitializeNames: (wire.UpdateInitializeNames(("a", None)),),
    wire.UpdateTurn: (wire.UpdateTurn(1),),
    wire.UpdateShippedTurn: (wire.UpdateShippedTurn(True, 1),),
    wire.ConsolidateMove: (
        wire.ConsolidateMove(1, None),
        wire.ConsolidateMove(1, FAR),
        wire.ConsolidateMove(-1, cell(0, 1)),
        wire.ConsolidateMove(2**31 - 1, cell(0, 1)),
        wire.ConsolidateMove(1, cell(2, 2)),
    ),
    wire.ConsolidateBuild: (
        wire.ConsolidateBuild(True, 1, None),
        wire.ConsolidateBuild(True, 9, FAR),
        wire.ConsolidateBuild(False, 1, cell(2, 2)),
    ),
    wire.UpdateBuild: (wire.UpdateBuild(True, FAR),),
    wire.UpdateMove: (wire.UpdateMove(1, 1, FAR),),
    wire.UpdateShippedMove: (wire.UpdateShippedMove(1, 1, FAR, FAR),),
    wire.UpdateWinner: (wire.UpdateWinner(1),),
    wire.UpdateLoser: (wire.UpdateLoser(2),),
    wire.UpdateDisconnection: (wire.UpdateDisconnection(2),),
    wire.RequestInitializeGame: (wire.RequestInitializeGame(1, ("Pan",)),),
    wire.InitializeGame: (
        wire.InitializeGame(None, None),
        wire.InitializeGame("Nobody", (cell(0, 0), cell(1, 1))),
        wire.InitializeGame("Pan", (None, None)),
        wire.InitializeGame("Pan", (FAR, FAR)),
        wire.InitializeGame("Pan", (cell(0, 0),) * 3),
    ),
    wire.UpdateInitializeGame: (wire.UpdateInitializeGame(1, "Pan", ()),),
    wire.RequestMove: (wire.RequestMove(1, NONE, NONE),),
    wire.RequestBuild: (wire.RequestBuild(True, 1, NONE, NONE),),
    wire.RequestOptional: (wire.RequestOptional(True, True, True, 1, NONE, NONE, NONE, NONE),),
    wire.DeclineLastOptional: (wire.DeclineLastOptional(),),
    wire.Connection: (wire.Connection(7, None), wire.Connection(2, "Eve")),
    wire.RequestInitializeGodPower: (wire.RequestInitializeGodPower(1, ("Pan",)),),
    wire.InitializeGodPower: (wire.InitializeGodPower(None), wire.InitializeGodPower("Nobody")),
    wire.UpdateInitializeGodPower: (wire.UpdateInitializeGodPower(1, "Pan"),),
    wire.RequestInitializeWorkerPositions: (wire.RequestInitializeWorkerPositions(1, ()),),
    wire.InitializeWorkerPositions: (
        wire.InitializeWorkerPositions(None),
        wire.InitializeWorkerPositions((None, cell(0, 0))),
        wire.InitializeWorkerPositions((FAR, cell(0, 0))),
    ),
    wire.UpdateInitializeWorkerPositions: (wire.UpdateInitializeWorkerPositions(1, ()),),
    wire.RequestAction: (wire.RequestAction(True, True, True, True, 1, NONE, NONE, NONE, NONE),),
    wire.DeclineLastAction: (wire.DeclineLastAction(),),
    wire.UpdateActions: (wire.UpdateActions((), ()),),
    wire.RequestError: (wire.RequestError(1, "REJECTED"),),
}


def bad(edition: Edition) -> Iterator[msgspec.Struct]:
    for kind in edition.schema.types:
        yield from SAMPLES[kind]


def waiting(door: str) -> tuple[Hall, list[Caller]]:
    server = Hall(seed=0)
    callers = [Caller(server, door), Caller(server, door)]
    for number, caller in enumerate(callers):
        caller.say(login(caller.edition, 3, f"Name{number}"))
    return server, callers


def setting_up(door: str) -> tuple[Hall, list[Caller]]:
    server = Hall(seed=0)
    return server, seat(server, door, door)


def placing(door: str) -> tuple[Hall, list[Caller]]:
    server, callers = setting_up(door)
    for caller in callers:
        gods = caller.last().god_powers
        if door == "F":
            caller.say(wire.InitializeGodPower(gods[0]))
        elif caller is callers[0]:
            caller.say(wire.InitializeGame(gods[0], (cell(0, 0), cell(1, 1))))
    return server, callers


def moving(door: str) -> tuple[Hall, list[Caller]]:
    return at_position(f"{EMPTY}/1/pan:A1,E5/demeter:C3,C4", door, door)


def building(door: str) -> tuple[Hall, list[Caller]]:
    server, callers = moving(door)
    callers[0].say(wire.ConsolidateMove(1, cell(0, 1)))
    return server, callers


def choosing(door: str) -> tuple[Hall, list[Caller]]:
    return at_position(f"{EMPTY}/1/prometheus:A1,E5/demeter:C3,C4", door, door)


def closing(door: str) -> tuple[Hall, list[Caller]]:
    """F: player 1 has built but not declined."""
    server, callers = building(door)
    callers[0].say(wire.ConsolidateBuild(False, 1, cell(0, 0)))
    return server, callers


PHASES = [waiting, setting_up, placing, moving, building, choosing, closing]


@pytest.mark.parametrize("door", ["D", "D1", "F"])
@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.__name__)
@pytest.mark.parametrize("sender", [0, 1])
def test_bad_input_changes_nothing_and_reaches_no_other_client(
    door: str, phase: Callable[[str], tuple[Hall, list[Caller]]], sender: int
) -> None:
    server, callers = phase(door)
    for caller in callers:
        caller.told()
    before = server.journals()
    one = callers[sender]
    sent = [m for m in bad(EDITION[door]) if not (phase is closing and isinstance(m, wire.DeclineLastAction))]
    answers: set[str] = set()
    for message in sent:
        told = one.tell(message)
        answers.update(kinds(told))
        assert server.journals() == before, message
        assert not one.peer.closed
        assert callers[1 - sender].told() == []
    assert len(sent) < 100
    allowed = {"RequestError"} if door == "F" else set()
    assert answers <= allowed | {name for name in answers if name.startswith("Request")}
    if phase is waiting:
        assert not answers


@pytest.mark.parametrize("door", ["D", "F"])
def test_the_match_goes_on_as_if_nothing_had_been_sent(door: str) -> None:
    server, callers = moving(door)
    for message in bad(EDITION[door]):
        callers[0].say(message)
        callers[1].say(message)
    callers[0].say(wire.ConsolidateMove(1, cell(0, 1)), wire.ConsolidateBuild(False, 1, cell(0, 0)))
    assert server.match().position.seat == 1


def test_d_gets_the_same_request_after_bad_input() -> None:
    _, callers = moving("D")
    request = callers[0].last()
    for message in bad(Edition.D2):
        assert callers[0].tell(message) == [request]


def test_f_gets_an_error_and_the_same_request_after_bad_input() -> None:
    _, callers = moving("F")
    request = callers[0].last()
    silent = (wire.Message, wire.Connection)
    for message in bad(Edition.F):
        told = callers[0].tell(message)
        is_silent = isinstance(message, silent) or type(message).__name__.startswith(("Update", "Request"))
        assert told == ([] if is_silent else [wire.RequestError(1, "REJECTED"), request])


@pytest.mark.parametrize("door", ["D", "F"])
@pytest.mark.parametrize(
    "raw", [b"\x00", b"GET / HTTP/1.1\r\n\r\n", b"\xac\xed\x00\x05\x70", b"\xac\xed\x00\x05w\x01a"]
)
def test_malformed_data_ends_the_match_like_leaving(door: str, raw: bytes) -> None:
    server, callers = moving(door)
    callers[1].told()
    callers[0].peer.send(raw)
    assert callers[0].peer.closed
    assert callers[1].told() == [wire.UpdateDisconnection(1)]
    assert server.match().outcome is not None


def test_a_message_of_the_other_edition_is_malformed() -> None:
    _, callers = moving("D")
    callers[0].peer.send(Edition.F.encode(wire.ConsolidateMove(1, cell(0, 1))))
    assert callers[0].peer.closed
