"""A turn: its kind, the worker, the steps (turn 2 to 7), asked and answered.

Choosing the kind of turn and the worker is the protocol's own: the table hears of the steps alone.  Exactly one view
answers each `selectWorker` and each step that another one follows; one more would confuse the shipped client [8.7].
"""

from __future__ import annotations

from boardwire.dialects.santorini_actions import replies, requests
from boardwire.dialects.santorini_actions.battlefield import worker_view
from boardwire.dialects.santorini_actions.cards import TYPES
from boardwire.dialects.santorini_actions.setup import check_sender, take_default
from boardwire.dialects.santorini_actions.sitting import Phase, Sitting
from boardwire.dialects.santorini_actions.step import END, Step, acting, due, opening
from boardwire.errors import Refused
from boardwire.games.game import Decision
from boardwire.games.santorini import Action, Kind
from boardwire.games.santorini.actions import DONE

# --- ASK ------------------------------------------------------------------------------------------------------------


def ask_open(sitting: Sitting, pending: Decision[Action]) -> None:
    """A new turn, which `actualPlayer` has announced; or, after a build before the move, the next step."""
    position = sitting.match.position
    if acting(position) >= 0:
        ask_step(sitting, pending)
        return
    sitting.opening = opening(position, pending.choices)
    if not (sitting.opening.power or sitting.opening.plain):
        take_default(sitting, pending)  # a god of another dialect, who can do nothing that has a name here
        return
    if sitting.owed is not None:
        sitting.answer(Step.END)
    sitting.phase, sitting.due = Phase.STARTING, END
    sitting.plain = sitting.skipped = False


def can_start(sitting: Sitting) -> bool:
    """Whether a turn of the client's that begins now can be put into this protocol's words.  The fourteen gods' can."""
    position, pending = sitting.match.position, sitting.match.pending
    if position.lineup.gods[sitting.seat] in TYPES or pending is None or pending.kind is not Kind.OPEN:
        return True
    how = opening(position, pending.choices)
    return sitting.seat not in pending.seats or how.power or how.plain


def ask_step(sitting: Sitting, pending: Decision[Action]) -> None:
    """The next step of the worker in use: its view, and then the answer to the step before (turn 7)."""
    if sitting.phase is Phase.WATCHING and sitting.owed is None:
        take_default(sitting, pending)  # a turn that was begun for the client, or is over for it, is ended for it
        return
    position = sitting.match.position
    following = due(position, pending, acting(position), sitting.plain, sitting.skipped)
    if not following.targets:
        take_default(sitting, pending)  # [3.5, 21] a step that can go nowhere is skipped; so is a plain turn's rest
        return
    sitting.phase, sitting.due = Phase.STEPPING, following
    sitting.caller.say(worker_view(following.targets))
    sitting.answer(following.step)


# --- HEAR -----------------------------------------------------------------------------------------------------------


def start_turn(sitting: Sitting, request: requests.SetStartTurn) -> None:
    """The kind of the turn (turn 2).  Where a turn of the wanted kind cannot begin, the answer says it is of the other:
    nobody loses while any turn is possible [8.13]."""
    check_sender(sitting, request.data.playerNickname)
    plain = request.data.basicTurn
    if not sitting.opening.has(plain):
        plain = not plain
    sitting.plain, sitting.due, sitting.phase = plain, END, Phase.SELECTING
    sitting.caller.say(replies.started(sitting.names[sitting.seat], plain, sitting.opening.first(plain)))


def select_worker(sitting: Sitting, request: requests.SelectWorker) -> None:
    """The worker to use, by its cell; it may be changed until the first step (turn 3)."""
    check_sender(sitting, request.data.playerNickname)
    square = 5 * request.data.x + request.data.y
    position, pending = sitting.match.position, sitting.match.pending
    if square not in position.workers[sitting.seat]:
        raise Refused("no worker of yours stands there")
    assert pending is not None, "a client that selects is one whose turn it is"
    sitting.due, sitting.phase = due(position, pending, square, sitting.plain), Phase.FIRST
    sitting.caller.say(worker_view(sitting.due.targets))


def play_step(sitting: Sitting, request: requests.PlayStep) -> None:
    """The step, to a cell (turn 4)."""
    square = 5 * request.data.x + request.data.y
    action = sitting.due.targets.get(square)
    if action is None:
        raise Refused(f"{sitting.due.step} cannot go to that cell")
    sitting.owed, sitting.skipped = (square,), False
    sitting.act(action)


def skip_step(sitting: Sitting, request: requests.SkipStep) -> None:
    """No step, where it is optional (turn 5)."""
    if not sitting.due.optional:
        raise Refused(f"{sitting.due.step} cannot be skipped")
    sitting.owed = ()
    pending = sitting.match.pending
    if pending is not None and DONE in pending.choices:
        sitting.act(DONE)
    else:
        sitting.skipped, sitting.asked = True, None  # not to move on is to build, which the table hears of then
