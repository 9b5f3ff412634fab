"""`Comparison` for Santorini.

- All protocols show levels, domes and workers, and gods once they are picked; some show the player to move.
- Workers are compared as sets of squares, because some protocols do not number them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from boardwire.bridge.comparison import Observation
from boardwire.dialects.dialect import Ask, Dialect
from boardwire.games.game import Decision, Seat
from boardwire.games.santorini.actions import (
    DONE,
    USE,
    Action,
    Build,
    DealGod,
    Move,
    PickGod,
    PlaceWorker,
    ProposeGod,
    Raze,
)
from boardwire.games.santorini.edits import heights, level
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.options import Draft, Options
from boardwire.games.santorini.position import Position
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.steps import format_action
from boardwire.games.santorini.view import View
from boardwire.games.santorini.wish import Wish

TOP_LEVEL: Final = 3
"""The level on which a dome is the only building."""

PROPOSER_SECONDS: Final = 10.0
"""Wait for another player's pick before the client's, if it is unknown who proposed the gods."""

_DRAFTS: Final = {
    "santorini-objects": Draft.TOGETHER,
    "santorini-objects/d1": Draft.TOGETHER,
    "santorini-objects/shipped": Draft.TWO_ROUNDS,
    "santorini-actions": Draft.FIRST_PROPOSES,
    "santorini-actions/shipped": Draft.FIRST_PROPOSES,
    "santorini-lobby": Draft.CHALLENGER,
}
"""The set-up of each protocol."""
_PROPOSING: Final = frozenset({Draft.FIRST_PROPOSES, Draft.CHALLENGER, Draft.PRINTED})


def seat_count(observation: Observation) -> int:
    view: View = observation.view
    return len(view.workers)


def options(observation: Observation, wish: Wish | None) -> Sequence[Options]:
    """Return options with the set-up of the server's protocol first.

    A table that a client of another protocol opened has that protocol's set-up.
    """
    options: Options | None = observation.players.options
    if options is not None:
        return (options,)
    proposed: tuple[God, ...] = ()
    if observation.ask is not None and observation.ask.decision.kind == Kind.PROPOSE_GOD:
        proposed = tuple(choice.god for choice in observation.ask.decision.choices if isinstance(choice, ProposeGod))
    usual = _DRAFTS[observation.dialect.name]
    drafts = (
        (usual,) if observation.ask is None else dict.fromkeys((usual, *_DRAFTS.values(), Draft.NONE, Draft.PRINTED))
    )
    return tuple(Options(draft, pool=proposed if draft in _PROPOSING else (), bans=False) for draft in drafts)


def known_gods(observation: Observation) -> tuple[God, ...]:
    """Return the known gods of the match: those picked, and those that can be picked now."""
    view: View = observation.view
    picked = [god for god in view.gods if god is not None]
    ask = observation.ask
    if ask is not None and ask.decision.kind == Kind.PICK_GOD:
        picked += [choice.god for choice in ask.decision.choices if isinstance(choice, PickGod)]
    return tuple(dict.fromkeys(picked))


def local_wish(wish: Wish | None) -> Wish | None:
    """Return None: protocols send gods by name, so every god can be sent to the client."""
    return None


def is_proposing(position: Position) -> bool:
    return position.decision is not None and position.decision.kind == Kind.PROPOSE_GOD


def default_actions(position: Position, seat: Seat, client_dialect: Dialect, wish: Wish | None) -> Sequence[Action]:
    """Return a proposal of gods if every player may propose, but the client's protocol never asks for one.

    The other players may all wait as well.
    """
    decision = position.decision
    if decision is None or decision.kind != Kind.PROPOSE_GOD or len(decision.seats) == 1 or seat not in decision.seats:
        return ()
    if client_dialect.name.partition("/")[0] not in ("santorini-objects", "santorini-actions"):
        return ()
    gods = wish.gods if wish is not None else ()
    proposals = [choice for choice in decision.choices if isinstance(choice, ProposeGod) and choice.god in gods]
    return tuple(proposals[: position.lineup.seats])


def _unknown_gods(observation: Observation, wish: Wish | None) -> str:
    """Return the names of the gods of the match that the specification of our client's protocol lacks."""
    if wish is None or not wish.gods:
        return ""
    unknown = [god for god in known_gods(observation) if god is not God.MORTAL and god not in wish.gods]
    return ", ".join(god.value.capitalize() for god in unknown)


def undocumented(observation: Observation, wish: Wish | None) -> str:
    names = _unknown_gods(observation, wish)
    return f"{names}, which its client is sent by name" if names else ""


