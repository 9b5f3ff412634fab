"""Decoding of a connection's bytes, and detection of its edition."""

from __future__ import annotations

import pytest

from boardwire.dialects.santorini_objects.editions import LIMITS, Edition, EditionDecoder
from boardwire.dialects.santorini_objects.messages import classes as wire
from boardwire.errors import Malformed

from .spoken import Caller, Hall, cell, kinds, login, seat

GAME = [
    wire.Message("2 players"),
    wire.Message("Anna"),
    wire.InitializeGame("Pan", (cell(0, 0), cell(1, 1))),
    wire.ConsolidateMove(1, cell(0, 1)),
    wire.ConsolidateBuild(False, 1, cell(0, 0)),
    wire.DeclineLastOptional(),
]
SHIPPED_GAME = [
    wire.Connection(2, "Anna"),
    wire.InitializeGodPower("Pan"),
    wire.InitializeWorkerPositions((cell(0, 0), cell(1, 1))),
    wire.ConsolidateMove(1, cell(0, 1)),
    wire.ConsolidateBuild(False, 1, cell(0, 0)),
    wire.DeclineLastAction(),
]
both = pytest.mark.parametrize(("edition", "game"), [(Edition.D2, GAME), (Edition.F, SHIPPED_GAME)], ids=["D", "F"])


def bytes_of(edition: Edition, game: list[wire.Message]) -> bytes:
    return b"".join(map(edition.encode, game))


@both
def test_several_messages_may_arrive_in_one_segment(edition: Edition, game: list[wire.Message]) -> None:
    assert EditionDecoder(Edition.D2, Edition.F).feed(bytes_of(edition, game)) == [edition, *game]


@both
def test_messages_may_arrive_byte_by_byte(edition: Edition, game: list[wire.Message]) -> None:
    hearing, raw = EditionDecoder(Edition.D2, Edition.F), bytes_of(edition, game)
    assert [heard for at in range(len(raw)) for heard in hearing.feed(raw[at : at + 1])] == [edition, *game]
    assert hearing.buffered == 0


@both
def test_a_partial_message_waits_for_the_rest(edition: Edition, game: list[wire.Message]) -> None:
    for message in game:
        raw = edition.encode(message)
        hearing = EditionDecoder(edition)
        assert hearing.feed(raw[:-1]) == []
        assert hearing.buffered == len(raw) - 1
        assert hearing.feed(raw[-1:])[-1] == message


@pytest.mark.parametrize("name", ["D", "F"])
def test_a_login_may_arrive_byte_by_byte(name: str) -> None:
    server = Hall(seed=0)
    callers = [Caller(server, name), Caller(server, name)]
    for number, caller in enumerate(callers):
        for byte in caller.edition.encode(login(caller.edition, 2, f"Name{number}")):
            caller.peer.send(bytes([byte]))
    assert callers[1].told()


def test_messages_of_this_server_are_far_below_the_limit() -> None:
    server = Hall(seed=0)
    first = seat(server, "F", "F", "F")[0]
    first.say(wire.InitializeGodPower(first.last().god_powers[0]))
    sizes = [len(Edition.F.encode(wire.RequestInitializeWorkerPositions(1, tuple(cell(x, 0) for x in range(25)))))]
    assert max(sizes) < LIMITS.size / 8


@pytest.mark.parametrize("text", ["x" * 3000, "x" * 9000])
def test_an_oversized_message_disconnects_only_its_sender(text: str) -> None:
    server = Hall(seed=0)
    anna, bruno = Caller(server), Caller(server)
    anna.say(wire.Message("2 players"))
    bruno.peer.send(Edition.D2.encode(wire.Message(text)))
    assert bruno.peer.closed
    assert not anna.peer.closed
    assert anna.told() == []


def test_a_fault_after_complete_messages_is_reported_at_once() -> None:
    hearing = EditionDecoder(Edition.D2)
    assert hearing.feed(Edition.D2.encode(GAME[0]) + b"no stream") == [Edition.D2, GAME[0]]
    assert isinstance(hearing.fault, Malformed)


def test_an_edition_never_changes_within_a_connection() -> None:
    hearing = EditionDecoder(Edition.D2, Edition.F)
    hearing.feed(Edition.D2.encode(GAME[0]))
    with pytest.raises(Malformed):
        hearing.feed(Edition.F.encode(SHIPPED_GAME[0]))


def test_recurring_messages_are_encoded_once() -> None:
    assert Edition.F.encode_cached(wire.UpdateWinner(1)) is Edition.F.encode_cached(wire.UpdateWinner(1))
    assert Edition.F.encode_cached(wire.UpdateWinner(1)) != Edition.D2.encode_cached(wire.UpdateWinner(1))


def test_the_cache_of_encoded_messages_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardwire.dialects.santorini_objects.editions._MAX_CACHED_MESSAGES", 3)
    written = [Edition.D1.encode_cached(wire.UpdateLoser(number)) for number in range(20)]
    assert len(Edition.D1._cache) <= 3
    assert Edition.D1.encode_cached(wire.UpdateLoser(19)) is written[19], "the newest are kept"


def test_d1_and_d2_clients_get_the_same_messages_except_for_optional_steps() -> None:
    server = Hall(seed=3)
    for door in ("D", "D1"):
        callers = seat(server, door, door)
        assert kinds(callers[0].told())[-1] == "RequestInitializeGame"
