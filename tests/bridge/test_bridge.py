"""A client of one protocol plays whole matches on a server of another, and both see the same board."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from boardwire.dialects.dialect import Result
from boardwire.table.match import Match, Status
from boardwire.table.termination import is_aborted

from .adapted import World
from .matrix import PAIRS, play

QUICK = [
    *[pair for pair in PAIRS if pair[0] in ("tris", "forza")],
    ("santorini", "santorini-lobby", "santorini-objects"),
    ("santorini", "santorini-objects", "santorini-actions"),
    ("santorini", "santorini-actions", "santorini-lobby"),
    ("santorini", "native", "santorini-objects/shipped"),
    ("santorini", "santorini-objects/shipped", "native"),
    ("eriantys", "eriantys-objects", "native"),
]


def board(match: Match) -> Any:
    """The public part of a match, in a form that is the same on both sides."""
    view: Any = match.setting.game.view(match.position, None)
    if match.setting.game.name in ("tris", "forza"):
        return view.cells
    if match.setting.game.name == "santorini":
        return view.levels, sorted(view.domes), [sorted(squares) for squares in view.workers], view.gods
    return (
        [(island.students, len(island.tiles), island.towers) for island in view.islands],
        sorted((one.entrance, one.hall, one.coins or 0) for one in view.boards),
        sorted(view.clouds),
    )


def check(world: World, seed: int, *, shown: bool = True) -> None:
    """Assert that the match ended on both sides with the same result and, if it was `shown`, the same board."""
    here, there = world.mirror, world.foreign
    if (
        here.status is Status.PLAYING and here.position.out
    ):  # a client that is out may leave, and the rest is not followed
        assert there.position.out == here.position.out
        assert world.near_person.over is not None
        assert world.near_person.over.result is Result.LOST
        return
    assert here.status is there.status is Status.OVER, seed
    assert there.outcome is not None
    assert not is_aborted(there.outcome), world.told
    if shown:
        assert board(here) == board(there), seed
    near = world.near_person
    assert near.over is not None
    won = any(person.over is not None and person.over.result is Result.WON for person in world.people)
    drawn = near.over.result is Result.DRAWN
    assert won or drawn
    assert not any("cannot play with" in text for text in world.told)


@pytest.mark.parametrize(("game", "near", "far"), QUICK)
def test_a_match_ends_on_both_sides_with_the_same_board(game: str, near: str, far: str) -> None:
    for seed in range(2 if game != "eriantys" else 1):
        check(play(game, near, far, seed), seed)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "near", "far"), PAIRS)
def test_every_client_plays_on_every_server_of_its_game(game: str, near: str, far: str) -> None:
    shown = far != "eriantys-objects"  # which shows another hall only on request, and there is none after the end
    for seed in range(5 if game == "eriantys" else 25):
        check(play(game, near, far, seed), seed, shown=shown)


@pytest.mark.slow
@pytest.mark.parametrize(("near", "far"), list(permutations(("eriantys-messages", "native"), 2)))
def test_expert_matches_of_eriantys_are_followed(near: str, far: str) -> None:
    for seed in range(3):
        check(play("eriantys", near, far, seed, mode="expert"), seed)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "near", "far"),
    [
        ("santorini", "santorini-lobby", "santorini-objects"),
        ("santorini", "santorini-objects", "santorini-actions"),
        ("santorini", "santorini-actions", "santorini-lobby"),
        ("santorini", "native", "santorini-objects/shipped"),
        ("santorini", "santorini-objects/shipped", "native"),
        ("eriantys", "eriantys-objects", "eriantys-messages"),
        ("eriantys", "eriantys-objects", "native"),
        ("eriantys", "eriantys-messages", "native"),
        ("eriantys", "native", "eriantys-messages"),
        ("eriantys", "native", "eriantys-objects"),
        ("eriantys", "eriantys-messages", "eriantys-objects"),
    ],
)
def test_matches_of_three_players_end(game: str, near: str, far: str) -> None:
    for seed in range(3):
        check(play(game, near, far, seed, players=3), seed, shown=far != "eriantys-objects")


@pytest.mark.parametrize(
    ("near", "far", "others", "seeds"),
    [
        ("santorini-lobby", "santorini-objects", "native", (0, 1)),
        ("santorini-objects", "santorini-lobby", "santorini-actions", (0, 2)),
        ("native", "santorini-actions", "santorini-lobby", (0, 2)),
    ],
)
def test_the_other_player_may_speak_a_third_protocol(near: str, far: str, others: str, seeds: tuple[int, ...]) -> None:
    for seed in seeds:
        check(play("santorini", near, far, seed, others=others), seed)


def test_a_move_that_the_foreign_server_refuses_is_refused_to_the_client() -> None:
    world = World(0)
    world.adapt("native", "tris-lines", "ann", 2, {"game": "tris"}, bot="none")
    world.join("tris-lines", "bob", 2, {}, bot="none")
    assert world.near_person.asked
    far = world.near[0][1].far
    assert far is not None
    far.tamper = lambda action: 9  # no cell at all: the foreign server says KO
    world.near_person.answer(world.near[0][0], 0)
    world.carry()
    assert world.near_person.asked[-1].again == "The server refused cell 9."
    far.tamper = None
    world.near_person.answer(world.near[0][0], 0)
    world.carry()
    assert board(world.mirror) == board(world.foreign)
    assert world.people[1].asked


def test_an_illegal_message_is_refused_without_the_foreign_server() -> None:
    world = World(0)
    world.adapt("tris-lines", "native", "ann", 2, {}, bot="none")
    world.join("native", "bob", 2, {"game": "tris"}, bot="none")
    client, peer = world.near[0]
    peer.send(b"nonsense\n")
    assert peer.take().endswith(b"KO\n")
    assert world.foreign.moved == world.mirror.moved or board(world.foreign) == board(world.mirror)
    assert client is not None


def test_a_lost_server_is_reported_in_the_clients_protocol() -> None:
    world = World(0)
    world.adapt("tris-lines", "native", "ann", 2, {}, bot="none")
    world.join("native", "bob", 2, {"game": "tris"}, bot="none")
    far = world.near[0][1].far
    assert far is not None
    world.near[0][1].take()
    far.client.lose()
    assert world.near[0][1].take() == b"DISCONNECTED\n"
    assert world.near[0][1].closed


def test_a_client_that_disconnects_leaves_the_foreign_match() -> None:
    world = World(0)
    world.adapt("native", "tris-lines", "ann", 2, {"game": "tris"}, bot="none")
    bob = world.join("tris-lines", "bob", 2, {}, bot="none")
    world.near[0][1].drop()
    world.carry()
    assert bob.over is not None
    assert bob.over.result is Result.BROKEN_OFF


def test_an_unreachable_server_is_reported_and_the_client_is_closed() -> None:
    world = World(0)
    world.reachable = False
    world.adapt("tris-lines", "native", "ann", 2, {}, bot="none")
    assert world.told == ["no answer"]
    assert world.near[0][1].closed


def test_a_missing_question_is_answered_by_default_and_reported_once() -> None:
    world = play("santorini", "santorini-objects", "santorini-actions", 0)
    assert "santorini-objects has no question for propose_god; answering with its specified default" in world.told
    assert len(world.told) == len(set(world.told))


def test_a_resignation_that_the_server_protocol_lacks_closes_the_connection() -> None:
    world = World(0)
    world.adapt("forza-lines", "native", "ann", 2, {}, bot="none")
    bob = world.join("native", "bob", 2, {"game": "forza"}, bot="none")
    client, peer = world.near[0]
    peer.send(b"RESIGN\n")
    world.carry()
    assert world.told == ["native cannot express a resignation; closing the connection instead"]
    assert world.mirror.status is Status.OVER
    assert bob is not None
    assert client is not None


def test_a_client_of_another_game_is_refused() -> None:
    world = World(0)
    person = world.adapt("native", "tris-lines", "ann", 2, {"game": "forza"}, bot="none")
    assert person.over is not None
    assert "this adapter offers only tris" in person.over.text


@pytest.mark.parametrize("near", ["eriantys-messages", "native"])
def test_two_turns_that_are_shown_at_once_are_followed(near: str) -> None:
    """Seed 9: two players move, the clouds are refilled, and only then is the client shown the boards."""
    check(play("eriantys", near, "eriantys-objects", 9, 4), 9, shown=False)
