"""Laws of every game, checked along random matches.

The tests of a game check its rules; the laws check the contract of `boardwire.games.game`::

    @given(st.integers(0, 2**32))
    def test_tris_keeps_the_laws(seed: int) -> None:
        laws.check(tris, tris.Options(), 2, Random(seed).randrange)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import msgspec

from boardwire.errors import BoardwireError, Illegal, Objection, Reason, Refused
from boardwire.games.game import CHANCE, AnyGame, Below, Decision, Draw, Outcome, Seat

MIN_RULEBOOK_SENTENCES: Final = 4
"""Sentences that a game's rules have at least: name and players, a turn, how it is won, and what else ends it."""
MAX_NOTATION_LENGTH: Final = 500
"""Maximum length of an action in notation, in characters: records accept no more."""


class Ply(NamedTuple):
    """One action of a match: position and decision before it, seat, action, position after it, events."""

    position: Any
    decision: Decision[Any]
    seat: Seat
    action: Any
    after: Any
    events: tuple[Any, ...]


def playthrough(game: AnyGame, options: Any, seats: int, below: Below, most: int = 10_000) -> Iterator[Ply]:
    """Play a random match and yield its actions, at most `most`."""
    position = game.new(options, seats)
    for _ in range(most):
        decision = game.pending(position)
        if decision is None:
            return
        action = _any(decision, below)
        seat = decision.seats[below(len(decision.seats))]
        after, events = game.apply(position, seat, action)
        yield Ply(position, decision, seat, action, after, events)
        position = after


def _any(decision: Decision[Any], below: Below) -> Any:
    """Return a random choice."""
    choices = decision.choices
    if isinstance(choices, Draw):
        return choices.draw(below)
    listed = tuple(choices)
    return listed[below(len(listed))]


def check(game: AnyGame, options: Any, seats: int, below: Below, most: int = 10_000, *, every: int = 1) -> Any:
    """Play a random match, check all laws at every `every`-th action, and return the last position."""
    first = position = game.new(options, seats)
    steps: list[tuple[Seat, Any]] = []
    strangers: list[Any] = []
    for number, ply in enumerate(playthrough(game, options, seats, below, most)):
        if number % every == 0:
            check_decision(game, ply, seats)
            check_choices(game, ply, strangers)
            check_views(game, ply, seats)
            check_round_trips(game, ply, seats)
            check_notation(game, ply)
            check_skips(game, ply, seats)
        strangers.append(ply.action)
        steps.append((ply.seat, ply.action))
        position = ply.after
    check_end(game, position, seats)
    check_history(game, first, steps, position)
    return position


def check_decision(game: AnyGame, ply: Ply, seats: int) -> None:
    """A pending decision has distinct seats and distinct choices, and the match is not over."""
    assert ply.decision.seats, "a decision without seats"
    asked = ply.decision.seats
    assert all(seat == CHANCE or 0 <= seat < seats for seat in asked), f"of {seats} seats, {asked} are asked"
    assert len(set(asked)) == len(asked), f"the same seat twice: {asked}"
    assert game.outcome(ply.position) is None, "something is pending in a match that is over"
    assert ply.action in ply.decision.choices, f"{ply.action} is listed, but not among the choices"
    if not isinstance(ply.decision.choices, Draw):
        assert len(ply.decision.choices) == len(tuple(ply.decision.choices)) > 0, (
            "no choices, or a wrong count of choices"
        )
        assert len(set(ply.decision.choices)) == len(ply.decision.choices), "the same choice twice"


