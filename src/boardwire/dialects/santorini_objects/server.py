"""The server's end of santorini-objects, all editions.

The conversation, with the sections of docs/dialects/santorini-objects.md in brackets:

1. The client's first object tells its edition [1]: D says "2 players" [6.1], F sends a `Connection` [7.1].
2. It sits down.  D is asked its name when the table is full [6.3]; F has said it, and is refused if it is taken
   [7.1].
3. When all are ready, each is told its number and all names [6.4, 7.2], and the set-up begins.
4. Decisions are put as `ask` says, and what happens is told as `tell` says, until somebody wins or leaves.
5. Then the connection is closed [6].
"""

from __future__ import annotations

from typing import cast

import msgspec

from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.lobby import find_seat, greet, take_name
from boardwire.dialects.santorini_objects.messages.texts import texts
from boardwire.dialects.santorini_objects.participant import Heard, Participant
from boardwire.table.guest import Refusal, RematchWanted, Step
from boardwire.talk import Talk


async def serve(talk: Talk[Heard]) -> None:
    """Play one match with one client."""
    edition = await talk.hear()
    if not isinstance(edition, Edition):
        return
    wanted = greet(edition, await talk.hear())
    if isinstance(wanted, bytes):
        talk.say(wanted)
        return
    seated = await find_seat(talk, edition, wanted)
    if seated is None:
        return
    client = Participant(talk, edition, seated)
    step = await take_name(client, wanted.name)
    if step is not None:
        talk.say(texts(edition).number[client.seat])
        client.hear_step(step)
        await _play(client)


async def _play(client: Participant) -> None:
    """The match, from the step that starts it to its end."""
    messages = client.edition.schema.types
    while not client.is_over():
        heard = await client.talk.hear()
        if type(heard) is Step:
            client.hear_step(heard)
        elif type(heard) is Refusal:
            if not client.hear_refusal(heard):
                return
        elif type(heard) in messages:
            if not client.hear_message(cast("msgspec.Struct", heard)):
                return
        elif type(heard) is not RematchWanted:  # which is told after the end, while F still declines; it has no words
            return  # the peer is gone, or sent what cannot be read
