"""The laws hold for every registered game, and each of them notices a game that breaks it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Final, cast

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardwire import games
from boardwire.errors import Illegal, Malformed, Objection, Reason, Refused
from boardwire.games import tris
from boardwire.games.game import CHANCE, AnyGame, Card, Decision, Outcome
from boardwire.testing import laws

OPTIONS: Final[dict[str, tuple[dict[str, Any], ...]]] = {
    "tris": ({},),
    "santorini": (
        {"ply_cap": 40},
        {"draft": "random", "ply_cap": 40},
        {"draft": "challenger", "ply_cap": 40},
        {"draft": "printed", "ply_cap": 30},
        {"draft": "online", "wording": "printed", "ply_cap": 30},
        {"draft": "together", "bans": False, "ply_cap": 30},
        {"draft": "two_rounds", "ply_cap": 30},
    ),
    "eriantys": (
        {},
        {"mode": "expert", "cloud": "either"},
        {"mode": "expert", "cloud": "first"},
    ),
}
"""The options each game is tried with, as plain data; a game that is not named here is tried with its defaults."""

EVERY: Final = {"santorini": 3, "eriantys": 7}
"""Long matches are checked at every so manieth step."""

CASES: Final = [
    pytest.param(name, seats, raw, id=f"{name}-{seats}-{'-'.join(map(str, raw.values())) or 'default'}")
    for name in games.NAMES
    for seats in games.game(name).seat_counts
    for raw in OPTIONS.get(name, ({},))
]


@pytest.mark.parametrize(("name", "seats", "raw"), CASES)
def test_every_game_keeps_the_laws(name: str, seats: int, raw: dict[str, Any]) -> None:
    game = games.game(name)
    options = game.settle(msgspec.convert(raw, game.Options), (None,) * seats)

    @settings(max_examples=50 if name == "tris" else 2, deadline=None, derandomize=True, database=None)
    @given(st.integers(0, 2**32 - 1))
    def keeps(seed: int) -> None:
        laws.check(game, options, seats, Random(seed).randrange, every=EVERY.get(name, 1))

    keeps()


def absences(name: str, seats: int, raw: dict[str, Any], seeds: range) -> int:
    game = games.game(name)
    options = game.settle(msgspec.convert(raw, game.Options), (None,) * seats)
    return sum(laws.play_with_absences(game, options, seats, Random(seed).randrange) for seed in seeds)


@pytest.mark.parametrize(("name", "seats", "raw"), [case for case in CASES if case.values[1] != 1])
def test_every_match_ends_though_players_are_absent_and_return(name: str, seats: int, raw: dict[str, Any]) -> None:
    assert absences(name, seats, raw, range(10 if name == "tris" else 1)) > 0


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats", "raw"), CASES)
def test_thousands_of_matches_end_though_players_are_absent_and_return(
    name: str, seats: int, raw: dict[str, Any]
) -> None:
    absences(name, seats, raw, range(1000, 1100))


@pytest.mark.parametrize("name", games.NAMES)
def test_every_game_says_who_it_is_and_refuses_what_cannot_be_played(name: str) -> None:
    game = games.game(name)
    assert game.name == name
    assert game.rules >= 1
    assert game.seat_counts
    for seats in (0, max(game.seat_counts) + 1):
        with pytest.raises(Illegal, match=r"\w"):
            game.new(game.Options(), seats)


@pytest.mark.parametrize("name", games.NAMES)
def test_every_game_tells_its_rules_and_its_cards(name: str) -> None:
    laws.check_rulebook(games.game(name))


@pytest.mark.parametrize("name", games.NAMES)
def test_the_document_of_a_game_lists_its_rule_codes(name: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "games" / f"{name}.md").read_text()
    table = page.partition("Why an action is not legal\n")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `([a-z ]+)` \|", table, re.MULTILINE) == list(games.game(name).Rule)


@pytest.mark.parametrize("name", games.NAMES)
def test_options_of_every_game_survive_encoding(name: str) -> None:
    game = games.game(name)
    for raw in OPTIONS.get(name, ({},)):
        options = msgspec.convert(raw, game.Options)
        assert msgspec.json.decode(msgspec.json.encode(options), type=game.Options) == options


def test_there_is_no_game_by_another_name() -> None:
    with pytest.raises(Refused, match=r"no game called 'go'; the games are tris"):
        games.game("go")


# --- the laws notice ------------------------------------------------------------------------------------------------


def bent(**changes: Any) -> AnyGame:
    """Tris with some of its names replaced."""
    names = {name: getattr(tris, name) for name in tris.__all__}
    return cast("AnyGame", SimpleNamespace(**{**names, **changes}))


def check(game: AnyGame, seed: int = 0) -> Any:
    return laws.check(game, game.Options(), 2, Random(seed).randrange)


def ask(seats: tuple[int, ...] | None = None, choices: tuple[Any, ...] | None = None) -> Callable[..., Any]:
    """`pending`, with other seats or choices."""

    def pending(position: tris.Position) -> Decision[int] | None:
        decision = tris.pending(position)
        if decision is None:
            return None
        return Decision(decision.kind, decision.seats if seats is None else seats, choices or decision.choices)

    return pending


def accept_any_seat(position: tris.Position, seat: int, action: int) -> Any:
    decision = tris.pending(position)
    return tris.apply(position, decision.seats[0] if decision else seat, action)


def accept_taken_cells(position: tris.Position, seat: int, action: int) -> Any:
    try:
        return tris.apply(position, seat, action)
    except Illegal:
        return position, ()


def refuse_the_corner(position: tris.Position, seat: int, action: int) -> Any:
    if action == 0:
        raise Illegal("not the corner")
    return tris.apply(position, seat, action)


def refuse_without_words(position: tris.Position, seat: int, action: int) -> Any:
    try:
        return tris.apply(position, seat, action)
    except Refused:
        raise Refused from None


def refuse_for_any_reason(position: tris.Position, seat: int, action: int) -> Any:
    try:
        return tris.apply(position, seat, action)
    except Refused as refusal:
        raise Refused(str(refusal)) from None


def refuse_to_give_up(position: tris.Position, seat: int) -> Any:
    raise Refused("nobody gives up")


def skip_anybody(position: tris.Position, seat: int) -> Any:
    decision = tris.pending(position)
    return tris.skip(position, decision.seats[0] if decision else seat)


def skip_in_silence(position: tris.Position, seat: int) -> Any:
    return tris.skip(position, seat)[0], ()


def skip_nobody(position: tris.Position, seat: int) -> Any:
    raise Refused("nobody is ever absent")


def nobody_after_a_pass(position: tris.Position) -> Any:
    decision = tris.pending(position)
    return decision if decision is None or not position.passed else Decision(decision.kind, decision.seats, ())


def refuse_with_another_error(position: tris.Position, seat: int, action: int) -> Any:
    try:
        return tris.apply(position, seat, action)
    except Illegal as reason:
        raise Malformed(str(reason)) from None


def never_out_of_sight(event: tris.Event, seat: int | None) -> Any:
    return None if seat is None else event


def hidden_from_the_other_seat(event: tris.Event, seat: int | None) -> Any:
    return None if seat == 1 else event


def forget_the_line(position: tris.Position) -> Outcome | None:
    result = tris.outcome(position)
    return None if result is not None and result.termination == "line" else result


def always_over(position: tris.Position) -> Outcome:
    return Outcome("boredom")


def win_for_a_stranger(position: tris.Position) -> Outcome | None:
    return Outcome(tris.Termination.LINE, (7,)) if tris.outcome(position) else None


def end_by_another_rule(position: tris.Position) -> Outcome | None:
    return Outcome("boredom") if tris.outcome(position) else None


def give_up_for_ever(position: tris.Position, seat: int) -> Any:
    return tris.Position(position.marks, seat), ()


def parse_the_next_cell(text: str) -> int:
    return (tris.parse_action(text) + 1) % 9


def object_to_all(position: tris.Position, seat: int, action: int) -> Objection | None:
    return Objection(tris.Rule.TAKEN)


def object_to_nothing(position: tris.Position, seat: int, action: int) -> Objection | None:
    return None


def object_by_whim(position: tris.Position, seat: int, action: int) -> Objection | None:
    return tris.objection(position, seat, action) and Objection("whim")


def object_by_card(position: tris.Position, seat: int, action: int) -> Objection | None:
    return tris.objection(position, seat, action) and Objection(tris.Rule.TAKEN, "joker")


class Wrong(msgspec.Struct, frozen=True):
    """What the page would have to read."""

    cells: list[int]


BENT: Final = {
    "a seat that there is not": (bent(pending=ask(seats=(5,)), apply=accept_any_seat), AssertionError, r"\(5,\)"),
    "the same seat twice": (bent(pending=ask(seats=(0, 0)), apply=accept_any_seat), AssertionError, "seat twice"),
    "something pending after the end": (bent(outcome=always_over), AssertionError, "pending in a match that is over"),
    "the same choice twice": (bent(pending=ask(choices=(4, 4)), apply=accept_taken_cells), AssertionError, "twice"),
    "a choice that apply refuses": (bent(apply=refuse_the_corner), Illegal, "not the corner"),
    "an action that is not on offer": (bent(apply=accept_taken_cells), AssertionError, "accepted the illegal action"),
    "a seat that is not asked": (bent(apply=accept_any_seat), AssertionError, "accepted the illegal action"),
    "an error without words": (bent(apply=refuse_without_words), AssertionError, "has no message"),
    "a turn that is no reason": (bent(apply=refuse_for_any_reason), AssertionError, "not asked, is refused as refused"),
    "the wrong error": (bent(apply=refuse_with_another_error), Malformed, "taken"),
    "an objection to a choice": (bent(objection=object_to_all), AssertionError, "rejects the legal action"),
    "no objection to what is not on offer": (bent(objection=object_to_nothing), AssertionError, "returns no rule"),
    "a rule that the game does not know": (bent(objection=object_by_whim), AssertionError, "'whim' is not a rule"),
    "a card that the game does not have": (bent(objection=object_by_card), AssertionError, "'joker' is not a card"),
    "a view that changes with what is not shown": (
        bent(show=never_out_of_sight, views_differ=True),
        AssertionError,
        "changed without an event",
    ),
    "an event hidden from spectators of an open game": (
        bent(show=never_out_of_sight),
        AssertionError,
        "set `views_differ`: an event is hidden from spectators",
    ),
    "an event hidden from a seat of an open game": (
        bent(show=hidden_from_the_other_seat),
        AssertionError,
        "set `views_differ`: an event is hidden from seat 1",
    ),
    "hidden information neither declared nor denied": (bent(views_differ=None), AssertionError, "True or False"),
    "a view that does not survive": (bent(View=Wrong), msgspec.ValidationError, "cells"),
    "an event that does not survive": (bent(Event=tris.Forfeited), msgspec.ValidationError, "marked"),
    "an action that becomes another type": (bent(Action=float), AssertionError, "decoded as a float"),
    "an end without an outcome": (
        bent(outcome=forget_the_line),
        AssertionError,
        "either an outcome or a pending decision",
    ),
    "an end that the game does not know": (
        bent(outcome=end_by_another_rule),
        AssertionError,
        "'boredom' is not a termination",
    ),
    "a winner who does not sit there": (bent(outcome=win_for_a_stranger), AssertionError, r"winners are \(7,\)"),
    "a seat that is skipped out of turn": (
        bent(skip=skip_anybody),
        AssertionError,
        "skipped without having the decision",
    ),
    "a skip by which nothing passes": (bent(skip=lambda position, seat: (position, ())), AssertionError, "was skipped"),
    "a skip that nobody is told of": (bent(skip=skip_in_silence), AssertionError, "not notified of a skip"),
    "a seat that cannot be skipped": (bent(skip=skip_nobody), AssertionError, "cannot be skipped"),
    "a skip after which nobody can move": (bent(pending=nobody_after_a_pass), AssertionError, "without choices"),
    "two choices with one text": (bent(format_action=lambda action: "x"), AssertionError, "the same text"),
    "an action without a text": (bent(format_action=lambda action: " " * action), AssertionError, "0 characters"),
    "an action in two lines": (
        bent(format_action=lambda action: f"cell\n{action}"),
        AssertionError,
        "not one printable line",
    ),
    "a text that is read as another action": (
        bent(parse_action=parse_the_next_cell),
        AssertionError,
        "formatted as '0'",
    ),
    "an end that is no reason": (bent(forfeit=refuse_to_give_up), AssertionError, "the end is refused as refused"),
    "a match that is given up after its end": (bent(forfeit=give_up_for_ever), AssertionError, "could resign"),
}


@pytest.mark.parametrize(("game", "error", "words"), BENT.values(), ids=BENT.keys())
def test_each_law_notices_a_game_that_breaks_it(game: AnyGame, error: type[Exception], words: str) -> None:
    def check_often() -> None:
        for seed in range(20):
            check(game, seed)

    with pytest.raises(error, match=words):
        check_often()


def cards_of(*names: str) -> tuple[Card, ...]:
    return tuple(Card(name.lower(), name, f"{name} does something.") for name in names)


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"explain": lambda card=None: ("Chess, for 2 players.", "Mate wins.")}, "begin with 'Chess"),
        ({"explain": lambda card=None: ("Tris, for 2 players.",)}, "the rules have 1 sentences"),
        ({"cards": (*cards_of("Pan"), *cards_of("Pan"))}, "two cards have the same card"),
        ({"cards": (Card("one", "Pan", "x"), Card("two", "Pan", "y"))}, "two cards have the same name"),
        ({"cards": cards_of("Pan")}, "the text of Pan begins with 'Tris"),
        ({"cards": cards_of("Tris")}, "the text of Tris lacks its effect"),
    ],
)
def test_a_game_that_does_not_tell_its_rules_breaks_the_law(parts: dict[str, Any], words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        laws.check_rulebook(bent(**parts))


def test_a_decision_without_seats_breaks_the_law() -> None:
    ply = next(iter(laws.playthrough(tris, tris.Options(), 2, Random(0).randrange)))
    nobody = ply._replace(decision=Decision(ply.decision.kind, (), ply.decision.choices))
    with pytest.raises(AssertionError, match="a decision without seats"):
        laws.check_decision(tris, nobody, 2)
    laws.check_decision(tris, ply, 2)


def test_a_decision_without_choices_breaks_the_law() -> None:
    ply = next(iter(laws.playthrough(tris, tris.Options(), 2, Random(0).randrange)))
    empty = ply._replace(decision=Decision(ply.decision.kind, (0,), ()))
    with pytest.raises(AssertionError, match="is not `in` them"):
        laws.check_decision(tris, empty, 2)


def test_a_game_that_remembers_what_it_was_asked_breaks_the_law_of_equal_histories() -> None:
    count = 0

    class Aged(msgspec.Struct, frozen=True):
        """A position that carries the number of calls."""

        inner: tris.Position
        age: int

    def aged(position: Aged, seat: int, action: int) -> Any:
        nonlocal count
        after, events = tris.apply(position.inner, seat, action)
        count += 1
        return Aged(after, count), events

    def skipped(position: Aged, seat: int) -> Any:
        after, events = tris.skip(position.inner, seat)
        return Aged(after, count), events

    game = bent(
        new=lambda options, seats: Aged(tris.new(options, seats), 0),
        pending=lambda position: tris.pending(position.inner),
        apply=aged,
        forfeit=lambda position, seat: tris.forfeit(position.inner, seat),
        objection=lambda position, seat, action: tris.objection(position.inner, seat, action),
        skip=skipped,
        view=lambda position, seat: tris.view(position.inner, seat),
        outcome=lambda position: tris.outcome(position.inner),
    )
    with pytest.raises(AssertionError, match="led to different positions"):
        check(game)


def test_luck_may_be_drawn_and_a_playthrough_can_be_cut_short() -> None:
    class Dice:
        """A Draw of the first free cell."""

        def __init__(self, cells: tuple[int, ...]) -> None:
            self._cells = cells

        def __contains__(self, action: object) -> bool:
            return action in self._cells

        def __iter__(self) -> Any:
            return iter(self._cells)

        def __len__(self) -> int:
            return len(self._cells)

        def draw(self, below: Callable[[int], int]) -> int:
            return self._cells[below(1)]

    def pending(position: tris.Position) -> Decision[int] | None:
        decision = tris.pending(position)
        return None if decision is None else Decision(decision.kind, (CHANCE,), Dice(tuple(decision.choices)))

    def apply(position: tris.Position, seat: int, action: int) -> Any:
        decision = tris.pending(position)
        if seat != CHANCE or decision is None:
            raise Refused("only luck moves here", reason=Reason.NOT_YOUR_TURN)
        return tris.apply(position, decision.seats[0], action)

    game = bent(pending=pending, apply=apply, skip=skip_nobody)
    assert [ply.action for ply in laws.playthrough(game, tris.Options(), 2, Random(1).randrange)] == list(range(7))
    assert check(game).marks == (0b001010101, 0b000101010)
    assert len(list(laws.playthrough(tris, tris.Options(), 2, Random(1).randrange, max_actions=3))) == 3
