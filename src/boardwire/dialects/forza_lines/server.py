"""Server script of forza-lines: a name [3], then moves until the end [4]; anything else gets NO and a reason [5]."""

from typing import Any, Final

from boardwire.dialects.forza_lines.messages import NAME, NAME_LIMIT, write
from boardwire.dialects.forza_lines.tell import TELL
from boardwire.dialects.participant import Participant
from boardwire.errors import BoardwireError, Illegal, Malformed
from boardwire.games.forza import parse_action
from boardwire.lobby.requests import Decline, Seek
from boardwire.table.commands import AnswerUndo, Chat, Draw, Resign
from boardwire.table.events import Player
from boardwire.table.guest import Refusal, Seated, Step
from boardwire.talk import BadMessageCount, Talk

MAX_BAD_MESSAGES: Final = 100
"""Number of consecutive refused lines after which the connection is closed [5]."""


async def serve(talk: Talk[Any]) -> None:
    """Play one match with one client."""
    talk.say(write("HELLO What is your name?"))
    player, bad_messages = None, BadMessageCount(MAX_BAD_MESSAGES)
    while not bad_messages.limit_reached:
        received = await (talk if player is None else player).next_input()
        if type(received) is bytes:
            try:
                _handle_line(talk, player, received.decode("utf-8", "replace").strip())
            except BoardwireError as reason:
                talk.do(Decline(reason))
            received = await talk.notification()  # every line is answered before the next one is read [7.1]
        if type(received) is Step and player is not None:
            player.follow(received, TELL)
            if player.match.outcome is not None:
                return
            bad_messages.count = 0
        elif type(received) is Seated:
            player = Participant(talk, received)  # [3] again after a move to a table where an opponent waits
            talk.say(write("WELCOME Wait for your opponent."))
        elif type(received) is not Refusal:
            return  # the client is gone, or sent a line that is too long
        elif type(received.command) not in (AnswerUndo, Draw):  # the server declines offers for the client [6]
            if player is not None:
                player.take_refusal(received)
            talk.say(write("NO", received.reason.reason, str(received.reason)))
            bad_messages.add()


def _handle_line(talk: Talk[Any], player: Participant[Any] | None, text: str) -> None:
    """Carry out one line of a client [2.1]."""
    word, _, rest = text.partition(" ")
    if player is None:
        if not (text.isprintable() and 0 < len(text) <= NAME_LIMIT):
            raise Malformed(f"a name must have 1 to {NAME_LIMIT} visible characters")  # [3]
        talk.do(Seek("forza", 2, Player(text, NAME)))
    elif word.upper() == "SAY":
        talk.do(Chat(player.seat, rest))
    elif word.upper() == "RESIGN":
        talk.do(Resign(player.seat))
    else:
        column, pending = parse_action(text), player.match.pending
        if pending is not None and player.must_decide and column not in pending.choices:
            raise Illegal(f"column {text} is full")  # the rules' own sentence counts columns from 0
        player.act(column)
