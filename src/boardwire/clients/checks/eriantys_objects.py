"""What the page of eriantys-objects says, tried on a server.  The shipped program is wrong where the page's rulings say
so, and fails some of them."""

from __future__ import annotations

from typing import Final

from boardwire.clients.checks import eriantys_objects_end as end
from boardwire.clients.checks import eriantys_objects_lobby as lobby
from boardwire.clients.checks import eriantys_objects_turns as turns
from boardwire.clients.checks.check import Check
from boardwire.clients.checks.eriantys_objects_player import ADVANCED, BEGINNER
from boardwire.dialects.eriantys_objects import classes as wire
from boardwire.dialects.eriantys_objects.stream import GREETING, encode

_PING: Final = encode(wire.PingMessage())

CHECKS: Final = (
    Check("the header comes at once, before anything is said", "Framing", lobby.header),
    Check("a player is let in, and the first is asked for a number", "Login and lobby 1", lobby.login),
    Check("an empty name is refused in words, and may be tried again", "Login and lobby 1", lobby.no_name),
    Check("a name in use is refused in words, and may be tried again", "Login and lobby 1", lobby.taken_name),
    Check("a message may come in pieces, two in one segment", "Framing", lobby.in_pieces),
    Check("a message may come without a reset after it", "Framing", lobby.without_reset),
    Check("pings are not answered", "Pings", lobby.pings),
    *(
        Check(f"the towers of {count} players are offered", "Login and lobby 3", lobby.towers(count))
        for count in (2, 3, 4)
    ),
    Check("a number of players that is none is not taken", "Login and lobby 3", lobby.bad_number),
    Check("a tower that is taken is asked for again", "Login and lobby 5", lobby.taken_tower),
    Check("whoever comes while the first chooses is answered later", "Login and lobby 4", lobby.held),
    Check("a first player who leaves frees name and lobby", "Login and lobby 4", lobby.left_while_choosing),
    *(
        Check(f"{count} players, {mode.name}, see clouds, islands and their board", "Login and lobby 7",
              lobby.start(count, mode))
        for count in (2, 3, 4)
        for mode in (BEGINNER, ADVANCED)
    ),
    Check("the index of a card counts in the offer, and all see the card", "Planning", turns.planning),
    Check("a card that is not offered, or out of turn, is not played", "Planning", turns.wrong_cards),
    Check("nobody speaks for somebody else", "Messages", turns.another_name),
    Check("the lower card begins, and all hear whose turn it is", "Turns", turns.order),
    Check("students go to an island, all see it, the hall is asked for the rest", "Turns 1", turns.to_island),
    Check("if all go to the island the hall is not asked for", "Turns 1", turns.all_to_island),
    Check("students go to the hall, and the board shows it", "Turns 2", turns.to_hall),
    Check("an immutable list and a missing one are lists of none", "Framing", turns.immutable_list),
    Check("too many students, absent ones and unknown islands change nothing", "Rulings 1", turns.wrong_students),
    Check("students out of turn change nothing", "Rulings 1", turns.out_of_turn),
    Check("mother nature does not go before the students", "Rulings 1", turns.too_early),
    Check("mother nature goes as far as the card says", "Turns 3", turns.mother_nature),
    Check("the cloud ends the turn, and is gone", "Turns 4", turns.cloud),
    Check("the next round has new clouds, and the card is gone", "What players are told", turns.next_round),
    Check("boards of the others are shown to whoever asks", "Messages", turns.boards),
    Check("characters are offered alone, and may be declined twice", "Turns", turns.offered),
    Check("a character that is not there, or too dear, is not played", "Turns", turns.forged),
    Check("a character is paid, and works once in a turn", "Turns", turns.played),
    Check("what is no object stream ends the connection", "Framing", end.no_stream),
    Check("an unknown class ends the connection, and frees the name", "Framing",
          end.rubbish(_PING.replace(b"PingMessage", b"PongMessage"))),
    Check("another serialVersionUID ends the connection, and frees the name", "Framing",
          end.rubbish(_PING.replace(bytes.fromhex("9e95a46c31d2b567"), bytes(8)))),
    Check("a corrupted stream ends the connection, and frees the name", "Framing", end.rubbish(b"w\x05hello")),
    Check("a second header ends the connection, and frees the name", "Framing", end.rubbish(GREETING)),
    Check("class and type must match", "Messages", end.wrong_type),
    Check("a player who leaves in its turn ends the match for the others", "The end", end.leaving),
    Check("so does one who leaves in another's turn", "The end", end.leaving_off_turn),
    Check("several matches at once", "Rulings 5", end.several_tables),
    *(
        Check(f"a match of {count}, {mode.name}, ends with WinMessage for all", "The end", end.match_of(count, mode))
        for count, mode in ((2, BEGINNER), (2, ADVANCED), (3, BEGINNER), (4, ADVANCED))
    ),
)  # fmt: skip
