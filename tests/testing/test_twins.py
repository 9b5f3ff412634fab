"""Hidden information stays hidden in every game, and the laws detect a leak."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from types import SimpleNamespace
from typing import Any, Final, cast

import msgspec
import pytest

from boardwire import games
from boardwire.errors import Illegal, Refused
from boardwire.games import santorini
from boardwire.games.game import AnyGame, Decision, Outcome, Seat
from boardwire.games.santorini import CATALOGUE, Draft, God, Options, Wording
from boardwire.games.santorini.actions import Build
from boardwire.games.santorini.events import Secret
from boardwire.games.santorini.powers.power import Power
from boardwire.games.santorini.powers.registry import POWERS
from boardwire.testing import twins

SECRETIVE: Final = tuple(god for god in CATALOGUE if POWERS[god].conceal is not Power.conceal)
LEARNS: Final = (God.CIRCE,)
"""Who takes over a power takes over its secret; with bans that never happens."""


def play(
    game: AnyGame, options: Any, observer: Seat | None, seed: int, *, other: Any = None, seats: int = 2, most: int = 40
) -> int:
    """Play twins and check every law; the number of steps after which they differed."""
    differ = 0
    tried: list[Any] = []
    below = Random(seed).randrange
    for one, two in twins.pairs(game, options, other or options, seats, observer, below, most):
        tried.append(one.action)
        twins.check(game, one, two, observer, tried[-5:])
        if observer is None:
            twins.check_disclosure(game, one)
        differ += one.after != two.after
    return differ


def meetings(god: God, foes: tuple[God, ...]) -> Iterator[tuple[Options, Seat]]:
    """Matches of a god with each of these foes in turn, and where the god sits."""
    for number, foe in enumerate(foes):
        seat = number % 2
        wording = Wording.PRINTED if number // 2 % 2 else Wording.REVISED
        options = Options(Draft.GIVEN, (god, foe) if seat == 0 else (foe, god), wording=wording, bans=False, ply_cap=40)
        try:
            santorini.new(options, 2)
        except Illegal:
            continue
        yield options, seat


@pytest.mark.parametrize("god", SECRETIVE)
def test_hidden_powers_reveal_nothing(god: God) -> None:
    foes = tuple(foe for foe in CATALOGUE if foe not in (god, *LEARNS))
    some = foes if POWERS[god].hidden else foes[::8]  # twins with hidden workers soon part
    for observer in (True, False):
        differ = [
            play(santorini, options, None if observer else 1 - seat, number)
            for number, (options, seat) in enumerate(meetings(god, some))
        ]
        assert sum(differ) > len(differ), "twins that do not differ prove nothing"


@pytest.mark.slow
@pytest.mark.parametrize("god", SECRETIVE)
def test_hidden_powers_reveal_nothing_in_many_matches(god: God) -> None:
    foes = tuple(foe for foe in CATALOGUE if foe not in (god, *LEARNS))
    for turned in (foes, (*foes[1:], foes[0]), (*foes[2:], *foes[:2]), (*foes[3:], *foes[:3])):  # seats and wordings
        for number, (options, seat) in enumerate(meetings(god, turned)):
            for observer in (None, 1 - seat):
                play(santorini, options, observer, number, most=80)


def test_hidden_powers_reveal_nothing_among_three_players() -> None:
    for gods, seat in (((God.MORTAL, God.HECATE, God.GAEA), 1), ((God.MOERAE, God.PAN, God.ATLAS), 0)):
        options = Options(Draft.GIVEN, gods, wording=Wording.PRINTED, ply_cap=30)
        for observer in (None, *(other for other in range(3) if other != seat)):
            for seed in range(3):
                play(santorini, options, observer, seed, seats=3)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1/hecate:A1,A5/pan:E5,E1", "1/hecate:C3,B4/pan:E5,E1"),
        ("2/hecate:A1,A5/gaea:E5,E1", "2/hecate:C3,B4/gaea:E5,E1"),
        ("1/tartarus[C3]:A1,A5/apollo:E5,E1", "1/tartarus[B2]:A1,A5/apollo:E5,E1"),
        ("2/moerae[C3]:A1,A5,C1/minotaur:E5,E1", "2/moerae[A2]:A1,A5,C1/minotaur:E5,E1"),
    ],
)
def test_a_position_given_by_hand_reveals_nothing(one: str, other: str) -> None:
    first, second = (Options(Draft.POSITION, position=f"{'0' * 25}/{rest}", ply_cap=30) for rest in (one, other))
    for observer in (None, 1):
        assert sum(play(santorini, first, observer, seed, other=second) for seed in range(3))


def test_games_without_secrets_have_twins_that_never_differ() -> None:
    for name in ("tris", "eriantys"):
        game = games.game(name)
        assert play(game, game.Options(), None, 1) == play(game, game.Options(), 1, 1) == 0


# --- the laws notice ------------------------------------------------------------------------------------------------

HECATE: Final = Options(Draft.GIVEN, (God.PAN, God.HECATE), ply_cap=40)
ABYSS: Final = Options(Draft.GIVEN, (God.PAN, God.TARTARUS), ply_cap=40)


def bent(**changes: Callable[..., Any]) -> AnyGame:
    """Santorini with some of its functions replaced."""
    names = {name: getattr(santorini, name) for name in santorini.__all__}
    return cast("AnyGame", SimpleNamespace(**{**names, **changes}))


def tell_all_actions(position: Any, seat: Seat, action: Any) -> bool:
    return False


def tell_builds(position: Any, seat: Seat, action: Any) -> bool:
    return not isinstance(action, Build) and santorini.conceals(position, seat, action)


def tell_by_the_column(position: Any, seat: Seat, action: Any) -> bool:
    return santorini.conceals(position, seat, action) and getattr(action, "at", 0) % 5 < 3


def tell_attempts(position: Any, seat: Seat, action: Any) -> bool:
    return santorini.conceals(position, seat, action) and position.lineup.powers[seat].hidden


def see_the_owners_view(position: Any, seat: Seat | None) -> Any:
    return santorini.view(position, 1)


def ask_by_all_that_is_known(position: Any) -> Decision[Any] | None:
    decision = santorini.pending(position)
    if decision is None or 0 not in decision.seats:
        return decision
    taken = {square for squares in position.workers for square in squares}
    choices = tuple(action for action in decision.choices if getattr(action, "to", -1) not in taken)
    return Decision(decision.kind, decision.seats, choices or tuple(decision.choices))


def refuse_with_the_reason(position: Any, seat: Seat, action: Any) -> Any:
    try:
        return santorini.apply(position, seat, action)
    except Refused:
        raise Refused(f"not now that {position.workers} stand there") from None


def end_with_the_secret(position: Any) -> Outcome | None:
    return Outcome(f"{position.memos}")


BENT: Final = {
    "the squares of hidden workers": (bent(conceals=tell_all_actions), HECATE, None, "show the same events"),
    "who built": (bent(conceals=tell_builds), HECATE, None, "reveals hidden information"),
    "a secret square": (bent(conceals=tell_all_actions), ABYSS, None, "show the same events"),
    "some secret squares": (
        bent(conceals=tell_by_the_column),
        ABYSS,
        None,
        "show the same events|is concealed in one match only",
    ),
    "what ran into a hidden worker": (bent(conceals=tell_attempts), HECATE, None, "show the same events"),
    "a view": (bent(view=see_the_owners_view), ABYSS, 0, "reveals hidden information"),
    "choices": (bent(pending=ask_by_all_that_is_known), HECATE, 0, "the decision reveals"),
    "a refusal": (bent(apply=refuse_with_the_reason), HECATE, 0, "the refusal of"),
    "an end": (bent(outcome=end_with_the_secret), ABYSS, 0, "the outcome reveals"),
}


@pytest.mark.parametrize(("game", "options", "observer", "words"), BENT.values(), ids=BENT.keys())
def test_the_laws_detect_a_game_that_reveals_secrets(
    game: AnyGame, options: Any, observer: Seat | None, words: str
) -> None:
    def play_often() -> None:
        for seed in range(60):
            play(game, options, observer, seed)

    with pytest.raises(AssertionError, match=words):
        play_often()


def test_secret_events_are_the_only_ones_that_twins_may_differ_in() -> None:
    for one, two in twins.pairs(santorini, HECATE, HECATE, 2, None, Random(3).randrange, 40):
        for first, second in zip(one.events, two.events, strict=True):
            assert first == second or isinstance(first, Secret)
            assert msgspec.json.encode(santorini.show(first, None)) == msgspec.json.encode(santorini.show(second, None))
