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
"""Minimum number of sentences of a game's rules: name and players, a turn, how it is won, other endings."""
MAX_NOTATION_LENGTH: Final = 500
"""Maximum length of an action in notation, in characters: the limit of match records."""


class Ply(NamedTuple):
    """One action of a match: position and decision before it, seat, action, position after it, events."""

    position: Any
    decision: Decision[Any]
    seat: Seat
    action: Any
    after: Any
    events: tuple[Any, ...]


def playthrough(game: AnyGame, options: Any, seats: int, below: Below, max_actions: int = 10_000) -> Iterator[Ply]:
    """Play a random match of at most `max_actions` actions, and yield each of them."""
    position = game.new(options, seats)
    for _ in range(max_actions):
        decision = game.pending(position)
        if decision is None:
            return
        action = _random_choice(decision, below)
        seat = decision.seats[below(len(decision.seats))]
        after, events = game.apply(position, seat, action)
        yield Ply(position, decision, seat, action, after, events)
        position = after


def _random_choice(decision: Decision[Any], below: Below) -> Any:
    """Return a random choice of a player or of chance."""
    choices = decision.choices
    if isinstance(choices, Draw):
        return choices.draw(below)
    all_choices = tuple(choices)
    return all_choices[below(len(all_choices))]


def check(game: AnyGame, options: Any, seats: int, below: Below, max_actions: int = 10_000, *, every: int = 1) -> Any:
    """Play a random match, check the laws at every `every`-th action and at the end, and return the last position."""
    first = position = game.new(options, seats)
    steps: list[tuple[Seat, Any]] = []
    earlier_actions: list[Any] = []
    for number, ply in enumerate(playthrough(game, options, seats, below, max_actions)):
        if number % every == 0:
            check_decision(game, ply, seats)
            check_choices(game, ply, earlier_actions)
            check_views(game, ply, seats)
            check_round_trips(game, ply, seats)
            check_notation(game, ply)
            check_skips(game, ply, seats)
        earlier_actions.append(ply.action)
        steps.append((ply.seat, ply.action))
        position = ply.after
    check_end(game, position, seats)
    check_history(game, first, steps, position)
    return position


def check_decision(game: AnyGame, ply: Ply, seats: int) -> None:
    """A pending decision has distinct seats and distinct choices, and the match is not over."""
    assert ply.decision.seats, "a decision without seats"
    decision_seats = ply.decision.seats
    assert all(seat == CHANCE or 0 <= seat < seats for seat in decision_seats), (
        f"the decision names the seats {decision_seats}, but there are {seats}"
    )
    assert len(set(decision_seats)) == len(decision_seats), f"the decision names a seat twice: {decision_seats}"
    assert game.outcome(ply.position) is None, "a decision is pending in a match that is over"
    assert ply.action in ply.decision.choices, f"{ply.action} was drawn from the choices, but is not `in` them"
    if not isinstance(ply.decision.choices, Draw):
        assert len(ply.decision.choices) == len(tuple(ply.decision.choices)) > 0, (
            "no choices, or a wrong `len` of the choices"
        )
        assert len(set(ply.decision.choices)) == len(ply.decision.choices), "a choice is listed twice"


def check_choices(game: AnyGame, ply: Ply, earlier_actions: list[Any]) -> None:
    """`apply` accepts exactly the choices, from exactly the seats of the decision."""
    position, decision = ply.position, ply.decision
    if not isinstance(decision.choices, Draw):
        for action in decision.choices:
            game.apply(position, ply.seat, action)
    for action in earlier_actions[-20:]:
        if action not in decision.choices:
            _must_refuse(game, position, ply.seat, action, Illegal)
            if ply.seat != CHANCE:
                check_objection(game, game.objection(position, ply.seat, action))
    if ply.seat != CHANCE:
        assert game.objection(position, ply.seat, ply.action) is None, (
            f"`objection` rejects the legal action {ply.action}"
        )
    outsider = next((seat for seat in range(-1, 5) if seat not in decision.seats), None)
    if outsider is not None:
        reason = _must_refuse(game, position, outsider, ply.action, Refused)
        assert reason is Reason.NOT_YOUR_TURN, (
            f"an action of seat {outsider}, which is not asked, is refused as {reason}, not as not-your-turn"
        )


def check_objection(game: AnyGame, objection: Objection | None) -> None:
    """An illegal action breaks a rule of the game, and a card that the objection names belongs to the game."""
    assert objection is not None, "`objection` returns no rule for an illegal action"
    assert objection.rule in set(game.Rule), f"{objection.rule!r} is not a rule of this game"
    cards = {card.card for card in game.cards}
    assert objection.card in ("", *cards), f"{objection.card!r} is not a card of this game"


def _must_refuse(game: AnyGame, position: Any, seat: Seat, action: Any, error: type[BoardwireError]) -> Reason:
    """Return the reason for which an action is refused; fail if it is accepted or the error has no message."""
    try:
        game.apply(position, seat, action)
    except error as refusal:
        if str(refusal):
            return refusal.reason
        raise AssertionError(f"the refusal of {action} has no message") from refusal
    raise AssertionError(f"`apply` accepted the illegal action {action} of seat {seat}")