def distance(position: Position, observation: Observation) -> int:
    view: View = observation.view
    differences = sum(abs(own - shown) for own, shown in zip(heights(position), view.levels, strict=True))
    closed = position.domes | position.solid
    domes = sum(1 << square for square in {*view.domes, *view.closed})
    differences += (closed ^ domes).bit_count()
    for seat, squares in enumerate(view.workers):
        if not (position.out >> seat & 1 or seat in view.out):
            ours = {square for square in position.workers[seat] if square >= 0}
            differences += len(ours ^ {square for square in squares if square >= 0})
    differences += sum(1 for _ in eliminated(position, observation))
    setup = position.setup
    gods = setup.gods if setup is not None else position.lineup.cards
    for seat, (own_god, shown_god) in enumerate(zip(gods, view.gods, strict=True)):
        is_out = position.out >> seat & 1  # the power of a seat that is out has no effect
        differences += not is_out and shown_god not in (None, God.MORTAL) and own_god is not shown_god
    if setup is not None:
        available = {*setup.offer, *setup.gods}
        differences += sum(1 for god in known_gods(observation) if god not in available and god is not God.MORTAL)
        if observation.dialect.name == "santorini-lobby" and view.proposer is not None:
            differences += setup.proposer is not None and setup.proposer != view.proposer
    elif view.turn is not None and position.decision is not None and position.seat != view.turn:
        differences += 1
    return differences


def chance_actions(position: Position, decision: Decision[Action], observation: Observation) -> Iterator[Action]:
    if position.setup is None or not any(isinstance(choice, DealGod) for choice in decision.choices):
        yield from decision.choices
        return
    gods = known_gods(observation)
    if len(gods) < position.lineup.seats:
        return  # some drawn gods have not been shown
    left = [god for god in gods if god not in position.setup.offer]
    yield from (DealGod(god) for god in left[:1] if DealGod(god) in decision.choices)


def eliminated(position: Position, observation: Observation) -> Iterable[Seat]:
    """Return the seats that are out; some protocols show this only by the missing workers."""
    view: View = observation.view
    out_seats = set(view.out)
    if position.setup is None and any(any(at >= 0 for at in squares) for squares in view.workers):
        out_seats |= {seat for seat, squares in enumerate(view.workers) if all(at < 0 for at in squares)}
    return [seat for seat in sorted(out_seats) if not position.out >> seat & 1]


def candidate_actions(
    position: Position, decision: Decision[Action], seat: Seat, observation: Observation, *, wide: bool
) -> Iterator[Action]:
    view: View = observation.view
    changed = _changed_squares(position, view)
    gods = known_gods(observation)
    for choice in decision.choices:
        match choice:
            case ProposeGod(god):
                likely = god in gods
            case PickGod(god):
                shown = view.gods[seat]
                hidden = shown is None and observation.dialect.name != "santorini-lobby"  # it shows every pick
                likely = shown is god or (hidden and seat != observation.seat and god not in gods)
            case PlaceWorker(at):
                likely = at in view.workers[seat]
            case Move(to=at) | Build(at=at) | Raze(at=at):
                likely = wide or bool(changed >> at & 1)
            case _:
                likely = True
        if likely:
            yield choice


def _changed_squares(position: Position, view: View) -> int:
    """Return the squares where the position differs from the view, as a bit set."""
    changed = 0
    for square, (own_level, shown_level) in enumerate(zip(heights(position), view.levels, strict=True)):
        if own_level != shown_level:
            changed |= 1 << square
    changed |= (position.domes | position.solid) ^ sum(1 << square for square in {*view.domes, *view.closed})
    for ours, theirs in zip(position.workers, view.workers, strict=False):
        for square in set(ours) ^ set(theirs):
            if square >= 0:
                changed |= 1 << square
    return changed


def matches_question(position: Position, decision: Decision[Action], ask: Ask) -> bool:
    """Return whether our decision may be the server's question: they share a choice, or all gods when one is picked."""
    question = ask.decision
    if set(question.choices) <= {USE, DONE}:
        return position.setup is None
    if question.kind == Kind.PICK_GOD:
        return set(question.choices) == set(decision.choices)
    return any(choice in decision.choices for choice in question.choices)


def translate(position: Position, actions: Sequence[Action], ask: Ask) -> Action | None:
    choices = ask.decision.choices
    if actions[0] in choices:
        return actions[0]
    if set(choices) == {USE, DONE}:  # the use of a power is asked before the turn
        return USE if any(_needs_power(position, action) for action in actions) else DONE
    if DONE in choices and not any(isinstance(choice, Build) for choice in choices):
        return DONE  # a second move must be declined before a build
    return None


