"""Login of santorini-objects: from the first message to a named seat.

- D cannot refuse a name. An empty name is replaced by a number, a long one is truncated to 32 characters, and a
  duplicate at the table gets a suffix.
- F refuses invalid and duplicate names [7.1, 12.6].
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.messages import classes as wire
from boardwire.dialects.santorini_objects.messages.cells import GODS
from boardwire.dialects.santorini_objects.messages.texts import BAD_NUMBER, texts
from boardwire.dialects.santorini_objects.participant import Participant, ServerInput
from boardwire.errors import Malformed
from boardwire.games.game import Seat
from boardwire.games.santorini.options import Draft, Options
from boardwire.games.santorini.wish import Wish
from boardwire.lobby.requests import Seek
from boardwire.table.commands import Ready
from boardwire.table.events import Player, Started
from boardwire.table.guest import Refusal, Seated, Step
from boardwire.table.match import Status
from boardwire.talk import Gone, Talk, Woke

DIALECT: Final = "santorini-objects"
MAX_NAME_LENGTH: Final = 32
NAME_TIMEOUT_SECONDS: Final = 60.0
"""Time limit for a D client's name; the other players at the table wait for it."""

SEATS: Final = (2, 3)

MAX_NAME_ATTEMPTS: Final = 8
"""Names tried for a D client. A table has at most three seats, so further refusals have another reason."""

_WISH: Final = Wish(GODS)
_UNNAMED: Final = Player(dialect=DIALECT)


class SeatRequest(msgspec.Struct, frozen=True):
    """Requested table size and player name (D sends its name later)."""

    seats: int
    name: str = ""


def greet(edition: Edition, first: Any) -> SeatRequest | bytes:
    """Return the request in the first message, or the bytes to send before closing the connection."""
    if edition.is_shipped:
        return _greet_shipped(edition, first) if isinstance(first, wire.Connection) else b""
    # [6.1, 11.3] only the first character counts; older servers treat every number but 2 as three
    text = first.message if isinstance(first, wire.Message) and first.message else " "
    if text[0] in "23":
        return SeatRequest(int(text[0]))
    return SeatRequest(3) if edition is Edition.D1 and text[0] in "0123456789" else b""


def _greet_shipped(edition: Edition, first: wire.Connection) -> SeatRequest | bytes:
    if first.num_of_players not in SEATS:
        return edition.encode(wire.Message(BAD_NUMBER))
    name = first.name or ""
    if not name.strip() or len(name) > MAX_NAME_LENGTH or not name.isprintable():
        return texts(edition).name_refused
    return SeatRequest(first.num_of_players, name)


def name_with(name: str, seat: Seat, attempt: int) -> str:
    """Return a valid name for a player: printable and not empty, with a number from the second attempt on."""
    valid = "".join(char if char.isprintable() else " " for char in name).strip() or f"Player {seat + 1}"
    suffix = f" {attempt}" if attempt > 1 else ""
    return valid[: MAX_NAME_LENGTH - len(suffix)].rstrip() + suffix


# --- to a seat ------------------------------------------------------------------------------------------------------


async def find_seat(talk: Talk[ServerInput], edition: Edition, request: SeatRequest) -> Seated | None:
    """Take a seat without a name. Open a new table if the waiting one shares too few of this protocol's gods."""
    options = Options(Draft.TWO_ROUNDS if edition.is_shipped else Draft.TOGETHER)
    for fresh in (False, True):
        talk.do(Seek("santorini", request.seats, _UNNAMED, options, wish=_WISH, ready=False, fresh=fresh))
        match await talk.notification():
            case Seated() as seated:
                return seated
            case Refusal():
                continue
            case _:
                break
    return None


async def take_name(client: Participant, name: str) -> Step | None:
    """Agree on the name and wait for the match; return the step that starts it, or None if the conversation is over.

    D clients are asked when the table is full [6.3], all at the same time, so that a slow client does not delay the
    questions to the others.
    """
    talk, edition = client.talk, client.edition
    attempt, is_asked = 0, False

    def send_ready() -> None:
        """Become ready under the next form of the name."""
        nonlocal attempt
        attempt += 1
        talk.do(Ready(client.seat, Player(name_with(name, client.seat, attempt), DIALECT)))

    if edition.is_shipped:
        send_ready()
    while True:
        received = await talk.next_input()
        if isinstance(received, Step):
            if received.match.status is not Status.WAITING:
                talk.wake(0, "name")
                return received if any(type(moment.event) is Started for moment in received.moments) else None
            client.follow(received)
            if not is_asked and not edition.is_shipped and all(client.match.players):
                is_asked = True
                talk.say(texts(edition).ask_name)
                talk.wake(NAME_TIMEOUT_SECONDS, "name")
        elif isinstance(received, Seated):
            client.sit(received)  # moved to another waiting table, which is invisible to the client
        elif isinstance(received, Refusal):
            if edition.is_shipped:
                talk.say(texts(edition).name_refused)  # [7.1]
            if edition.is_shipped or attempt > MAX_NAME_ATTEMPTS:
                return None
            send_ready()
        elif isinstance(received, wire.Message) and is_asked and not attempt:
            talk.wake(0, "name")
            name = received.message or ""
            send_ready()
        elif isinstance(received, Gone | Woke | Malformed) or not client.count_bad_message():
            return None
        elif is_asked and not attempt:
            talk.say(texts(edition).ask_name)
