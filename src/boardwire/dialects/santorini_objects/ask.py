"""ASK: the request for each kind of decision, and the reader of its answer.

- A question has the encoded request, which is repeated after a rejected answer, and a function that converts an answer
  to actions.
- An answer must have one of the offered cells, including its level.
- A decision that the protocol cannot express is answered at once by a default, declared in the specification.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import Final, TypeAlias
from zlib import crc32

import msgspec

from boardwire.dialects.santorini_objects.answer import Offer, offer_of, read_step
from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.messages import classes as wire
from boardwire.dialects.santorini_objects.messages.cells import CELLS, god_name, god_of, is_on_board, square_of
from boardwire.dialects.santorini_objects.messages.sets import CellKeys, write
from boardwire.games.game import Decision, Seat
from boardwire.games.santorini.actions import DONE, Action, Actions, PickGod
from boardwire.games.santorini.interned import PLACES
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.options import Draft
from boardwire.games.santorini.position import Position
from boardwire.table.match import Match

Reader: TypeAlias = Callable[[msgspec.Struct], Actions | None]


class Question(msgspec.Struct, frozen=True):
    """A request to a player. `read` returns the actions of an answer, or None if the answer is invalid."""

    request: bytes
    decision: Decision[Action]
    read: Reader


class QuestionContext(msgspec.Struct, frozen=True):
    """A decision to ask, with its match and seat. `plan` has worker squares that a D client sent with its god."""

    edition: Edition
    seat: Seat
    match: Match
    decision: Decision[Action]
    plan: tuple[int, ...] = ()

    @property
    def position(self) -> Position:
        position: Position = self.match.position
        return position

    def question(self, message: msgspec.Struct, read: Reader) -> Question:
        """Return the question that sends `message`."""
        return Question(self.edition.encode(message), self.decision, read)


QuestionOrActions: TypeAlias = Question | Actions | None
"""A question, the actions of a default, or None if other players must decide."""


def ask(context: QuestionContext) -> QuestionOrActions:
    """Return the question or the default for a decision."""
    return ASK[context.edition][context.decision.kind](context)


# --- the set-up -----------------------------------------------------------------------------------------------------


def _god_names(context: QuestionContext) -> tuple[str, ...]:
    """Return the names of the gods on offer in the order of the cards, which is alphabetical [7.3]."""
    return tuple(sorted(god_name(action.god) for action in context.decision.choices if isinstance(action, PickGod)))


def _read_pick(name: str | None, offered: tuple[str, ...]) -> Actions | None:
    god = god_of(name) if name in offered else None
    return (PickGod(god),) if god is not None else None


def _read_squares(cells: tuple[wire.Position | None, ...] | None) -> tuple[int, ...] | None:
    """Return the squares of two workers on the ground, or None if the cells are not two distinct ones."""
    if cells is None or len(cells) != 2:
        return None
    squares = tuple(square_of(cell) for cell in cells if cell is not None and cell.z == 0 and is_on_board(cell))
    return squares if len(set(squares)) == 2 else None


def _read_placement(squares: tuple[int, ...] | None, context: QuestionContext) -> Actions | None:
    if squares is None:
        return None
    actions = tuple(PLACES[square] for square in squares)
    return actions if all(action in context.decision.choices for action in actions) else None


def ask_god_and_workers(context: QuestionContext) -> QuestionOrActions:
    """D: request god and workers in one message. The participant keeps the squares if they are due later."""
    offered = _god_names(context)
    return context.question(
        wire.RequestInitializeGame(context.seat + 1, offered), partial(_read_god_and_workers, offered)
    )


def _read_god_and_workers(offered: tuple[str, ...], message: msgspec.Struct) -> Actions | None:
    if not isinstance(message, wire.InitializeGame):
        return None
    god, squares = _read_pick(message.god_power, offered), _read_squares(message.worker_positions)
    if god is None or squares is None:
        return None
    return god + tuple(PLACES[square] for square in squares)  # the table checks that they are free


def ask_workers_as_game(context: QuestionContext) -> QuestionOrActions:
    """D, at a table that has assigned the god: send the same request with only this god."""
    if context.position.workers[context.seat]:
        return default(context)  # a third worker, which the protocol cannot place
    early = _read_placement(context.plan or None, context)
    if early is not None:
        return early
    offered = (god_name(context.position.lineup.cards[context.seat]),)
    return context.question(
        wire.RequestInitializeGame(context.seat + 1, offered), partial(_read_workers_of_game, context, offered)
    )


def _read_workers_of_game(
    context: QuestionContext, offered: tuple[str, ...], message: msgspec.Struct
) -> Actions | None:
    if not isinstance(message, wire.InitializeGame) or message.god_power not in offered:
        return None
    return _read_placement(_read_squares(message.worker_positions), context)


def ask_god(context: QuestionContext) -> QuestionOrActions:
    """F: request the god."""
    offered = _god_names(context)
    return context.question(wire.RequestInitializeGodPower(context.seat + 1, offered), partial(_read_god, offered))


def _read_god(offered: tuple[str, ...], message: msgspec.Struct) -> Actions | None:
    return _read_pick(message.god_power, offered) if isinstance(message, wire.InitializeGodPower) else None


def ask_workers(context: QuestionContext) -> QuestionOrActions:
    """F: request the workers' cells, offering free cells by x, then y [7.4]."""
    if context.position.workers[context.seat]:
        return default(context)
    free = [CELLS[square][0] for square, place in enumerate(PLACES) if place in context.decision.choices]
    cells = tuple(sorted(free, key=lambda cell: (cell.x, cell.y)))
    return context.question(
        wire.RequestInitializeWorkerPositions(context.seat + 1, cells), partial(_read_workers, context)
    )


