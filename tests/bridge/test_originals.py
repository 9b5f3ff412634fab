"""Clients of other protocols on models of the original servers, with the faults that are known of them."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from boardwire.bots.bot import BUDGET
from boardwire.bots.server_bots import BOTS
from boardwire.bridge.bridge import RESULT_SECONDS, STALL_SECONDS
from boardwire.bridge.comparison import comparison_for
from boardwire.dialects.dialect import Result
from boardwire.dialects.eriantys_objects.pieces import PAWNS
from boardwire.dialects.santorini_actions.messages.cards import deck
from boardwire.games.santorini.actions import DONE, USE, Build, PickGod, PlaceWorker
from boardwire.games.santorini.powers.catalogue import God

from .adapted import Person, World
from .matrix import LONGEST, NAMES, judge, play, runs, settings
from .originals.connections import Original
from .originals.eriantys_objects import EriantysServer
from .originals.santorini_actions import DocumentDateServer, ShippedServer
from .originals.santorini_lobby import LobbyServer
from .originals.santorini_objects import DocumentServer, FinalServer

CAN_END = ("agreed", "decided here", "broken off", "hangs there")


def on(server: Callable[[int], Original], near: str, seed: int, players: int = 2, adapters: int = 1) -> World:
    """Play a match of Santorini on a model."""
    simulated = server(seed)
    return play("santorini", near, simulated.name, seed, players, simulated=simulated, adapters=adapters)


@pytest.mark.parametrize(
    ("server", "near", "seed"),
    [
        (FinalServer, "santorini-lobby", 0),
        (DocumentServer, "santorini-actions", 1),
        (ShippedServer, "santorini-objects", 2),
        (DocumentDateServer, "native", 3),
        (LobbyServer, "santorini-actions/shipped", 4),
    ],
)
def test_both_sides_get_the_same_result(server: Any, near: str, seed: int) -> None:
    world = on(server, near, seed)
    assert judge(world).how == "agreed", world.told
    assert sorted(world.server.results.values()) == ["lost", "won"]


@pytest.mark.slow
@pytest.mark.parametrize("originals", [False, True])
def test_every_pair_ends_every_match(originals: bool) -> None:
    for title, counts, ends in runs(2, originals=originals):
        assert set(counts) <= {*CAN_END} if originals else {"agreed"}, (title, ends)


# --- the end --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("near", ["native", "santorini-objects"])
def test_a_stuck_client_stays_until_the_server_sends_the_result(near: str) -> None:
    """The shipped program decides at the stuck player's `setStartTurn`; leaving earlier breaks the match off."""
    world = on(ShippedServer, near, 3)
    assert world.server.board.out, "the client was stuck"
    assert world.near_person.over is not None
    assert world.near_person.over.result is Result.LOST
    assert sorted(world.server.results.values()) == ["lost", "won"]
    assert not any("by our rules" in text and "result" in text for text in world.told)


def test_the_wait_for_a_missing_result_is_bounded() -> None:
    world = on(DocumentServer, "native", 5)
    assert "a player who is stuck is asked for ever" in world.server.broken
    assert world.near_person.over is not None
    assert world.near_person.over.result is not Result.BROKEN_OFF
    sentence = f"the santorini-objects server sent no result within {RESULT_SECONDS:.0f} s"
    assert any(text.startswith(sentence) for text in world.told)


@pytest.mark.parametrize("seed", [2, 4])
def test_a_client_that_is_out_may_leave_and_the_others_play_on(seed: int) -> None:
    """The original of santorini-lobby ends a lobby when an eliminated user closes its connection."""
    world = on(LobbyServer, "santorini-actions", seed, players=3)
    assert world.near_person.over is not None
    assert world.near_person.over.result is Result.LOST
    assert sorted(world.server.results.values()) == ["lost", "lost", "won"]
    assert not any(bridge.is_following for bridge in world.bridges)