def check_choices(game: AnyGame, ply: Ply, strangers: list[Any]) -> None:
    """`apply` accepts exactly the choices, from exactly the seats of the decision."""
    position, decision = ply.position, ply.decision
    if not isinstance(decision.choices, Draw):
        for action in decision.choices:
            game.apply(position, ply.seat, action)
    for action in strangers[-20:]:
        if action not in decision.choices:
            _must_refuse(game, position, ply.seat, action, Illegal)
            if ply.seat != CHANCE:
                check_objection(game, game.objection(position, ply.seat, action))
    if ply.seat != CHANCE:
        assert game.objection(position, ply.seat, ply.action) is None, f"there is an objection to {ply.action}"
    outsider = next((seat for seat in range(-1, 5) if seat not in decision.seats), None)
    if outsider is not None:
        reason = _must_refuse(game, position, outsider, ply.action, Refused)
        assert reason is Reason.NOT_YOUR_TURN, f"a seat that is not asked is refused as {reason}"


def check_objection(game: AnyGame, objection: Objection | None) -> None:
    """An illegal action breaks a rule of the game, and a card that the objection names belongs to the game."""
    assert objection is not None, "no rule forbids what is not on offer"
    assert objection.rule in set(game.Rule), f"{objection.rule!r} is not a rule of this game"
    cards = {card.card for card in game.cards}
    assert objection.card in ("", *cards), f"{objection.card!r} is not a card of this game"


def _must_refuse(game: AnyGame, position: Any, seat: Seat, action: Any, error: type[BoardwireError]) -> Reason:
    try:
        game.apply(position, seat, action)
    except error as refusal:
        if str(refusal):
            return refusal.reason
        raise AssertionError("an error without words") from refusal
    raise AssertionError(f"apply took {action} of seat {seat}, which is not on offer")


def check_skips(game: AnyGame, ply: Ply, seats: int) -> None:
    """Exactly the seats of the decision can be skipped; then the match continues, and every seat is shown an event."""
    for seat in range(-1, seats + 1):
        asked = seat != CHANCE and seat in ply.decision.seats
        try:
            after, events = game.skip(ply.position, seat)
        except Refused:
            assert not asked, f"seat {seat} is asked and cannot be skipped"
            continue
        assert asked, f"seat {seat}, which is not asked, was skipped"
        assert after != ply.position, f"skipping seat {seat} changed nothing"
        check_goes_on(game, after)
        for event in events:
            _round_trip(event, game.Event)
        for reader in (*range(seats), None):
            _round_trip(game.view(after, reader), game.View)
            assert any(game.show(event, reader) is not None for event in events), (
                f"seat {reader} is not notified of a skip"
            )


def check_goes_on(game: AnyGame, position: Any) -> None:
    """A decision with choices is pending, or the match is over."""
    decision = game.pending(position)
    assert (decision is None) == (game.outcome(position) is not None), "over means that nothing is pending"
    if decision is not None:
        assert decision.seats, "a decision without seats"
        assert isinstance(decision.choices, Draw) or decision.choices, "a decision without choices"


def play_with_absences(game: AnyGame, options: Any, seats: int, below: Below, most: int = 10_000) -> int:
    """Play a random match in which seats leave, are skipped, return and sometimes forfeit; it must end.

    Return how often a seat was skipped.
    """
    position = game.new(options, seats)
    away: set[Seat] = set()
    skipped = 0
    for _ in range(most):
        decision = game.pending(position)
        if decision is None:
            check_end(game, position, seats)
            return skipped
        if not below(10):
            away ^= {below(seats)}
        if len(away) == seats:
            away.clear()
        sides = game.sides(position)
        if not below(400):
            playing = [seat for side in sides for seat in side]
            position, _ = game.forfeit(position, playing[below(len(playing))])
        elif away.issuperset(decision.seats):
            position, _ = game.skip(position, decision.seats[0])
            skipped += 1
        else:
            action = _any(decision, below)
            there = [seat for seat in decision.seats if seat not in away]
            position, _ = game.apply(position, there[below(len(there))], action)
        check_goes_on(game, position)
        for reader in (*range(seats), None):
            _round_trip(game.view(position, reader), game.View)
    raise AssertionError(f"still playing after {most} steps")


