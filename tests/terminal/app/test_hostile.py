"""What a hostile or broken server sends neither ends the client nor reaches the terminal."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from boardwire.dialects.dialect import Ask, Players, Relayed, Show
from boardwire.dialects.native import messages as wire
from boardwire.games import forza
from boardwire.games.game import Decision, Outcome
from boardwire.net.client import ClientConnection
from boardwire.table.match import Status
from boardwire.terminal.app.match_model import MAX_SHOWN_NAME_LENGTH, LineKind, MatchModel
from boardwire.terminal.app.native_session import NativeSession

from . import stage as on

ESCAPE = "\x1b]0;owned\x07\x1b[2J\u202e\u200b"
NOBODY: ClientConnection = None  # type: ignore[assignment]  # what is heard is only shown
CONTROLS = {"\x1b", "\x07", "\x9b", "\u202e", "\u200b"}


def session() -> NativeSession:
    return NativeSession("127.0.0.1", 1, "Ada", lambda: None)


def state(**fields: Any) -> wire.MatchState:
    usual: dict[str, Any] = {
        "match": "m",
        "game": "tris",
        "seq": 4,
        "status": Status.PLAYING,
        "players": (wire.PlayerInfo(name="Ada"), wire.PlayerInfo(name=ESCAPE * 1000)),
        "options": {},
        "view": {"cells": [None] * 9, "turn": 0},
        "asked": wire.Asked(seats=(0,), kind="mark", choices=tuple(range(9))),
    }
    return wire.MatchState(**{**usual, **fields})


BROKEN: list[wire.MatchState] = [
    state(game="../../os"),
    state(game="chess"),
    state(view={"cells": [], "turn": 0}),
    state(view={"cells": [7] * 9, "turn": 99}),
    state(view="nonsense"),
    state(asked=wire.Asked(seats=(0,), kind="nonsense", choices=(1,))),
    state(asked=wire.Asked(seats=(0,), kind="mark", choices=("x",))),
    state(asked=wire.Asked(seats=(0,), kind="mark", choices=(10**30, -5))),
    state(status=Status.OVER, outcome=Outcome(ESCAPE, (-99, 50)), asked=None),
    state(game="santorini", view={}),
    state(options="nonsense"),
    state(players=()),
    state(banks=(1.0,), since=float("inf")),
]


@pytest.mark.parametrize("broken", BROKEN)
@pytest.mark.parametrize("seat", [0, 77, None])
def test_no_state_ends_the_session(broken: wire.MatchState, seat: int | None) -> None:
    found = session()
    for message in (
        wire.Seated(seat=seat, state=broken, code=ESCAPE) if seat is not None else wire.Watching(state=broken),
        wire.Step(events=(wire.Happening(ESCAPE, 1e300, seat=-9), wire.Happening("left", 0.0, seat=-50)), state=broken),
        wire.Wanted(seats=(-3, 9), gone=(-7,)),
        wire.Advice(match="m", seq=9, turn=(wire.AdvisedStep(text=ESCAPE, action="x"),), value=float("nan")),
        wire.Refused(code="x", reason=ESCAPE),
        wire.Gone(why=ESCAPE),
    ):
        found.receive(NOBODY, Relayed(message))
        found.seats()


def test_names_are_cut_and_escaped() -> None:
    found = session()
    found.receive(NOBODY, Relayed(wire.Seated(seat=0, state=state())))
    assert found.model is not None
    assert len(found.model.players.names[1]) == MAX_SHOWN_NAME_LENGTH
    assert not CONTROLS & set("".join(found.model.players.names))
    assert not CONTROLS & set(found.seats()[1].name)


def test_a_position_that_cannot_be_shown_is_reported_and_not_taken() -> None:
    model = MatchModel("forza")
    model.receive(Players(("a", "b"), 0))
    good = forza.View((None,) * 42, 0)
    model.receive(Show(good))
    model.receive(Show(forza.View((), 0)))
    model.receive(Ask(forza.View((), 0), Decision(forza.Kind.DROP, (0,), (1,))))
    assert model.view == good
    assert model.ask is None
    assert model.log[-1].kind is LineKind.ERROR
    assert "cannot be shown" in model.log[-1].text


def test_a_hostile_table_is_shown_without_its_controls() -> None:
    async def scenario() -> None:
        async with on.place() as place, on.stage(place.server) as stage:
            await stage.connected()
            await stage.open("tris", bots=("", "greedy"))
            real = stage.session.state
            assert real is not None
            hostile = replace(real, players=(real.players[0], wire.PlayerInfo(name="[bold]x" + ESCAPE, bot=ESCAPE)))
            chat = wire.Happening("chatted", real.since, name=ESCAPE, text=ESCAPE * 100)
            connection = stage.session.connection
            assert connection is not None
            stage.session.receive(connection, Relayed(wire.Step(events=(chat,), state=hostile)))
            stage.session.token = ESCAPE
            await stage.pilot.press("f5")
            await stage.until(lambda: "[bold]x" in stage.text())
            assert not CONTROLS & set(stage.text())
            assert "\\x1b" in stage.text()

    on.run(scenario)
