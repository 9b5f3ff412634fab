"""Choices before the first turn: gods, starting player and placement of workers.

Workers start near the middle, apart from each other, and not where Bia's first move could remove one. The chosen god is
the first one on offer in `STRENGTH`, which is an estimate, not a measurement.
"""

from __future__ import annotations

from typing import Final

from boardwire.bots.engine import SearchResult
from boardwire.bots.greedy import santorini as greedy
from boardwire.bots.santorini.core.evaluation import CENTRE
from boardwire.games.game import Below, Decision
from boardwire.games.santorini import God, View
from boardwire.games.santorini.actions import Action, ChooseStart, NameStart, PickGod, PlaceWorker
from boardwire.games.santorini.board import BEHIND, NEIGHBOURS, squares_of

STRENGTH: Final = (
    God.ATHENA, God.PERSEPHONE, God.HYPNUS, God.MINOTAUR, God.APOLLO, God.ARTEMIS, God.TRITON, God.URANIA, God.DEMETER,
    God.HESTIA, God.POSEIDON, God.PAN, God.HERMES, God.PEGASUS, God.IRIS, God.PROMETHEUS, God.ATLAS, God.CHARON,
    God.MEDUSA, God.LIMUS, God.BIA, God.HADES, God.HARPIES, God.MORPHEUS, God.ZEUS, God.HEPHAESTUS, God.HERA,
    God.ARES, God.EROS, God.SELENE, God.ASTERIA, God.CHRONUS,
)  # fmt: skip
"""Gods from strong to weak; all other gods come last."""


def think(view: View, decision: Decision[Action], below: Below) -> SearchResult:
    """Return the preferred choice or, without a preference, the greedy bot's."""
    choices = tuple(decision.choices)
    if isinstance(choices[0], PickGod | NameStart | PlaceWorker | ChooseStart):
        worths = [_action_value(view, decision.seats[0], action) for action in choices]
        best = [action for action, worth in zip(choices, worths, strict=True) if worth == max(worths)]
        return SearchResult((best[below(len(best))],), 0.0, 0, len(choices))
    return SearchResult((greedy.choose(view, decision, below, len(choices)),), 0.0, 0, len(choices))


def _action_value(view: View, seat: int, action: Action) -> int:
    """Return the value of an action of the set-up; 0 for kinds that have no preference."""
    match action:
        case PickGod(god):
            return len(STRENGTH) - STRENGTH.index(god) if god in STRENGTH else 0
        case ChooseStart(starter):
            return int(starter == seat)
        case PlaceWorker(at):
            return _square_value(view, seat % len(view.workers), at)
        case _:
            return 0


def _square_value(view: View, side: int, at: int) -> int:
    """Rate a square: best near the middle, close to foes, and not beside the side's other worker, which would
    share its building sites.
    """
    worth = int(CENTRE[at])
    for team, squares in enumerate(view.workers):
        for square in squares:
            if square >= 0 and NEIGHBOURS[at] >> square & 1:
                worth += -6 if team == side else 3
            elif (
                square >= 0
                and team != side
                and God.BIA in view.gods[team :: len(view.workers)]
                and _in_line(square, at)
            ):
                worth -= 40
    return worth


def _in_line(frm: int, at: int) -> bool:
    """Return whether a square is two steps away in a straight line, where a move of Bia would remove a worker."""
    return any(BEHIND[frm][between] == at for between in squares_of(NEIGHBOURS[frm]))