@pytest.mark.parametrize("near", ["santorini-objects", "santorini-lobby", "native"])
def test_a_server_that_falls_silent_after_an_answer_is_left_and_reported(near: str) -> None:
    """Until then the client is kept, although its own pings wait behind the answer."""

    class Silent(FinalServer):
        def act(self, player: int, message: Any) -> None:
            if player == 2:
                super().act(player, message)

    world = on(Silent, near, 0)
    assert world.near_person.over is not None
    assert world.near_person.over.result is Result.BROKEN_OFF
    assert f"has sent nothing for {STALL_SECONDS:.0f} s after an answer" in world.told[-1]


# --- optional and refused steps -------------------------------------------------------------------------------------


def test_an_impossible_second_build_is_declined() -> None:
    """After a build of level 3 the original asks Hephaestus for another one."""
    world = on(LobbyServer, "native", 5)
    assert "Hephaestus is offered a second build that cannot be" in world.server.broken
    assert "santorini-lobby asks for an optional step that our rules do not have; declining it" in world.told
    assert judge(world).how == "agreed"


@pytest.mark.parametrize("announces", [True, False])
@pytest.mark.parametrize("near", ["native", "santorini-lobby", "santorini-objects"])
def test_a_refused_dome_is_refused_to_a_client_that_can_choose_again(near: str, announces: bool) -> None:
    """Atlas loses his power when Athena climbs; F answers REJECTED and waits."""
    world = on(lambda seed: FinalServer(seed, (God.ATHENA, God.ATLAS), announces=announces), near, 0)
    assert world.near_person.refusals or any(" instead" in text for text in world.told)
    assert judge(world).how == "agreed"


@pytest.mark.parametrize("announces", [True, False])
def test_a_refused_dome_becomes_a_block_where_the_client_cannot_choose_again(announces: bool) -> None:
    world = on(lambda seed: FinalServer(seed, (God.ATHENA, God.ATLAS), announces=announces), "santorini-actions", 0)
    assert any(" instead" in text for text in world.told)
    assert not world.near_person.refusals
    assert judge(world).how == "agreed"


# --- the draft ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("near", "players", "seed"),
    [("santorini-objects", 2, 0), ("native", 3, 0), ("santorini-actions", 3, 2)],
)
def test_two_adapters_on_one_lobby_agree_who_proposes_the_gods(near: str, players: int, seed: int) -> None:
    world = on(LobbyServer, near, seed, players, adapters=2)
    assert judge(world).how == "agreed", world.told
    assert sorted(world.server.results.values())[-1] == "won"


def proposed(near: str, gods: set[God]) -> World:
    """A match on santorini-lobby whose challenger proposes these gods."""
    world = World(0, LobbyServer(0))
    world.join("santorini-lobby", "ann", 2, {}).gods = gods
    world.adapt(near, "santorini-lobby", "bob", 2, settings(near, "santorini"))
    for _ in range(LONGEST):
        if all(person.over is not None for person in world.people):
            break
        world.pass_time(1.0)
    return world


@pytest.mark.parametrize("near", ["santorini-objects", "santorini-objects/shipped"])
def test_a_god_that_crashes_the_client_is_reported_at_the_draft(near: str) -> None:
    world = proposed(near, {God.LIMUS, God.HADES})
    assert world.near_person.over is not None
    assert world.told[-1].startswith(f"programs of {near} cannot play with ")
    assert not any(world.server.board.workers), "nobody has placed a worker"


@pytest.mark.parametrize("near", ["santorini-actions", "santorini-actions/shipped", "native"])
def test_a_god_named_in_the_deck_is_played(near: str) -> None:
    world = proposed(near, {God.LIMUS, God.HADES})
    assert judge(world).how == "agreed", world.told


def test_a_deck_has_every_god_of_its_pool() -> None:
    assert deck((God.HADES, God.PAN), 2) == (God.PAN, God.HADES)
    assert God.HADES not in deck((), 2)


# --- Eriantys -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("near", ["eriantys-messages", "native"])
def test_displays_after_a_question_do_not_withdraw_it(near: str) -> None:
    """The original asks for mother nature's steps and shows the boards then; nothing was forwarded after that."""
    simulated = EriantysServer(0)
    world = play("eriantys", near, simulated.name, 0, simulated=simulated)
    assert simulated.walks["ann"], "the client's answer came through"
    assert judge(world).how in CAN_END


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4])
def test_the_seats_of_eriantys_objects_follow_from_the_first_cards(players: int) -> None:
    for seed in range(players):
        world = play("eriantys", "native", "eriantys-objects", seed, players)
        assert judge(world).how == "agreed", world.told


