"""Server script of santorini-objects, all editions.

Sections of docs/dialects/santorini-objects.md are in brackets.

1. The client's first object determines its edition [1]: D sends "2 players" [6.1], F sends a `Connection` [7.1].
2. The client takes a seat. D is asked for a name when the table is full [6.3]; F has sent one, and is refused if the
   name is taken [7.1].
3. When all players are ready, each receives its number and all names [6.4, 7.2], and the set-up begins.
4. `ask` asks decisions and `tell` reports events until a player wins or leaves.
5. The server closes the connection [6].
"""

from __future__ import annotations

from typing import cast

import msgspec

from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.lobby import find_seat, greet, take_name
from boardwire.dialects.santorini_objects.messages.texts import texts
from boardwire.dialects.santorini_objects.participant import Participant, ServerInput
from boardwire.table.guest import Refusal, RematchWanted, Step
from boardwire.talk import Talk


async def serve(talk: Talk[ServerInput]) -> None:
    """Play one match with one client."""
    edition = await talk.next_input()
    if not isinstance(edition, Edition):
        return
    request = greet(edition, await talk.next_input())
    if isinstance(request, bytes):
        talk.say(request)
        return
    seated = await find_seat(talk, edition, request)
    if seated is None:
        return
    client = Participant(talk, edition, seated)
    step = await take_name(client, request.name)
    if step is not None:
        talk.say(texts(edition).number[client.seat])
        client.handle_step(step)
        await _play_match(client)


async def _play_match(client: Participant) -> None:
    """Run the match from its first step to its end."""
    messages = client.edition.schema.types
    while not client.is_over():
        received = await client.talk.next_input()
        if type(received) is Step:
            client.handle_step(received)
        elif type(received) is Refusal:
            if not client.handle_refusal(received):
                return
        elif type(received) in messages:
            if not client.handle_message(cast("msgspec.Struct", received)):
                return
        elif type(received) is not RematchWanted:  # may follow the end while F still has to decline
            return  # disconnected, or malformed data