def check_skips(game: AnyGame, ply: Ply, seats: int) -> None:
    """Exactly the seats of the decision can be skipped; then the match continues, and every seat is shown an event."""
    for seat in range(-1, seats + 1):
        has_decision = seat != CHANCE and seat in ply.decision.seats
        try:
            after, events = game.skip(ply.position, seat)
        except Refused:
            assert not has_decision, f"seat {seat} has the decision, but cannot be skipped"
            continue
        assert has_decision, f"seat {seat} was skipped without having the decision"
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
    assert (decision is None) == (game.outcome(position) is not None), (
        "a match must have either an outcome or a pending decision"
    )
    if decision is not None:
        assert decision.seats, "a decision without seats"
        assert isinstance(decision.choices, Draw) or decision.choices, "a decision without choices"


def play_with_absences(game: AnyGame, options: Any, seats: int, below: Below, max_actions: int = 10_000) -> int:
    """Play a random match in which seats leave, are skipped, return and sometimes forfeit; return the number of skips.

    Fail if the match has not ended after `max_actions` steps.
    """
    position = game.new(options, seats)
    away: set[Seat] = set()
    skips = 0
    for _ in range(max_actions):
        decision = game.pending(position)
        if decision is None:
            check_end(game, position, seats)
            return skips
        if not below(10):
            away ^= {below(seats)}
        if len(away) == seats:
            away.clear()
        sides = game.sides(position)
        if not below(400):
            seats_in_play = [seat for side in sides for seat in side]
            position, _ = game.forfeit(position, seats_in_play[below(len(seats_in_play))])
        elif away.issuperset(decision.seats):
            position, _ = game.skip(position, decision.seats[0])
            skips += 1
        else:
            action = _random_choice(decision, below)
            present_seats = [seat for seat in decision.seats if seat not in away]
            position, _ = game.apply(position, present_seats[below(len(present_seats))], action)
        check_goes_on(game, position)
        for reader in (*range(seats), None):
            _round_trip(game.view(position, reader), game.View)
    raise AssertionError(f"the match has not ended after {max_actions} steps")


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
            assert before == after, f"the view of seat {seat} changed without an event: {ply.action}"


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
        assert 0 < len(text) <= MAX_NOTATION_LENGTH, (
            f"the notation of {action} has {len(text)} characters; the limit is {MAX_NOTATION_LENGTH}"
        )
        assert text.isprintable(), f"the notation {text!r} is not one printable line"
        again = game.parse_action(text)
        assert again == action, f"{action} was formatted as {text!r}, which is parsed as {again}"


def check_rulebook(game: AnyGame) -> None:
    """The explanation of a game begins with its name, and explains each of its cards."""
    sentences = game.explain()
    assert sentences[0].lower().startswith(game.name), f"the rules begin with {sentences[0]!r}"
    assert len(sentences) >= MIN_RULEBOOK_SENTENCES, (
        f"the rules have {len(sentences)} sentences; they need {MIN_RULEBOOK_SENTENCES}"
    )
    for attribute in ("card", "name"):
        values = [getattr(card, attribute) for card in game.cards]
        assert len(set(values)) == len(values), f"two cards have the same {attribute}"
    for card in game.cards:
        sentences = game.explain(card)
        assert sentences[0].startswith(card.name), f"the text of {card.name} begins with {sentences[0]!r}"
        assert card.text in sentences, f"the text of {card.name} lacks its effect"


def _round_trip(value: Any, kind: Any) -> None:
    """Check that a value equals itself after encoding and decoding as JSON."""
    again = msgspec.json.decode(msgspec.json.encode(value), type=kind)
    assert again == value, f"{value} was decoded as {again}"
    assert type(again) is type(value), f"{value} was decoded as a {type(again).__name__}"


def check_end(game: AnyGame, position: Any, seats: int) -> None:
    """A match is over if and only if nothing is pending; a finished match cannot be forfeited."""
    outcome = game.outcome(position)
    assert (outcome is None) == (game.pending(position) is not None), (
        "a match must have either an outcome or a pending decision"
    )
    if outcome is not None:
        assert isinstance(outcome, Outcome)
        assert isinstance(outcome.termination, game.Termination), (
            f"{outcome.termination!r} is not a termination of this game"
        )
        assert all(0 <= seat < seats for seat in outcome.winners), (
            f"the winners are {outcome.winners}, but there are {seats} seats"
        )
        for seat in range(seats):
            try:
                game.forfeit(position, seat)
            except Refused as error:
                if error.reason is Reason.OVER:
                    continue
                raise AssertionError(
                    f"a resignation after the end is refused as {error.reason}, not as over"
                ) from error
            raise AssertionError("a seat could resign after the end")


def check_history(game: AnyGame, first: Any, steps: list[tuple[Seat, Any]], last: Any) -> None:
    """Equal histories give equal positions, and a position never changes."""
    position = first
    for seat, action in steps:
        position, _ = game.apply(position, seat, action)
    assert position == last, "the same actions led to different positions"
    assert hash(position) == hash(last), "equal positions have different hashes"