@pytest.mark.parametrize("near", ["eriantys-messages", "native"])
@pytest.mark.parametrize(("players", "seed"), [(2, 1), (2, 6), (3, 0)])
def test_a_server_with_other_rules_is_followed_to_its_own_result(near: str, players: int, seed: int) -> None:
    """One colour decides an island there, a group has one tower: positions that no action of ours reaches."""
    simulated = EriantysServer(seed)
    world = play("eriantys", near, simulated.name, seed, players, simulated=simulated)
    assert judge(world).how == "agreed", world.told
    winners = {name for name, person in zip(NAMES, world.people, strict=False) if won(person)}
    assert winners == {*simulated.results}


def won(person: Person) -> bool:
    return person.over is not None and person.over.result is Result.WON


@pytest.mark.parametrize("near", ["eriantys-messages", "native"])
def test_the_client_is_shown_the_position_of_a_server_with_other_rules(near: str) -> None:
    """Whenever the client has to choose after the first correction, its islands, towers and halls are the server's."""
    simulated = EriantysServer(1)
    world = World(1, simulated)
    world.join(simulated.name, "ann", 2, {})
    person = world.adapt(near, simulated.name, "bob", 2, settings(near, "eriantys"), bot="")
    bot = BOTS["random"]
    (client, _), compared = world.near[0], 0
    for _ in range(LONGEST):
        world.pass_time(1.0)
        if not (person.asked and person.over is None):
            continue
        ask = person.asked.pop()
        if any("other rules" in text for text in world.told) and not ask.view.moved:
            assert seen(ask.view) == shown(simulated)
            compared += 1
        person.answer(client, bot.choose(ask.view, ask.decision, world.luck.randrange, BUDGET))
        world.carry()
        if all(one.over is not None for one in world.people):
            break
    assert compared > 5


def seen(view: Any) -> Any:
    """A client's view, without regard to seats and to the first island."""
    owners = [None if island.side is None else view.sides[island.side].tower.name for island in view.islands]
    islands = sorted(zip((island.students for island in view.islands), map(str, owners), strict=True))
    return islands, sorted(board.hall for board in view.boards)


def shown(simulated: EriantysServer) -> Any:
    """The same of the server's own board."""
    owners = [None if island.tower.name == "NULL" else island.tower.name for island in simulated.islands]
    students = [tuple(island.students.count(pawn) for pawn in PAWNS) for island in simulated.islands]
    islands = sorted(zip(students, map(str, owners), strict=True))
    return islands, sorted(tuple(seat.hall[pawn] for pawn in PAWNS) for seat in simulated.seats)


def test_a_client_is_kept_until_the_server_is_known_to_be_dead() -> None:
    """Seed 8: a merge kills the server while the client waits for its answer; its pings wait behind that."""
    simulated = EriantysServer(8)
    world = play("eriantys", "eriantys-messages", simulated.name, 8, simulated=simulated)
    assert simulated.dead
    assert world.told[-1].endswith("was broken off: The server has stopped answering.")


def test_a_god_that_the_server_chooses_for_the_client_is_reported() -> None:
    """santorini-objects asks no one for the last god of the offer."""
    told = [text for seed in range(6) for text in play("santorini", "native", "santorini-objects", seed).told]
    assert (
        "the santorini-objects server chose for the client without asking it: it plays with the power of Hera; "
        "showing the client this choice as its own"
    ) in told


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (PickGod(God.PROMETHEUS), "it plays with the power of Prometheus"),
        (DONE, "the optional step by the power of Artemis is not taken"),
        (USE, "the power of Artemis is used"),
        (Build(0, 1), "A5^B5, with the power of Artemis"),
        (PlaceWorker(3), ""),
    ],
)
def test_a_choice_of_the_server_is_reported_with_its_power(action: Any, words: str) -> None:
    position: Any = SimpleNamespace(setup=None, lineup=SimpleNamespace(cards=(God.ARTEMIS, God.PAN)))
    assert comparison_for("santorini").describe(position, 0, action) == words
