"""Checks of eriantys-objects.  The shipped program fails those of our rulings, as the specification notes."""

from __future__ import annotations

from typing import Final

from boardwire.conformance.server import eriantys_objects_end as end
from boardwire.conformance.server import eriantys_objects_lobby as lobby
from boardwire.conformance.server import eriantys_objects_turns as turns
from boardwire.conformance.server.check import Check
from boardwire.conformance.server.eriantys_objects_player import ADVANCED, BEGINNER
from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.eriantys_objects.messages import GREETING, encode

_PING: Final = encode(wire.PingMessage())

CHECKS: Final = (
    Check("the header comes at once, before anything is said", "1", lobby.header),
    Check("a player is let in, and the first is asked for a number", "3.2.1", lobby.login),
    Check("an empty name is refused in words, and may be tried again", "3.2.1", lobby.no_name),
    Check("a name in use is refused in words, and may be tried again", "3.2.1", lobby.taken_name),
    Check("a message may come in pieces, two in one segment", "1", lobby.in_pieces),
    Check("a message may come without a reset after it", "1", lobby.without_reset),
    Check("pings are not answered", "3.1", lobby.pings),
    *(
        Check(f"the towers of {count} players are offered", "3.2.3", lobby.towers(count))
        for count in (2, 3, 4)
    ),
    Check("a number of players that is none is not taken", "3.2.3", lobby.bad_number),
    Check("a tower that is taken is asked for again", "3.2.5", lobby.taken_tower),
    Check("whoever comes while the first chooses is answered later", "3.2.4", lobby.held),
    Check("a first player who leaves frees name and lobby", "3.2.4", lobby.left_while_choosing),
    *(
        Check(f"{count} players, {mode.name}, see clouds, islands and their board", "3.2.7",
              lobby.start(count, mode))
        for count in (2, 3, 4)
        for mode in (BEGINNER, ADVANCED)
    ),
    Check("the index of a card counts in the offer, and all see the card", "3.3", turns.planning),
    Check("a card that is not offered, or out of turn, is not played", "3.3", turns.wrong_cards),
    Check("nobody speaks for somebody else", "2", turns.another_name),
    Check("the lower card begins, and all hear whose turn it is", "3.4", turns.order),
    Check("students go to an island, all see it, the hall is asked for the rest", "3.4.1", turns.to_island),
    Check("if all go to the island the hall is not asked for", "3.4.1", turns.all_to_island),
    Check("students go to the hall, and the board shows it", "3.4.2", turns.to_hall),
    Check("an immutable list and a missing one are lists of none", "1", turns.immutable_list),
    Check("too many students, absent ones and unknown islands change nothing", "6.1", turns.wrong_students),
    Check("students out of turn change nothing", "6.1", turns.out_of_turn),
    Check("mother nature does not go before the students", "6.1", turns.too_early),
    Check("mother nature goes as far as the card says", "3.4.3", turns.mother_nature),
    Check("the cloud ends the turn, and is gone", "3.4.4", turns.cloud),
    Check("the next round has new clouds, and the card is gone", "3.5", turns.next_round),
    Check("boards of the others are shown to whoever asks", "2", turns.boards),
    Check("characters are offered alone, and may be declined twice", "3.4", turns.offered),
    Check("a character that is not there, or too dear, is not played", "3.4", turns.forged),
    Check("a character is paid, and works once in a turn", "3.4", turns.played),
    Check("what is no object stream ends the connection", "1", end.no_stream),
    Check("an unknown class ends the connection, and frees the name", "1",
          end.rubbish(_PING.replace(b"PingMessage", b"PongMessage"))),
    Check("another serialVersionUID ends the connection, and frees the name", "1",
          end.rubbish(_PING.replace(bytes.fromhex("9e95a46c31d2b567"), bytes(8)))),
    Check("a corrupted stream ends the connection, and frees the name", "1", end.rubbish(b"w\x05hello")),
    Check("a second header ends the connection, and frees the name", "1", end.rubbish(GREETING)),
    Check("class and type must match", "2", end.wrong_type),
    Check("a player who leaves in its turn ends the match for the others", "3.6", end.leaving),
    Check("so does one who leaves in another's turn", "3.6", end.leaving_off_turn),
    Check("several matches at once", "6.5", end.several_tables),
    *(
        Check(f"a match of {count}, {mode.name}, ends with WinMessage for all", "3.6", end.match_of(count, mode))
        for count, mode in ((2, BEGINNER), (2, ADVANCED), (3, BEGINNER), (4, ADVANCED))
    ),
)  # fmt: skip