def check_views(game: AnyGame, ply: Ply, seats: int) -> None:
    """A view changes only if its seat is shown an event; unless `views_differ`, nothing is hidden."""
    assert type(game.views_differ) is bool, "`views_differ` must be True or False"
    if not game.views_differ:
        for seat in (*range(seats), None):
            assert game.view(ply.after, seat) == game.view(ply.after, None), (
                "set `views_differ`: seats see different views"
            )
            assert all(game.show(event, seat) is event for event in ply.events), (
                f"set `views_differ`: an event is hidden from {'spectators' if seat is None else f'seat {seat}'}"
            )
    for seat in (*range(seats), None):
        if not any(game.show(event, seat) is not None for event in ply.events):
            before, after = game.view(ply.position, seat), game.view(ply.after, seat)
            assert before == after, f"seat {seat} saw a step it was shown nothing of: {ply.action}"


def check_round_trips(game: AnyGame, ply: Ply, seats: int) -> None:
    """Actions, events and views survive encoding and decoding."""
    _round_trip(ply.action, game.Action)
    for event in ply.events:
        _round_trip(event, game.Event)
    for seat in (*range(seats), None):
        _round_trip(game.view(ply.after, seat), game.View)


def check_notation(game: AnyGame, ply: Ply) -> None:
    """Every choice has a unique notation in one printable line, which parses to the same choice."""
    choices = (ply.action,) if isinstance(ply.decision.choices, Draw) else tuple(ply.decision.choices)
    texts = [game.format_action(action) for action in choices]
    assert len(set(texts)) == len(texts), "two choices with the same text"
    for action, text in zip(choices, texts, strict=True):
        assert 0 < len(text) <= MAX_NOTATION_LENGTH, f"{len(text)} characters for one action"
        assert text.isprintable(), f"{text!r} does not fit on one line"
        again = game.parse_action(text)
        assert again == action, f"{action} was written as {text!r}, which is {again}"


def check_rulebook(game: AnyGame) -> None:
    """The explanation of a game begins with its name, and explains each of its cards."""
    sentences = game.explain()
    assert sentences[0].lower().startswith(game.name), f"the rules begin with {sentences[0]!r}"
    assert len(sentences) >= MIN_RULEBOOK_SENTENCES, f"{len(sentences)} sentences are too few for the rules"
    for attribute in ("card", "name"):
        called = [getattr(card, attribute) for card in game.cards]
        assert len(set(called)) == len(called), f"two cards of the same {attribute}"
    for card in game.cards:
        sentences = game.explain(card)
        assert sentences[0].startswith(card.name), f"the text of {card.name} begins with {sentences[0]!r}"
        assert card.text in sentences, f"the text of {card.name} lacks its effect"


def _round_trip(value: Any, kind: Any) -> None:
    again = msgspec.json.decode(msgspec.json.encode(value), type=kind)
    assert again == value, f"{value} became {again}"
    assert type(again) is type(value), f"{value} became a {type(again).__name__}"


def check_end(game: AnyGame, position: Any, seats: int) -> None:
    """A match is over if and only if nothing is pending; a finished match cannot be forfeited."""
    outcome = game.outcome(position)
    assert (outcome is None) == (game.pending(position) is not None), "over means that nothing is pending"
    if outcome is not None:
        assert isinstance(outcome, Outcome)
        assert isinstance(outcome.termination, game.Termination), (
            f"{outcome.termination!r} is not an ending of this game"
        )
        assert all(0 <= seat < seats for seat in outcome.winners), f"of {seats} seats, {outcome.winners} won"
        for seat in range(seats):
            try:
                game.forfeit(position, seat)
            except Refused as error:
                if error.reason is Reason.OVER:
                    continue
                raise AssertionError(f"an action after the end is refused as {error.reason}") from error
            raise AssertionError("a finished match was resigned")


def check_history(game: AnyGame, first: Any, steps: list[tuple[Seat, Any]], last: Any) -> None:
    """Equal histories give equal positions, and a position never changes."""
    position = first
    for seat, action in steps:
        position, _ = game.apply(position, seat, action)
    assert position == last, "the same history led to another position"
    assert hash(position) == hash(last), "equal positions with different hashes"