def _read_workers(context: QuestionContext, message: msgspec.Struct) -> Actions | None:
    if not isinstance(message, wire.InitializeWorkerPositions):
        return None
    return _read_placement(_read_squares(message.worker_positions), context)


# --- turns ----------------------------------------------------------------------------------------------------------


_NONE: Final[frozenset[wire.Position]] = frozenset()


def _asking_step(
    context: QuestionContext, offer: Offer, message: msgspec.Struct, sets: tuple[CellKeys, ...]
) -> Question:
    """Return the question for a request with these sets of cells."""
    request = write(context.edition, message, sets)
    return Question(request, context.decision, partial(read_step, offer, context.decision.choices))


def _ask_move(context: QuestionContext, offer: Offer) -> Question:
    message = wire.RequestMove(context.seat + 1, _NONE, _NONE)
    return _asking_step(context, offer.only_moves(), message, offer.moves)


def _ask_build(context: QuestionContext, offer: Offer) -> Question:
    message = wire.RequestBuild(offer.can_force_dome, context.seat + 1, _NONE, _NONE)
    return _asking_step(context, offer.only_builds(), message, offer.builds)


def _all_sets(offer: Offer) -> tuple[CellKeys, ...]:
    """Return the four sets of a request that has both moves and builds."""
    return offer.builds[0], offer.moves[0], offer.builds[1], offer.moves[1]


def ask_step(context: QuestionContext) -> QuestionOrActions:
    """D: request a move or a build; `RequestOptional` if the player may choose between them or decline."""
    offer = offer_of(context.decision.choices, context.position, context.seat)
    moves, builds = offer.has_moves, offer.has_builds
    if not moves and not builds:
        return default(context)
    if not (offer.can_decline or (moves and builds)):
        return _ask_move(context, offer) if moves else _ask_build(context, offer)
    message = wire.RequestOptional(
        offer.can_decline,
        offer.can_force_dome,
        moves and context.decision.kind != Kind.OPEN,
        context.seat + 1,
        *[_NONE] * 4,
    )
    return _asking_step(context, offer, message, _all_sets(offer))


def ask_plain_step(context: QuestionContext) -> QuestionOrActions:
    """D1, whose client lacks `RequestOptional`: request a move, then a build, and decline optional steps [1]."""
    offer = offer_of(context.decision.choices, context.position, context.seat)
    moves, builds = offer.has_moves, offer.has_builds
    if builds and context.decision.kind == Kind.GO_ON:
        return _ask_build(context, offer)
    if offer.can_decline or not (moves or builds):
        return default(context)
    return _ask_move(context, offer) if moves else _ask_build(context, offer)


