"""Reasons why an action of a client is illegal: the rule of the game, as a phrase.

- `objection` returns the rule of the game that forbids an action, judged by views; `eriantys_objection` does so for
  the actions of one Eriantys message.
- `explain` turns such an `Objection` into a phrase for a finding's detail.

An illegal action is a finding whether the server refuses it or not, and whether a person or a program chose it: the
client had all information. An action that only the server can judge is not a finding (see `Watcher.crosses`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

from boardwire.bots.santorini.positions import position_of
from boardwire.conformance.finding import Phrase
from boardwire.conformance.watchers.santorini_states import Board, PositionTracker
from boardwire.errors import BoardwireError, Objection
from boardwire.games import eriantys, forza, santorini, tris
from boardwire.games.eriantys import choices as options
from boardwire.games.eriantys.places import TABLE
from boardwire.games.eriantys.stages import Rule as EriantysRule
from boardwire.games.forza.rules import BITS as DISC_BITS
from boardwire.games.game import Seat
from boardwire.games.santorini.objections import Rule as SantoriniRule

_TRIS: Final = {
    tris.Rule.NOWHERE: "there is no such cell",
    tris.Rule.TAKEN: "the cell is taken",
}
_FORZA: Final = {
    forza.Rule.NOWHERE: "there is no such column",
    forza.Rule.FULL: "the column is full",
}
_SANTORINI: Final = {
    SantoriniRule.NOT_NOW: "another kind of action is due",
    SantoriniRule.NOWHERE: "there is no such square",
    SantoriniRule.NOT_OFFERED: "it is not on offer",
    SantoriniRule.NO_WORKER: "no worker of this player stands there",
    SantoriniRule.OTHER_WORKER: "another worker has begun this turn",
    SantoriniRule.MOVE_FIRST: "a turn begins with a move",
    SantoriniRule.MOVED: "this turn's move has already been made",
    SantoriniRule.HERE: "the worker stands on that square",
    SantoriniRule.FAR: "the square is not next to the worker",
    SantoriniRule.DOME: "the square has a dome",
    SantoriniRule.TOKEN: "a token closes the square",
    SantoriniRule.TAKEN: "a worker stands on the square",
    SantoriniRule.HIGH: "a worker climbs at most one level",
    SantoriniRule.ONLY_DOME: "on level 3 only a dome is built",
    SantoriniRule.NO_DOME: "a dome is built on level 3 only",
    SantoriniRule.POWER: "the power of {0} forbids it",
    SantoriniRule.UNFINISHED: "the turn could not be finished after it, because of the power of {0}",
}
_ERIANTYS: Final = {
    EriantysRule.NOT_NOW: "another step of the round is due",
    EriantysRule.NOWHERE: "there is no such assistant, island or cloud",
    EriantysRule.PLAYED: "another player has played that assistant in this round",
    EriantysRule.SPENT: "this player has played that assistant before",
    EriantysRule.NO_STUDENT: "there is no such student in the entrance",
    EriantysRule.TABLE_FULL: "all seats of that table in the hall are taken",
    EriantysRule.FAR: "mother nature moves 1 to {1} islands with this assistant",
    EriantysRule.CLOUD_TAKEN: "another player has taken that cloud",
    EriantysRule.NOT_ON_TABLE: "the {0} is not on the table",
    EriantysRule.ONE_A_TURN: "only one character can be used in a turn, and the {0} was used",
    EriantysRule.TOO_DEAR: "the {0} costs more than the {1} coins of this player",
    EriantysRule.USELESS: "there is nothing to use the {0} on",
    EriantysRule.NOT_SO: "the {0} cannot be used like this",
}
SENTENCES: Final[dict[str, dict[Any, str]]] = {
    "tris": _TRIS,
    "forza": _FORZA,
    "santorini": _SANTORINI,
    "eriantys": _ERIANTYS,
}
"""Sentences for the rules of each game; `{0}` is the card and `{1}` the limit.

Tests check that every rule has a sentence and a translation.
"""

UNEXPLAINED: Final = Phrase("the rules do not allow it here")
"""Used if the position is not known well enough to name the rule."""

UNKNOWN: Final = Phrase("it is unknown whether the rules allow it")
"""Used for a refused action that could not be judged."""


def explain(game: str, objection: Objection | None) -> Phrase:
    """Return the phrase for an objection of a game's rules, or `UNEXPLAINED` without one."""
    form = None if objection is None else SENTENCES.get(game, {}).get(objection.rule)
    if objection is None or form is None:
        return UNEXPLAINED
    if form is _ERIANTYS[EriantysRule.NOT_NOW] and objection.most:
        return students_left(objection.most)
    if "{" not in form:
        return Phrase(form)
    card = objection.card.replace("_", " ").title() if objection.card else Phrase("another card")
    return Phrase(form, (card, objection.most))


def students_left(count: int) -> Phrase:
    """Return the phrase for a message that moves too many students."""
    return Phrase("only {} students are left to move", (count,))


def objection(game: str, views: Sequence[Any], seat: Seat, action: Any) -> Objection | None:
    """Return the rule that forbids an action, judged by the views of a seat, or None if it is unknown.

    `views` are those since the turn began; only Santorini needs more than the last one.
    """
    try:
        return _OBJECTIONS[game](views, seat, action)
    except (BoardwireError, LookupError, AssertionError, TypeError, ValueError, AttributeError):
        return None  # other servers may send impossible views


