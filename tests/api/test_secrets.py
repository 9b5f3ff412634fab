"""No outlet tells a secret: what spectators, and seats that may not know, get of twin matches is equal to the byte."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Final

import msgspec
import pytest

from boardwire.dialects.native import messages as wire
from boardwire.dialects.native import tell
from boardwire.games import santorini
from boardwire.games.game import Seat
from boardwire.games.santorini import Draft, God, Options, Wording
from boardwire.lobby.requests import Rematch
from boardwire.simulation.server import SimulatedConnection
from boardwire.table.commands import Act, Resign
from boardwire.table.guest import Notification, Seated, Step
from boardwire.testing import twins
from boardwire.testing.laws import Ply
from boardwire.wire.websocket import encode_text

from .api_fixture import ApiFixture, Sitting, api_fixture

PATHS: Final = (
    "", "/match-1", "/match-1/events", "/match-1/steps", "/match-1/export", "/match-1/export?format=text",
    "/match-1/wire?seat=0", "/match-1/wire?seat=1", "/match-1/wire?seat=1&dialect=santorini-lobby",
)  # fmt: skip

GIVEN: Final = [
    pytest.param(Options(Draft.GIVEN, gods, wording=wording), id=f"{gods[0]}-{gods[1]}-{wording}")
    for gods in ((God.PAN, God.HECATE), (God.HECATE, God.GAEA), (God.MOERAE, God.ATLAS), (God.APOLLO, God.TARTARUS))
    for wording in Wording
]


def watch(api: ApiFixture) -> SimulatedConnection:
    """Return a native spectator of the match."""
    watcher = api.server.connect("native")
    for request in (wire.Hello(name="Eve"), wire.Watch(match="match-1")):
        watcher.send(encode_text(wire.encode(request), b"\0\0\0\0"))
    return watcher


class Ear:
    """Recorder of a seat's native messages, including refusals."""

    def __init__(self, sitting: Sitting, seat: Seat) -> None:
        self.heard = b""
        self._seat = seat
        sitting.guests[seat].tell = self._hear

    def _hear(self, notification: Notification) -> None:
        match notification:
            case Step():
                self.heard += tell.step(notification, self._seat, tell.FixedFields())
            case Seated(match=match, seat=seat):
                self.heard += wire.encode(tell.state(match, seat))
            case _:
                self.heard += str(getattr(notification, "reason", notification)).encode()


def outlets(page: Path, options: Options, plies: list[Ply], stranger: Seat) -> dict[str, bytes]:
    """Return everything that a spectator and the seat `stranger` get of a match."""
    with api_fixture(page) as api:
        sitting = api.sit("santorini", 2, options)
        ear, live = Ear(sitting, stranger), watch(api)
        tried = []
        for ply in plies:
            sitting.do(ply.seat, Act(ply.seat, (ply.action,)))
            if ply.seat == stranger:
                tried.append(ply.action)
        told = {path: api.client.get(f"/api/matches{path}").content for path in PATHS}
        told["watching from now on"] = watch(api).take()
        if (pending := sitting.table.match.pending) is not None and stranger not in pending.seats:
            for action in tried:
                sitting.table.do(sitting.guests[stranger], Act(stranger, (action,)))
        if sitting.table.match.outcome is None:
            sitting.do(stranger, Resign(stranger))
        told["a seat, and its refusals"] = ear.heard
        for guest in sitting.guests:  # in a rematch the seats are others', and so are the secrets
            api.server.lobby.do(guest, Rematch())
        told["watching, and the rematch"] = live.take()
        return told


def compare(page: Path, options: Options, other: Options, stranger: Seat, seed: int) -> int:
    """Play twins for spectators and for a seat, and compare all outlets; how often they differed."""
    differ = 0
    for observer in (None, stranger):
        pairs = list(twins.pairs(santorini, options, other, 2, observer, Random(seed).randrange, 12))
        one = outlets(page, options, [ply for ply, _ in pairs], stranger)
        two = outlets(page, other, [ply for _, ply in pairs], stranger)
        for name in one:
            if observer is None and name.startswith("a seat"):
                continue  # twins for spectators; the seat may know more of them
            assert one[name] == two[name], f"{name} tells what is hidden"
            assert one[name]
        differ += any(first.after != second.after for first, second in pairs)
    return differ


@pytest.mark.parametrize("options", GIVEN)
def test_no_outlet_reveals_the_secret_of_a_power(tmp_path: Path, options: Options) -> None:
    stranger = 1 if options.gods[0] in (God.HECATE, God.MOERAE) else 0
    assert compare(tmp_path, options, options, stranger, 5)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1/hecate:A1,A5/pan:E5,E1", "1/hecate:C3,B4/pan:E5,E1"),
        ("2/tartarus[C3]:A1,A5/apollo:E5,E1", "2/tartarus[B2]:A1,A5/apollo:E5,E1"),
    ],
)
def test_no_outlet_reveals_the_secrets_of_a_given_position(tmp_path: Path, one: str, other: str) -> None:
    first, second = (Options(Draft.POSITION, position=f"{'0' * 25}/{rest}") for rest in (one, other))
    assert compare(tmp_path, first, second, 1, 5)


def test_the_square_of_a_hidden_workers_build_is_not_revealed(tmp_path: Path) -> None:
    with api_fixture(tmp_path) as api:
        options = msgspec.convert({"draft": "given", "gods": ["pan", "hecate"]}, Options)
        sitting = api.sit("santorini", 2, options).wander(2, 12)
        acted = [one for one in api.get(f"/api/matches/{sitting.id}/events")["events"] if one["event"] == "acted"]
        assert {one["seat"] for one in acted if one.get("hidden")} == {1}
        assert not any(one["seat"] == 1 and "action" in one for one in acted)
        assert all("action" in one for one in acted if one["seat"] == 0)