def ask_action(context: QuestionContext) -> QuestionOrActions:
    """F: request any action in one message, with the flags of [7.6]."""
    offer = offer_of(context.decision.choices, context.position, context.seat)
    moves, builds = offer.has_moves, offer.has_builds
    if not moves and not builds:
        return default(context)
    kind = context.decision.kind
    message = wire.RequestAction(
        offer.can_decline,
        offer.can_force_dome,
        builds and (kind != Kind.GO_ON or offer.can_decline),
        moves and kind != Kind.OPEN,
        context.seat + 1,
        *[_NONE] * 4,
    )
    return _asking_step(context, offer, message, _all_sets(offer))


# --- what the protocol has no words for -----------------------------------------------------------------------------


def default(context: QuestionContext) -> Actions:
    """Decline if possible, otherwise take the first choice."""
    choices = context.decision.choices
    return (DONE,) if DONE in choices else (next(iter(choices)),)


def propose_by_lot(context: QuestionContext) -> QuestionOrActions:
    """Propose a god chosen by a hash of the match's id and state.

    Only the first seat proposes, and only if all people who may propose use this protocol: others can be asked.
    """
    players = [(seat, context.match.players[seat]) for seat in context.decision.seats]
    people = [(seat, player.dialect) for seat, player in players if player is not None and not player.bot]
    if people[0][0] != context.seat or any(dialect != "santorini-objects" for _, dialect in people):
        return None
    choices = tuple(context.decision.choices)
    return (choices[crc32(f"{context.match.id} {context.match.seq}".encode()) % len(choices)],)


def never(context: QuestionContext) -> QuestionOrActions:
    """Ask nothing: the table makes chance decisions."""
    return None


_DEFAULTS: Final[dict[StrEnum, Callable[[QuestionContext], QuestionOrActions]]] = {
    Kind.PROPOSE_GOD: propose_by_lot,
    **dict.fromkeys((Kind.NAME_START, Kind.CHOOSE_START, Kind.PLACE_RAM, Kind.PREPARE), default),
    Kind.CHANCE: never,
}
_STEPS: Final = (Kind.OPEN, Kind.GO_ON, Kind.BUILD_MORE, Kind.CLOSE, Kind.REPLY)
_DOCUMENT: Final[dict[StrEnum, Callable[[QuestionContext], QuestionOrActions]]] = {
    Kind.PICK_GOD: ask_god_and_workers,
    Kind.PLACE_WORKER: ask_workers_as_game,
    **_DEFAULTS,
}

ASK: Final[dict[Edition, dict[StrEnum, Callable[[QuestionContext], QuestionOrActions]]]] = {
    Edition.D1: {**_DOCUMENT, **dict.fromkeys(_STEPS, ask_plain_step)},
    Edition.D2: {**_DOCUMENT, **dict.fromkeys(_STEPS, ask_step)},
    Edition.F: {
        Kind.PICK_GOD: ask_god,
        Kind.PLACE_WORKER: ask_workers,
        **dict.fromkeys(_STEPS, ask_action),
        **_DEFAULTS,
    },
}

MESSAGE_NAMES: Final[dict[Callable[[QuestionContext], QuestionOrActions], tuple[str, str]]] = {
    ask_god_and_workers: ("RequestInitializeGame", "InitializeGame"),
    ask_workers_as_game: ("RequestInitializeGame", "InitializeGame"),
    ask_god: ("RequestInitializeGodPower", "InitializeGodPower"),
    ask_workers: ("RequestInitializeWorkerPositions", "InitializeWorkerPositions"),
    ask_step: (
        "RequestMove, RequestBuild or RequestOptional",
        "ConsolidateMove, ConsolidateBuild, DeclineLastOptional",
    ),
    ask_plain_step: ("RequestMove or RequestBuild", "ConsolidateMove, ConsolidateBuild"),
    ask_action: ("RequestAction", "ConsolidateMove, ConsolidateBuild, DeclineLastAction"),
}
"""Request and answer names for the diagram; functions without an entry take a default."""


def is_joint_setup(match: Match) -> bool:
    """Return whether gods and workers are chosen together at this table."""
    return bool(match.setting.options.draft is Draft.TOGETHER)
