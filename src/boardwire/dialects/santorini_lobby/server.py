"""Server script of santorini-lobby.

Sections of docs/dialects/santorini-lobby.md are in brackets.

1. A connection is attached to the lobby being filled and logs in, or only watches (`lobby.py`).
2. When the lobby is full, the gods on offer are announced [5.3].
3. SELECT_GODS makes its sender the challenger [5.4], the others CHOOSE_GOD [5.5], the challenger CHOOSE_FIRST_PLAYER
   [5.6], and all PLACE_PAWNS in order of play [5.7].
4. ACTION_READY lists a user's actions; CHECK_ACTION tests one, EXECUTE_ACTION performs it [5.8].
5. WIN or SERVER_ERROR is the last message; every connection of the lobby is closed [5.10].

Each request but PING gets exactly one RESULT, after all events it caused. Later requests wait in order.
"""

from __future__ import annotations

from typing import Final

from boardwire.dialects.participant import ScriptInput
from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.dialects.santorini_lobby.answer import actions
from boardwire.dialects.santorini_lobby.ask import default, second_offer
from boardwire.dialects.santorini_lobby.lobby import log_in
from boardwire.dialects.santorini_lobby.participant import Participant
from boardwire.dialects.santorini_lobby.session import ClientSession, Unresponsive
from boardwire.dialects.santorini_lobby.tell import lost_line, tell
from boardwire.table.commands import Close
from boardwire.table.guest import Refusal, Step
from boardwire.table.match import Status
from boardwire.table.policy import Leaving
from boardwire.table.termination import Termination
from boardwire.talk import Gone, Talk

_OVER: Final = Status.OVER


async def serve(talk: Talk[bytes | ScriptInput]) -> None:
    """Take one client through one lobby."""
    session = ClientSession(talk)
    seated = await log_in(session)
    if seated is None:
        return
    user = Participant(talk, seated)
    _take_default(user)
    while user.match.status is not _OVER:
        raw = await user.next_input()
        if type(raw) is Step:
            _report_step(user, raw)
            continue
        received = session.read(raw) if type(raw) is bytes else session.filter_input(raw, user.pending_act is not None)
        if isinstance(received, wire.Message):
            _answer_request(user, received)
        elif type(received) is Refusal:
            _handle_refusal(user, received)
        elif type(received) is Unresponsive:  # [9]
            if not _ends_all(user):
                talk.say(lost_line(user.names[user.seat]))
                return
            talk.do(Close(Termination.CONNECTION_LOST, user.seat))  # the step that follows reports it to all
        elif type(received) is Gone:
            return


def _answer_request(user: Participant, request: wire.Request) -> None:
    """Answer a request with one RESULT, at once or when the table has accepted or refused its actions."""
    table_actions = actions(user, request)
    if table_actions and type(request) is not wire.CheckAction:
        user.request = request
        user.act(*table_actions)
    else:
        user.talk.say(_offer_again(user, request) + user.complete_request(bool(table_actions)))


def _offer_again(user: Participant, request: wire.Request) -> bytes:
    """Return the second list, once, for a client that answers the list of dealt gods with SELECT_GODS [6]."""
    if type(request) is not wire.SelectGods or request.user.username != user.names[user.seat] or user.has_second_offer:
        return b""
    offer = second_offer(user.match, user.seat)
    user.has_second_offer = bool(offer)
    return offer


def _report_step(user: Participant, step: Step) -> None:
    """Report a step. If it completes the user's request, or ends the match before it, the RESULT follows."""
    before = user.match
    user.follow(step)
    lines = tell(before, step, user.users, user.seat)
    if user.request is not None and (user.pending_act is None or user.match.status is _OVER):
        lines += user.complete_request(user.pending_act is None)
    if lines:
        user.talk.say(lines)
    _take_default(user)


def _handle_refusal(user: Participant, refusal: Refusal) -> None:
    """Handle a refused act. If the match has changed meanwhile, judge the request again."""
    act, request = user.pending_act, user.request
    if act is None or not user.take_refusal(refusal):
        return
    is_stale = act.seen != user.match.seq
    if request is not None:
        _answer_request(user, request) if is_stale else user.talk.say(user.complete_request(False))
    if is_stale:
        _take_default(user)


def _take_default(user: Participant) -> None:
    """Take the default for a decision that this protocol cannot ask."""
    if user.pending_act is None:
        action = default(user.match, user.seat)
        if action is not None:
            user.act(action)


def _ends_all(user: Participant) -> bool:
    """Return whether the match ends if this user leaves: by the table's policy, unless the user is eliminated."""
    return user.match.setting.policy.leaving is Leaving.ENDS and not user.match.position.out >> user.seat & 1
