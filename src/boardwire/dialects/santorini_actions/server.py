"""The server's end of santorini-actions, in both editions.

1. The client asks for a name and a number of players (creation 1); `lobby` finds it a table.
2. When all are there the god player is named, and cards and workers are chosen (creation 2 to 4); `setup`.
3. Turn by turn the player whose turn it is starts it, selects a worker and plays its steps (turn 1 to 7); `turn`.
4. The board goes to all after every change, and `youWin` or `youLose` at the end (finish 1); `tell`.
5. The connection stays open for another `addPlayer` [3.6].  If somebody leaves, the others get `serverError` (finish 2)
   and are closed.

Three tables hold it together: ASK (decisions), TELL (events, in `tell`), ANSWER (queries, in `queries`); and HEAR says
which requests a client may make where it stands.  Whatever else it sends is refused, and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final

import msgspec

from boardwire.dialects.santorini_actions import requests, setup, turn
from boardwire.dialects.santorini_actions.caller import Caller
from boardwire.dialects.santorini_actions.cards import card_name
from boardwire.dialects.santorini_actions.edition import Edition
from boardwire.dialects.santorini_actions.lobby import join
from boardwire.dialects.santorini_actions.queries import ANSWER
from boardwire.dialects.santorini_actions.requests import AddPlayer
from boardwire.dialects.santorini_actions.sitting import Phase, Sitting
from boardwire.dialects.santorini_actions.step import Step as Named
from boardwire.dialects.santorini_actions.tell import tell
from boardwire.errors import Refused
from boardwire.games.game import Decision
from boardwire.games.santorini import Action, Kind
from boardwire.table.commands import Act
from boardwire.table.errands import Depart, Unclaim
from boardwire.table.guest import Refusal, Seated, Step
from boardwire.talk import Script, Talk


def serve_as(edition: Edition) -> Script:
    """The script of one edition."""

    async def serve(talk: Talk[Any]) -> None:
        caller = Caller(edition, talk)
        request: AddPlayer | None = None
        while not caller.gone:
            sitting = await join(caller, request)
            if sitting is not None:
                request = await _attend(sitting)

    return serve


async def _attend(sitting: Sitting) -> AddPlayer | None:
    """One match.  Gives the request for another one, where the client has made it already."""
    caller = sitting.caller
    talk = caller.talk
    while not caller.gone:
        heard = await (talk.news() if sitting.busy else talk.hear())
        if type(heard) is Step:
            tell(sitting, heard)
            if sitting.match.outcome is not None:
                break
            put(sitting)
            continue
        heard = caller.read(heard) if type(heard) is bytes else caller.sift(heard)
        if type(heard) is Refusal:
            _refused(sitting, heard)
        elif type(heard) is Seated:
            sitting.sit(heard)
        elif type(heard) is AddPlayer and sitting.phase is Phase.OUT:
            _leave(sitting)
            return heard
        elif type(heard) in _REQUESTS:
            _hear(sitting, heard)
    if not caller.gone:
        _leave(sitting)
    return None


def _leave(sitting: Sitting) -> None:
    """[3.6, 24] the name is free again, and the connection stays."""
    sitting.caller.talk.do(Depart())
    sitting.caller.talk.do(Unclaim())


def _refused(sitting: Sitting, refusal: Refusal) -> None:
    if isinstance(refusal.command, Act):
        sitting.busy, sitting.owed = False, None
        sitting.caller.refuse(str(refusal.reason))


def _hear(sitting: Sitting, request: Any) -> None:
    phase = sitting.phase
    if phase is Phase.OUT or (phase is Phase.WAITING and type(request) is not AddPlayer):
        return  # [3.2, 7] [3.8, 27] passed over in silence
    answer = ANSWER.get(type(request))
    if answer is not None:
        sitting.caller.accept()
        sitting.caller.say(answer(sitting, request))
        return
    try:
        heard = HEAR[phase].get(type(request))
        if heard is None:
            raise Refused(f"{type(request).__struct_config__.tag} is not what you are asked for now")
        heard.take(sitting, request)
    except Refused as why:
        sitting.caller.refuse(str(why))
        return
    sitting.caller.accept()
    if not sitting.busy:
        put(sitting)


# --- ASK: each decision in this protocol's words --------------------------------------------------------------------


def put(sitting: Sitting) -> None:
    """Ask the client what is to be asked of it now, unless it has been."""
    pending = sitting.match.pending
    if pending is None or pending is sitting.asked or sitting.phase is Phase.OUT:
        return
    if sitting.match.position.setup is not None:
        setup.name_god(sitting)
    god = sitting.gods[sitting.seat]
    if god is not None and not sitting.carded:
        setup.offer_cards(sitting, (card_name(god),))  # it was given its card: a choice of one
        return
    sitting.asked = pending
    if sitting.seat in pending.seats:
        ASK[pending.kind](sitting, pending)
    else:
        sitting.phase = Phase.WATCHING
        if sitting.owed is not None:
            sitting.answer(Named.END)


ASK: Final[dict[StrEnum, Callable[[Sitting, Decision[Action]], None]]] = {
    Kind.PROPOSE_GOD: setup.ask_cards,
    Kind.PICK_GOD: setup.ask_card,
    Kind.PLACE_WORKER: setup.ask_workers,
    Kind.OPEN: turn.ask_open,
    Kind.GO_ON: turn.ask_step,
    Kind.BUILD_MORE: turn.ask_step,
    Kind.CLOSE: turn.ask_step,
    **dict.fromkeys((Kind.NAME_START, Kind.CHOOSE_START, Kind.PLACE_RAM, Kind.PREPARE), setup.take_default),
    **dict.fromkeys((Kind.REPLY, Kind.CHANCE), setup.take_default),
}
"""How each kind of decision is put to the client, or which default is taken.  Luck is never asked of a seat."""

# --- HEAR: what a client may say, by where it stands ----------------------------------------------------------------


class Heard(msgspec.Struct, frozen=True):
    """A request that is taken: how, what is said to it, and where the client may stand then."""

    take: Callable[[Sitting, Any], None]
    says: str
    leads: tuple[Phase, ...]


_START: Final = Heard(turn.start_turn, "setStartTurnResponse", (Phase.SELECTING,))
_SELECT: Final = Heard(turn.select_worker, "workerViewUpdate", (Phase.FIRST,))
_PLAYED: Final = "battlefieldUpdate, workerViewUpdate unless END, playStepResponse unless the match ends"
_SKIPPED: Final = "workerViewUpdate unless END, skipStepResponse unless the match ends"
_AFTER_A_STEP: Final = (Phase.STEPPING, Phase.WATCHING, Phase.OUT)

HEAR: Final[dict[Phase, dict[type, Heard]]] = {
    Phase.WAITING: {},
    Phase.WATCHING: {},
    Phase.GOD: {requests.SetPickedCards: Heard(setup.pick_cards, "", (Phase.WATCHING,))},
    Phase.CARD: {
        requests.SetPlayerCard: Heard(setup.choose_card, "", (Phase.WATCHING, Phase.PLACING, Phase.CARD)),
    },
    Phase.PLACING: {
        requests.SetWorkersPosition: Heard(setup.place_workers, "battlefieldUpdate twice", (Phase.WATCHING,)),
    },
    Phase.STARTING: {requests.SetStartTurn: _START},
    Phase.SELECTING: {requests.SetStartTurn: _START, requests.SelectWorker: _SELECT},
    Phase.FIRST: {
        requests.SetStartTurn: _START,
        requests.SelectWorker: _SELECT,
        requests.PlayStep: Heard(turn.play_step, _PLAYED, (Phase.STEPPING, Phase.OUT)),
    },
    Phase.STEPPING: {
        requests.PlayStep: Heard(turn.play_step, _PLAYED, _AFTER_A_STEP),
        requests.SkipStep: Heard(turn.skip_step, _SKIPPED, _AFTER_A_STEP),
    },
}

_REQUESTS: Final = frozenset((AddPlayer, *requests.CHOICES, *requests.QUERIES))