def _in_tris(views: Sequence[tris.View], seat: Seat, action: Any) -> Objection | None:
    return tris.objection(tris.Position(_bit_sets(views[-1].cells, CELL_BITS)), seat, action)


def _in_forza(views: Sequence[forza.View], seat: Seat, action: Any) -> Objection | None:
    return forza.objection(forza.Position(_bit_sets(views[-1].cells, DISC_BITS)), seat, action)


def _bit_sets(cells: Sequence[Seat | None], bits: Sequence[int]) -> tuple[int, int]:
    """Return the cells of each of two seats as a bit set."""
    first, second = (sum(bit for owner, bit in zip(cells, bits, strict=True) if owner == seat) for seat in (0, 1))
    return first, second


def _in_santorini(views: Sequence[santorini.View], seat: Seat, action: Any) -> Objection | None:
    position = position_of(views[0], _fail_on_hidden_worker)
    if position is None:
        return None
    tracker = PositionTracker.at(position)
    for view in views[1:]:
        domes, workers = frozenset((*view.domes, *view.closed)), (frozenset(own) - {-1} for own in view.workers)
        if not tracker.see(Board(view.levels, domes, tuple(workers))):
            return None
    return tracker.objection(seat, action)


def _fail_on_hidden_worker(below: int) -> int:
    """Raise `ValueError`: where a worker is hidden, it is not known which rule refuses an action."""
    raise ValueError("a worker is hidden")


def _in_eriantys(views: Sequence[eriantys.View], seat: Seat, action: Any) -> Objection | None:
    return eriantys_objection(views[-1], seat, action)


CELL_BITS: Final = tuple(1 << cell for cell in range(9))
_OBJECTIONS: Final[dict[str, Callable[[Sequence[Any], Seat, Any], Objection | None]]] = {
    "tris": _in_tris,
    "forza": _in_forza,
    "santorini": _in_santorini,
    "eriantys": _in_eriantys,
}


# --- Eriantys ---------------------------------------------------------------------------------------------------------


def eriantys_objection(view: eriantys.View, seat: Seat, *actions: eriantys.Action) -> Objection | None:
    """Return the rule that forbids these actions together, judged by a view, or None if they are legal."""
    match actions[0]:
        case eriantys.PlayAssistant(card=card):
            return _assistant(view, seat, card)
        case eriantys.ToHall() | eriantys.ToIsland():
            return _students(view, seat, actions)
        case eriantys.MoveMotherNature(steps=steps):
            return None if 1 <= steps <= view.steps else Objection(EriantysRule.FAR, most=view.steps)
        case eriantys.TakeCloud(cloud=cloud):
            return _cloud(view, cloud)
        case eriantys.UseCharacter() as use:
            return character(view, seat, use)
    return None


def _assistant(view: eriantys.View, seat: Seat, card: int) -> Objection | None:
    if not 1 <= card <= 10:
        return Objection(EriantysRule.NOWHERE)
    hand = view.boards[seat].hand
    if eriantys.PlayAssistant(card) in options.assistants(view, seat):
        return None
    return Objection(EriantysRule.PLAYED if card in hand else EriantysRule.SPENT)


def _students(view: eriantys.View, seat: Seat, actions: Sequence[Any]) -> Objection | None:
    board = view.boards[seat]
    moved_students = Counter(action.colour for action in actions)
    if len(actions) > view.moves - view.moved:
        return Objection(EriantysRule.NOT_NOW, most=view.moves - view.moved)
    if any(count > board.entrance[colour] for colour, count in moved_students.items()):
        return Objection(EriantysRule.NO_STUDENT)
    seated = Counter(action.colour for action in actions if isinstance(action, eriantys.ToHall))
    if any(board.hall[colour] + count > TABLE for colour, count in seated.items()):
        return Objection(EriantysRule.TABLE_FULL, most=TABLE)
    heads = {island.tiles[0] for island in view.islands}
    if any(isinstance(action, eriantys.ToIsland) and action.island not in heads for action in actions):
        return Objection(EriantysRule.NOWHERE)
    return None


def _cloud(view: eriantys.View, cloud: int) -> Objection | None:
    if not 0 <= cloud < len(view.clouds):
        return Objection(EriantysRule.NOWHERE)
    if any(view.clouds[cloud]) or not any(map(any, view.clouds)):  # if all clouds are empty, any choice ends the turn
        return None
    return Objection(EriantysRule.CLOUD_TAKEN)


def character(view: eriantys.View, seat: Seat, use: eriantys.UseCharacter) -> Objection | None:
    """Return the rule that forbids the use of a character, or None if it is legal."""
    name, coins = use.character, view.boards[seat].coins or 0
    card = next((card for card in view.characters if card.character is name), None)
    if card is None:
        return Objection(EriantysRule.NOT_ON_TABLE, card=name)
    if view.active is not None:
        return Objection(EriantysRule.ONE_A_TURN, card=view.active)
    if card.price > coins:
        return Objection(EriantysRule.TOO_DEAR, card=name, most=coins)
    uses = set(options.uses_of(view, seat, card))
    if not uses:
        return Objection(EriantysRule.USELESS, card=name)
    return None if use in uses else Objection(EriantysRule.NOT_SO, card=name)
