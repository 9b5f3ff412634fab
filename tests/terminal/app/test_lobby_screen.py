"""The start screen: tables, forms, servers."""

from __future__ import annotations

from textual.widgets import Input, Select

from boardwire.dialects.native import messages as wire
from boardwire.terminal.app.native_session import NativeSession
from boardwire.terminal.app.servers import Server
from boardwire.terminal.app.table_form import TableForm, game_options

from . import stage as on


def test_a_waiting_table_is_joined_with_enter() -> None:
    async def scenario() -> None:
        async with on.place() as place, on.stage(place.server) as stage:
            await stage.connected()
            ann = NativeSession("127.0.0.1", place.ports["http"], "ann\x1b[31m", lambda: None)
            ann.start()
            await stage.until(lambda: ann.token)
            ann.send(wire.Open(game="tris", per_move=30))
            await stage.until(lambda: "ann" in stage.text())
            assert "waiting 30 s" in stage.text()
            assert "\x1b" not in stage.text()
            await stage.pilot.press("tab", "enter")
            await stage.until(lambda: stage.session.model is not None and stage.session.model.view is not None)
            await stage.until(lambda: "Ada (you)" in stage.text())
            ann.close()

    on.run(scenario)


def test_a_table_against_a_bot_is_opened_by_the_form() -> None:
    async def scenario() -> None:
        async with on.place() as place, on.stage(place.server) as stage:
            await stage.connected()
            await stage.pilot.press("b")
            await stage.until(lambda: isinstance(stage.app.screen, TableForm))
            stage.app.screen.query_one("#game", Select).value = "eriantys"
            await stage.pilot.pause()
            await stage.pilot.pause()
            stage.app.screen.query_one("#seats", Select).value = 3
            await stage.pilot.pause()
            await stage.pilot.pause()
            stage.app.screen.query_one("#option-0", Select).value = "expert"
            stage.app.screen.query_one("#others", Select).value = "random"
            stage.app.screen.query_one("#move", Input).value = "soon"
            await stage.pilot.press("ctrl+s")
            await stage.until(lambda: "is not a number" in stage.text())
            stage.app.screen.query_one("#move", Input).value = "90"
            await stage.pilot.press("ctrl+s")
            await stage.until(stage.is_asked)
            state = stage.session.state
            assert state is not None
            assert (state.game, len(state.players), state.per_move, state.practice) == ("eriantys", 3, 90.0, True)
            assert stage.model.view.mode == "expert"
            assert [player.bot for player in state.players if player is not None] == ["", "random", "random"]

    on.run(scenario)


def test_options_that_need_more_than_a_word_are_not_offered() -> None:
    drafts = next(option for option in game_options("santorini", 2) if option.name == "draft")
    assert drafts.values[0] == "none"
    assert {"random", "challenger"} < set(drafts.values)
    assert not {"given", "position"} & set(drafts.values)
    assert not list(game_options("tris", 2))


def test_a_match_that_was_left_can_be_continued() -> None:
    async def scenario() -> None:
        async with on.place() as place, on.stage(place.server) as stage:
            await stage.connected()
            await stage.open("tris", bots=("", "greedy"))
            await stage.pilot.press("f10")
            assert stage.is_asked(), "once asks"
            await stage.pilot.press("f10")
            await stage.until(lambda: "yours" in stage.text())
            await stage.pilot.press("tab", "enter")
            await stage.until(stage.is_asked)

    on.run(scenario)


def test_a_private_table_is_joined_by_its_code() -> None:
    async def scenario() -> None:
        async with on.place() as place, on.stage(place.server) as stage:
            await stage.connected()
            ann = NativeSession("127.0.0.1", place.ports["http"], "ann", lambda: None)
            ann.start()
            await stage.until(lambda: ann.token)
            ann.send(wire.Open(game="tris", private=True))
            await stage.until(lambda: ann.code)
            assert ann.state is not None
            await stage.pilot.press("c")
            await stage.until(lambda: "Join by match" in stage.text())
            stage.app.screen.query_one("#match", Input).value = ann.state.match
            stage.app.screen.query_one("#code", Input).value = "wrong"
            await stage.pilot.press("ctrl+s")
            await stage.until(lambda: stage.session.notice)
            await stage.until(lambda: "private" in stage.text())
            await stage.pilot.press("c")
            await stage.until(lambda: "Join by match" in stage.text())
            stage.app.screen.query_one("#match", Input).value = ann.state.match
            stage.app.screen.query_one("#code", Input).value = ann.code
            await stage.pilot.press("ctrl+s")
            await stage.until(lambda: "Ada (you)" in stage.text())
            ann.close()

    on.run(scenario)


def test_a_name_is_changed_and_told_to_the_server() -> None:
    async def scenario() -> None:
        async with on.place() as place, on.stage(place.server) as stage:
            await stage.connected()
            await stage.pilot.press("m")
            await stage.until(lambda: "Your name" in stage.text())
            stage.app.screen.query_one("#name", Input).value = "Grace"
            await stage.pilot.press("ctrl+s")
            await stage.until(lambda: "Grace at" in stage.text())
            await stage.open("tris", bots=("", "greedy"))
            assert "Grace (you)" in stage.text()

    on.run(scenario)


def test_another_server_is_added_by_its_address() -> None:
    async def scenario() -> None:
        async with on.place() as one, on.place() as other, on.stage(one.server) as stage:
            await stage.connected()
            await stage.pilot.press("end", "enter")
            await stage.until(lambda: "Another server" in stage.text())
            field = stage.app.screen.query_one("#address", Input)
            field.value = "not an address"
            await stage.pilot.press("enter")
            await stage.until(lambda: "is not HOST:PORT" in stage.text())
            field.value = f"127.0.0.1:{other.ports['http']}"
            await stage.pilot.press("enter")
            await stage.until(lambda: stage.app.server == Server("127.0.0.1", other.ports["http"]))
            await stage.connected()
            await stage.until(lambda: f"tris-lines {other.ports['tris-lines']}" in stage.text())

    on.run(scenario)


def test_a_dialect_of_the_server_is_played_from_its_list() -> None:
    async def scenario() -> None:
        async with on.place() as place, on.stage(place.server) as stage:
            await stage.connected()
            await stage.until(lambda: f"tris-lines {place.ports['tris-lines']}" in stage.text())
            await stage.pilot.press("home", "down", "enter")
            await stage.until(lambda: "Tris over tris-lines" in stage.text())
            await stage.pilot.press("ctrl+s")
            await stage.until(lambda: "Waiting for an opponent" in stage.text())

    on.run(scenario)


def test_a_table_can_be_requested_by_arguments() -> None:
    from boardwire.dialects.dialect import ClientOptions

    async def scenario() -> None:
        seating = ClientOptions("Ada", 2, {"game": "forza", "bots": ",greedy"})
        async with on.place() as place, on.stage(place.server, seating=seating) as stage:
            await stage.until(stage.is_asked)
            assert stage.model.game == "forza"
            assert stage.session.state is not None
            assert stage.session.state.practice

    on.run(scenario)