def _needs_power(position: Position, action: Action) -> bool:
    """Return whether an action needs a power: Prometheus builds before he moves, or Atlas a dome below level 3."""
    if not isinstance(action, Build):
        return False
    atlas = position.lineup.gods[position.seat] is God.ATLAS
    return (action.dome and level(position, action.at) < TOP_LEVEL) if atlas else True


def needs_next_action(position: Position, action: Action, ask: Ask) -> bool:
    """Return whether Atlas is asked for the use of his power before the move; his build decides it."""
    atlas = position.lineup.gods[position.seat] is God.ATLAS
    return atlas and isinstance(action, Move) and set(ask.decision.choices) == {USE, DONE}


def unplayable(observation: Observation, client_dialect: Dialect, wish: Wish | None) -> str:
    """Return the gods on which the original client of santorini-objects fails; other clients get all gods by name."""
    return _unknown_gods(observation, wish) if client_dialect.name.startswith("santorini-objects") else ""


def after_declining(observation: Observation) -> Observation:
    """Return the observation without the question and the player to move, who is unknown after it."""
    return replace(observation, ask=None, view=replace(observation.view, turn=None))


def shows_every_step(position: Position) -> bool:
    return position.setup is None


def retries_after_refusal(client_dialect: Dialect) -> bool:
    """Return whether the client chooses again; the original clients of santorini-actions ignore a refusal, or exit."""
    return not client_dialect.name.startswith("santorini-actions")


def alternatives(action: Action) -> Sequence[Action]:
    """Return a block for a dome, or a dome for a block."""
    return (replace(action, dome=not action.dome),) if isinstance(action, Build) else ()


def winners(view: View | None) -> Sequence[Seat]:
    return () if view is None or view.outcome is None else tuple(view.outcome.winners)


def agrees(position: Position, observation: Observation) -> bool:
    return True


def corrected(position: Position, observation: Observation) -> None:
    """Return None: what a turn is depends on the gods, so a board does not show how the turn continues."""


def describe(position: Position, seat: Seat, action: Action) -> str:
    if isinstance(action, PickGod):
        return f"it plays with the power of {_god_name(action.god)}"
    setup = position.setup
    god = setup.gods[seat] if setup is not None else position.lineup.cards[seat]
    power = "its power" if god in (None, God.MORTAL) else f"the power of {_god_name(god)}"
    if action == DONE:
        return f"the optional step by {power} is not taken"
    if action == USE:
        return f"{power} is used"
    return f"{format_action(action)}, with {power}" if isinstance(action, Move | Build | Raze) else ""


def _god_name(god: God) -> str:
    return god.value.capitalize()


def extra_wait_seconds(ask: Ask) -> float:
    """Return a wait at the first pick of a god among three players, otherwise 0.

    santorini-lobby does not show who proposed the gods; the first pick of another player does.
    """
    is_open = ask.decision.kind == Kind.PICK_GOD and len(ask.view.workers) > 2 and ask.view.proposer is None
    if not is_open or any(ask.view.gods):
        return 0.0
    # depends on the seat, so that two adapters do not wait for each other
    return PROPOSER_SECONDS + 2 * ask.decision.seats[0]


def is_setup(position: Position) -> bool:
    return position.setup is not None and all(at < 0 for squares in position.workers for at in squares)


def swap_seats(view: View, first: Seat, second: Seat) -> View:
    places = {first: second, second: first}
    seats = tuple(places.get(seat, seat) for seat in range(len(view.workers)))

    def seat_of(seat: Seat | None) -> Seat | None:
        return None if seat is None else seats[seat]

    outcome = view.outcome
    if outcome is not None:
        outcome = replace(outcome, winners=tuple(seats[seat] for seat in outcome.winners))
    return replace(
        view,
        workers=tuple(view.workers[seat] for seat in seats),
        gods=tuple(view.gods[seat] for seat in seats),
        powers=tuple(view.powers[seat] for seat in seats),
        order=tuple(seats[seat] for seat in view.order),
        out=tuple(sorted(seats[seat] for seat in view.out)),
        waiting=tuple(seats[seat] for seat in view.waiting),
        turn=seat_of(view.turn),
        proposer=seat_of(view.proposer),
        outcome=outcome,
    )


def implausibility(position: Position, seat: Seat) -> int:
    """Return how many seats the proposer is before the one that precedes our client; 0 without a proposer.

    In some protocols the player after the proposer picks first, so the proposer is probably the one before our client.
    """
    proposer = None if position.setup is None else position.setup.proposer
    return 0 if proposer is None else (seat - 1 - proposer) % position.lineup.seats
