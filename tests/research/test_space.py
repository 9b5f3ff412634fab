"""Fixed action indices, masks, observations and returns of every game."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from random import Random
from typing import Any, Final

import pytest

np = pytest.importorskip("numpy", reason="needs boardwire[research]")
research = pytest.importorskip("boardwire.research", reason="needs boardwire[research]")

from boardwire import games
from boardwire.errors import Illegal, Malformed, Refused
from boardwire.games import santorini
from boardwire.games.eriantys.actions import MoveMotherNature, Swap, ToHall, UseCharacter
from boardwire.games.eriantys.options import Character
from boardwire.games.game import Outcome
from boardwire.games.santorini.actions import PlaceWorker
from boardwire.research.encodings import flags, one_hot
from boardwire.research.encodings import santorini as encoding
from boardwire.testing import twins

CASES: Final[list[tuple[str, dict[str, Any], int]]] = [
    ("tris", {}, 5),
    ("forza", {}, 5),
    ("santorini", {"ply_cap": 60}, 3),
    ("santorini", {"seats": 3, "ply_cap": 60}, 2),
    *[
        ("santorini", {"seats": seats, "draft": draft, "ply_cap": 20, "wording": wording}, 6)
        for seats, draft, wording in [
            (2, "random", "revised"),
            (2, "random", "printed"),
            (3, "random", "revised"),
            (4, "random", "revised"),
            (2, "challenger", "revised"),
            (3, "printed", "revised"),
            (2, "online", "revised"),
            (2, "together", "revised"),
        ]
    ],
    ("santorini", {"draft": "fleece", "gods": ["aeolus"], "wording": "printed", "ply_cap": 20}, 3),
    *[("eriantys", {"seats": seats, "mode": mode}, 1) for seats in (2, 3, 4) for mode in ("simplified", "expert")],
    ("eriantys", {"cloud": "either", "mode": "expert"}, 2),
]


@pytest.mark.parametrize(("game", "options", "matches"), CASES, ids=lambda value: str(value) if value else "plain")
def test_every_choice_has_exactly_one_index_and_observations_are_of_one_size(
    game: str, options: dict[str, Any], matches: int
) -> None:
    space = research.space(game, **options)
    assert len(set(space.actions)) == len(space.actions)
    random = Random(7)
    for _ in range(matches):
        episode = research.Episode(space, random.randrange)
        while episode.seat is not None:
            assert episode.decision is not None
            choices = tuple(episode.decision.choices)
            indices = space.indices(episode.decision)
            assert [space.actions[index] for index in indices] == list(choices)
            assert [space.index(choice) for choice in choices] == indices
            assert len(set(indices)) == len(choices)
            assert np.flatnonzero(episode.mask()).tolist() == sorted(indices)
            if episode.steps % 7 == 0:
                for seat in range(space.seats):
                    seen = episode.observe(seat)
                    assert seen.shape == (space.layout.size,)
                    assert seen.dtype == np.float32
                    assert seen.min() >= 0
                    assert seen.max() <= 1
            episode.step(random.choice(indices))
        assert episode.steps <= space.max_length
        assert set(space.returns(episode.outcome)) <= {-1.0, 0.0, 1.0}


def test_every_use_of_a_character_has_an_index() -> None:
    """Matches that use each character a few times, earn coins, and otherwise prefer what was not seen before."""
    seen: Counter[Any] = Counter()
    uses: Counter[Character] = Counter()
    random = Random(1)

    def priority(action: Any) -> tuple[int, int, float]:
        if isinstance(action, UseCharacter):
            return 0 if uses[action.character] < 12 else 3, seen[action], random.random()
        return 1 if isinstance(action, ToHall) else 2, seen[action], random.random()

    characters = tuple(Character)
    for number in range(24):
        given = characters[number % 4 :: 4]
        space = research.space("eriantys", mode="expert", characters=given)
        episode = research.Episode(space, random.randrange)
        while episode.seat is not None:
            assert episode.decision is not None
            action = min(episode.decision.choices, key=priority)
            seen[action] += 1
            if isinstance(action, UseCharacter):
                uses[action.character] += 1
            episode.step(space.index(action))
    assert set(uses) == set(Character)
    assert {action.steps for action in seen if isinstance(action, MoveMotherNature)} == {1, 2, 3, 4, 5, 6, 7}
    assert any(isinstance(action, Swap) for action in seen)


@pytest.mark.parametrize(
    ("game", "fewer", "more"),
    [("santorini", {}, {"draft": "random"}), ("eriantys", {}, {"mode": "expert"})],
)
def test_an_action_has_the_same_index_with_fewer_options(
    game: str, fewer: dict[str, Any], more: dict[str, Any]
) -> None:
    small, large = research.space(game, **fewer), research.space(game, **more)
    assert large.actions[: len(small.actions)] == small.actions
    assert len(large.actions) > len(small.actions)


def test_an_observation_is_from_the_seats_own_perspective() -> None:
    episode = research.Episode(research.space("tris"), Random(0).randrange)
    episode.step(4)
    own = episode.space.layout.split(episode.observe(0))
    other = episode.space.layout.split(episode.observe(1))
    assert own["own"][1, 1] == other["other"][1, 1] == 1
    assert own["own"].sum() == other["other"].sum() == 1
    assert own["other"].sum() == other["own"].sum() == 0
    assert (own["turn"][0], other["turn"][0]) == (0, 1)


def test_workers_and_gods_count_from_the_own_seat() -> None:
    space = research.space("santorini", gods=("apollo", "atlas", "pan"))
    episode = research.Episode(space, Random(0).randrange)
    for square in (0, 1, 5, 6, 10, 11):
        episode.step(space.index(PlaceWorker(square)))
    for seat, squares in enumerate([(0, 1), (5, 6), (10, 11)]):
        seen = space.layout.split(episode.observe(seat))
        assert np.flatnonzero(seen["workers"][0]).tolist() == list(squares)
        god = (santorini.God.APOLLO, santorini.God.ATLAS, santorini.God.PAN)[seat]
        assert encoding.GODS[int(np.argmax(seen["gods"][0]))] is god


def test_hidden_information_does_not_change_an_observation() -> None:
    """Twin matches differ only in what the observer cannot see: here the square of Tartarus."""
    options = santorini.Options(santorini.Draft.GIVEN, (santorini.God.TARTARUS, santorini.God.ATLAS))
    differing = 0
    for seed in range(5):
        space = research.space("santorini", gods=("tartarus", "atlas"))
        for one, other in twins.pairs(space.game, options, options, 2, 1, Random(seed).randrange, 60):
            differing += one.after != other.after
            assert np.array_equal(space.observe(one.after, 1), space.observe(other.after, 1))
    assert differing > 20


def test_every_memo_fits_into_its_bits() -> None:
    assert sum(encoding.memo_bits((-1,))) == 0
    assert encoding.memo_bits((0,)) != encoding.memo_bits((1,))
    longest, highest = 0, 0
    for seed in range(25):
        random = Random(seed)
        episode = research.Episode(research.space("santorini", draft="random", ply_cap=20), random.randrange)
        while episode.seat is not None:
            view = santorini.view(episode.position, episode.seat)
            for memo in (*view.memos, *view.kept):
                longest, highest = max(longest, len(memo)), max([highest, *memo])
            episode.step(random.choice(episode.space.indices(episode.decision)))
    assert 0 < longest <= encoding.MEMO_LENGTH
    assert 0 < highest + 1 < 1 << encoding.MEMO_BITS


@pytest.mark.parametrize(
    ("winners", "returns"),
    [((), [0, 0, 0, 0]), ((0, 2), [1, -1, 1, -1]), ((1,), [-1, 1, -1, -1]), ((0, 1, 2, 3), [0, 0, 0, 0])],
)
def test_winners_get_one_and_losers_minus_one(winners: tuple[int, ...], returns: list[float]) -> None:
    space = research.space("eriantys", seats=4)
    assert space.returns(Outcome("test", winners)) == returns
    assert space.returns(None) == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("game", "options", "words"),
    [
        ("chess", {}, "there is no game called 'chess'"),
        ("tris", {"gods": ("apollo",)}, "tris has no option 'gods'; its options are start"),
        ("tris", {"seats": 3}, "tris is for 2 players, not 3"),
        ("santorini", {"gods": ("apollo", "bacchus")}, "options of santorini: Invalid enum value 'bacchus'"),
        ("santorini", {"seats": 3, "gods": ("apollo", "atlas")}, "3 players need 3 gods"),
        ("eriantys", {"mode": 7}, "options of eriantys: Expected `str`, got `int`"),
        ("forza", {"start": "rubbish"}, "'rubbish' is not a position"),
    ],
)
def test_options_that_cannot_be_played_are_refused_with_the_reason(
    game: str, options: dict[str, Any], words: str
) -> None:
    with pytest.raises((Malformed, Illegal, Refused), match=words):
        research.space(game, **options)


def test_options_imply_the_draft_and_the_number_of_seats() -> None:
    space = research.space("santorini", gods=["apollo", "atlas", "pan"])
    assert (space.options.draft, space.seats) == (santorini.Draft.GIVEN, 3)
    assert research.space("eriantys", towers=("white", "black", "grey")).seats == 3
    forza = research.space("forza", start="......./......./......./......./...o.../..xx... o")
    assert research.Episode(forza, Random(0).randrange).seat == 1


def test_an_illegal_step_is_refused_and_changes_nothing() -> None:
    episode = research.Episode(research.space("tris"), Random(0).randrange)
    episode.step(4)
    for index, words in ((4, "action 4 is not legal here"), (9, "out of range"), (-1, "out of range")):
        with pytest.raises(Illegal, match=words):
            episode.step(index)
    assert (episode.seat, episode.steps) == (1, 1)
    for index in (0, 5, 3, 2, 1, 7, 8, 6):
        if episode.seat is not None:
            episode.step(index)
    with pytest.raises(Refused, match="the match is over"):
        episode.step(0)
    with pytest.raises(Malformed, match="is not an action"):
        episode.space.index([])


def test_a_space_is_pickled_and_shared_by_copies() -> None:
    space = research.space("eriantys", mode="expert")
    assert copy.deepcopy(space) is space
    assert pickle.loads(pickle.dumps(space)).actions == space.actions


def test_every_game_has_a_space() -> None:
    assert [research.space(name).game for name in games.NAMES] == [games.game(name) for name in games.NAMES]


def test_a_batch_is_split_like_one_observation() -> None:
    layout = research.space("forza").layout
    assert layout.split(np.zeros((5, layout.size)))["own"].shape == (5, 6, 7)
    with pytest.raises(Malformed, match="has 85 numbers"):
        layout.split(np.zeros((5, 3)))


def test_one_hot_and_flags_skip_missing_indices() -> None:
    assert one_hot(3, 0) == [1.0, 0.0, 0.0]
    assert one_hot(3, 2) == [0.0, 0.0, 1.0]
    assert one_hot(2, None) == one_hot(2, -1) == [0.0, 0.0]
    assert flags(3, (0, -1, 2)) == [1.0, 0.0, 1.0]
