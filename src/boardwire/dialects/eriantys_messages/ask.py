"""ASK: the question for each decision, or its default answer if the protocol has no message for it."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, cast

from boardwire.dialects.eriantys_messages import messages as wire
from boardwire.dialects.eriantys_messages.participant import Participant
from boardwire.dialects.eriantys_messages.tell import StepReport
from boardwire.games.eriantys import Action, CloudTime, Done, Kind, View
from boardwire.games.eriantys import events as game
from boardwire.games.eriantys.nature import count_range
from boardwire.games.game import Decision

ASK: Final = {
    Kind.ASSISTANT: ("assistant", "Play an assistant card"),
    Kind.STUDENT: ("students", "Move students to islands or to your hall"),
    Kind.STEPS: ("motherNature", "Move mother nature"),
    Kind.FINISH: ("cloud", "There is no cloud to take: play a character, or choose any cloud to end your turn"),
    Kind.CLOUD: ("cloud", "Choose a cloud"),
}
"""Question for each decision: a keyword for programs and a sentence. FINISH shares its keyword with CLOUD."""

STUDENTS_OR_CLOUD: Final = "studentsOrCloud"

DEFAULTS: Final = {Kind.SWAP: Done()}
"""Default answers: a character's message contains all swaps, so a further swap is declined."""


def ask(client: Participant, report: StepReport) -> None:
    """Ask this player for the pending decision if it is new, and again after each of its own steps."""
    pending = client.match.pending
    if pending is None or client.seat not in pending.seats:
        client.asked_kind = None
        return
    kind = cast("Kind", pending.kind)
    action = default(pending)
    if action is not None:
        if client.pending_act is None:
            client.act(action)
        return
    if report.mover == client.seat or client.asked_kind is not kind:
        word, text = question(kind, report.after, game.TURN_BEGAN[client.seat] in report.happened)
        client.talk.say(_question_line(client.peer.nickname, word, text))
    client.asked_kind = kind


@lru_cache(4096)
def _question_line(nickname: str, word: str, text: str) -> bytes:
    """Encode a question. Cached, because a player gets a few dozen different ones."""
    return wire.encode(wire.TextMessage(nickname=nickname, text=text, ask=word))


def default(decision: Decision[Action]) -> Action | None:
    """Return the default answer to a decision, or None if the player must be asked.

    There are defaults for decisions that the protocol cannot ask, and for the end of a turn without a usable character.
    """
    if decision.kind is Kind.FINISH and len(decision.choices) == 1:
        return Done()
    return DEFAULTS.get(cast("Kind", decision.kind))


def question(kind: Kind, view: View, starts_turn: bool) -> tuple[str, str]:
    """Return the keyword and the sentence of a question; `starts_turn` marks the first question of a turn."""
    word, text = ASK[kind]
    if kind is Kind.STUDENT:
        text = f"{text}: {view.moves - view.moved} to go"
        if cloud_is_open(view):
            word, text = STUDENTS_OR_CLOUD, f"{text}; or take a cloud first"
    elif kind is Kind.STEPS:
        text = f"{text}, {count_range(view.steps, 'island')}"
    return word, f"Your turn starts. {text}" if starts_turn else text


def cloud_is_open(view: View) -> bool:
    """Return whether a cloud may be taken before the first student is moved [6.2]."""
    return view.cloud is CloudTime.EITHER and not (view.moved or view.took_cloud or view.clouds_closed)
