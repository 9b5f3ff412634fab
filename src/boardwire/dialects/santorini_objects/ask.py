"""ASK: how each kind of decision is put to a player, and how its answer is read.

A question is the request's bytes, which are sent again when the answer cannot be taken, and a reader that turns an
answer into actions.  The cells that a request offers are exactly those that an answer may name, level included.
Decisions that the protocol has no words for are answered at once by a default, which the page of the dialect declares.
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
from boardwire.dialects.santorini_objects.messages.sets import Keys, write
from boardwire.games.game import Decision, Seat
from boardwire.games.santorini.actions import DONE, Action, Actions, PickGod
from boardwire.games.santorini.interned import PLACES
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.options import Draft
from boardwire.games.santorini.position import Position
from boardwire.table.match import Match

Reader: TypeAlias = Callable[[msgspec.Struct], Actions | None]


class Question(msgspec.Struct, frozen=True):
    """What a player is asked: `read` gives the actions of an answer, None if it is none."""

    request: bytes
    decision: Decision[Action]
    read: Reader


class Asking(msgspec.Struct, frozen=True):
    """Who is asked about which match; `plan` are the squares that a D client named for its workers too early."""

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
        """Ask with this message."""
        return Question(self.edition.encode(message), self.decision, read)


Asked: TypeAlias = Question | Actions | None
"""A question, or the actions of a default, or nothing: others are to decide."""


def ask(asking: Asking) -> Asked:
    """How to put the decision."""
    return ASK[asking.edition][asking.decision.kind](asking)


# --- the set-up -----------------------------------------------------------------------------------------------------


def _offer(asking: Asking) -> tuple[str, ...]:
    """The gods that can be picked, in the order of the cards: that of the alphabet [7.3]."""
    return tuple(sorted(god_name(action.god) for action in asking.decision.choices if isinstance(action, PickGod)))


def _pick(name: str | None, offered: tuple[str, ...]) -> Actions | None:
    god = god_of(name) if name in offered else None
    return (PickGod(god),) if god is not None else None


def _squares(cells: tuple[wire.Position | None, ...] | None) -> tuple[int, ...] | None:
    """The squares of two workers, on the ground; None if they are not two."""
    if cells is None or len(cells) != 2:
        return None
    squares = tuple(square_of(cell) for cell in cells if cell is not None and cell.z == 0 and is_on_board(cell))
    return squares if len(set(squares)) == 2 else None


def _place(squares: tuple[int, ...] | None, asking: Asking) -> Actions | None:
    if squares is None:
        return None
    actions = tuple(PLACES[square] for square in squares)
    return actions if all(action in asking.decision.choices for action in actions) else None


def ask_god_and_workers(asking: Asking) -> Asked:
    """D: both in one message.  Where the table wants only the god now, `server` keeps the squares for later."""
    offered = _offer(asking)
    return asking.question(
        wire.RequestInitializeGame(asking.seat + 1, offered), partial(_read_god_and_workers, offered)
    )


def _read_god_and_workers(offered: tuple[str, ...], message: msgspec.Struct) -> Actions | None:
    if not isinstance(message, wire.InitializeGame):
        return None
    god, squares = _pick(message.god_power, offered), _squares(message.worker_positions)
    if god is None or squares is None:
        return None
    return god + tuple(PLACES[square] for square in squares)  # whether they are free, the table says


def ask_workers_as_game(asking: Asking) -> Asked:
    """D, at a table that has given it a god already: the same request, with that god alone."""
    if asking.position.workers[asking.seat]:
        return default(asking)  # a third worker, which the protocol cannot place
    early = _place(asking.plan or None, asking)
    if early is not None:
        return early
    offered = (god_name(asking.position.lineup.cards[asking.seat]),)
    return asking.question(
        wire.RequestInitializeGame(asking.seat + 1, offered), partial(_read_workers_of_game, asking, offered)
    )


def _read_workers_of_game(asking: Asking, offered: tuple[str, ...], message: msgspec.Struct) -> Actions | None:
    if not isinstance(message, wire.InitializeGame) or message.god_power not in offered:
        return None
    return _place(_squares(message.worker_positions), asking)


def ask_god(asking: Asking) -> Asked:
    """F: the god."""
    offered = _offer(asking)
    return asking.question(wire.RequestInitializeGodPower(asking.seat + 1, offered), partial(_read_god, offered))


def _read_god(offered: tuple[str, ...], message: msgspec.Struct) -> Actions | None:
    return _pick(message.god_power, offered) if isinstance(message, wire.InitializeGodPower) else None


def ask_workers(asking: Asking) -> Asked:
    """F: the workers; free cells by x, then y [7.4]."""
    if asking.position.workers[asking.seat]:
        return default(asking)
    free = [CELLS[square][0] for square, place in enumerate(PLACES) if place in asking.decision.choices]
    cells = tuple(sorted(free, key=lambda cell: (cell.x, cell.y)))
    return asking.question(
        wire.RequestInitializeWorkerPositions(asking.seat + 1, cells), partial(_read_workers, asking)
    )


def _read_workers(asking: Asking, message: msgspec.Struct) -> Actions | None:
    if not isinstance(message, wire.InitializeWorkerPositions):
        return None
    return _place(_squares(message.worker_positions), asking)


# --- turns ----------------------------------------------------------------------------------------------------------


_NONE: Final[frozenset[wire.Position]] = frozenset()


def _asking_step(asking: Asking, offer: Offer, message: msgspec.Struct, sets: tuple[Keys, ...]) -> Question:
    """Ask with this message, whose sets are filled in."""
    request = write(asking.edition, message, sets)
    return Question(request, asking.decision, partial(read_step, offer, asking.decision.choices))


def _move(asking: Asking, offer: Offer) -> Question:
    message = wire.RequestMove(asking.seat + 1, _NONE, _NONE)
    return _asking_step(asking, offer.only_moves(), message, offer.moves)


def _build(asking: Asking, offer: Offer) -> Question:
    message = wire.RequestBuild(offer.can_force_dome, asking.seat + 1, _NONE, _NONE)
    return _asking_step(asking, offer.only_builds(), message, offer.builds)


def _all(offer: Offer) -> tuple[Keys, ...]:
    """The four sets of a request that has both moves and builds."""
    return offer.builds[0], offer.moves[0], offer.builds[1], offer.moves[1]


def ask_step(asking: Asking) -> Asked:
    """D: a move, a build, or where there is a choice between them or to decline, `RequestOptional`."""
    offer = offer_of(asking.decision.choices, asking.position, asking.seat)
    moves, builds = offer.has_moves, offer.has_builds
    if not moves and not builds:
        return default(asking)
    if not (offer.can_decline or (moves and builds)):
        return _move(asking, offer) if moves else _build(asking, offer)
    message = wire.RequestOptional(
        offer.can_decline,
        offer.can_force_dome,
        moves and asking.decision.kind != Kind.OPEN,
        asking.seat + 1,
        *[_NONE] * 4,
    )
    return _asking_step(asking, offer, message, _all(offer))


def ask_plain_step(asking: Asking) -> Asked:
    """D1, whose client knows no `RequestOptional`: a move, then a build; what is optional is passed over [1]."""
    offer = offer_of(asking.decision.choices, asking.position, asking.seat)
    moves, builds = offer.has_moves, offer.has_builds
    if builds and asking.decision.kind == Kind.GO_ON:
        return _build(asking, offer)
    if offer.can_decline or not (moves or builds):
        return default(asking)
    return _move(asking, offer) if moves else _build(asking, offer)


def ask_action(asking: Asking) -> Asked:
    """F: everything in one message; the flags by the rules of [7.6]."""
    offer = offer_of(asking.decision.choices, asking.position, asking.seat)
    moves, builds = offer.has_moves, offer.has_builds
    if not moves and not builds:
        return default(asking)
    kind = asking.decision.kind
    message = wire.RequestAction(
        offer.can_decline,
        offer.can_force_dome,
        builds and (kind != Kind.GO_ON or offer.can_decline),
        moves and kind != Kind.OPEN,
        asking.seat + 1,
        *[_NONE] * 4,
    )
    return _asking_step(asking, offer, message, _all(offer))


# --- what the protocol has no words for -----------------------------------------------------------------------------


def default(asking: Asking) -> Actions:
    """Decline what can be declined, else the first choice."""
    choices = asking.decision.choices
    return (DONE,) if DONE in choices else (next(iter(choices)),)


def by_lot(asking: Asking) -> Asked:
    """Propose a god that the match's name and its state draw.

    Where several may propose, people who can be asked are left to do it; if there are none, the first who cannot."""
    able = [(seat, asking.match.players[seat]) for seat in asking.decision.seats]
    people = [(seat, player.dialect) for seat, player in able if player is not None and not player.bot]
    if people[0][0] != asking.seat or any(dialect != "santorini-objects" for _, dialect in people):
        return None
    choices = tuple(asking.decision.choices)
    return (choices[crc32(f"{asking.match.id} {asking.match.seq}".encode()) % len(choices)],)


def never(asking: Asking) -> Asked:
    """Luck is dealt by the table."""
    return None


_DEFAULTS: Final[dict[StrEnum, Callable[[Asking], Asked]]] = {
    Kind.PROPOSE_GOD: by_lot,
    **dict.fromkeys((Kind.NAME_START, Kind.CHOOSE_START, Kind.PLACE_RAM, Kind.PREPARE), default),
    Kind.CHANCE: never,
}
_STEPS: Final = (Kind.OPEN, Kind.GO_ON, Kind.BUILD_MORE, Kind.CLOSE, Kind.REPLY)
_DOCUMENT: Final[dict[StrEnum, Callable[[Asking], Asked]]] = {
    Kind.PICK_GOD: ask_god_and_workers,
    Kind.PLACE_WORKER: ask_workers_as_game,
    **_DEFAULTS,
}

ASK: Final[dict[Edition, dict[StrEnum, Callable[[Asking], Asked]]]] = {
    Edition.D1: {**_DOCUMENT, **dict.fromkeys(_STEPS, ask_plain_step)},
    Edition.D2: {**_DOCUMENT, **dict.fromkeys(_STEPS, ask_step)},
    Edition.F: {
        Kind.PICK_GOD: ask_god,
        Kind.PLACE_WORKER: ask_workers,
        **dict.fromkeys(_STEPS, ask_action),
        **_DEFAULTS,
    },
}

WORDS: Final[dict[Callable[[Asking], Asked], tuple[str, str]]] = {
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
"""The messages of each way to ask, for the diagram; a way without messages is a default."""


def is_together(match: Match) -> bool:
    """Whether gods and workers are chosen together at this table."""
    return bool(match.setting.options.draft is Draft.TOGETHER)
