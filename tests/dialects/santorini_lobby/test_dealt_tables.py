"""Clients of santorini-lobby at tables whose gods are dealt or fixed, as transcripts with the original's messages.

The original client answers its first GODS_AVAILABLE with SELECT_GODS and sends CHOOSE_GOD only after a second one.  It
learns its user name from the RESULT of ADD_USER and ignores requests that name the user earlier.
"""

from __future__ import annotations

import pytest

from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.games.santorini import Draft, God, Options
from boardwire.games.santorini.actions import PickGod
from boardwire.lobby.requests import Depart
from boardwire.simulation.server import SimulatedServer
from boardwire.table.commands import Act, Ready, Resign
from boardwire.table.events import Player
from boardwire.testing.transcript import Transcript

from ..test_mixed_tables import Participant, carry
from .test_tables import Stranger
from .test_transcripts import read, write

DEALT = [Draft.TOGETHER, Draft.TWO_ROUNDS]


def offer(server: SimulatedServer) -> str:
    """Return the gods on offer in the notation of transcripts."""
    return " ".join(wire.IDENTIFIERS[god].name for god in server.match().position.setup.offer)


def table_without_its_opener(server: SimulatedServer, options: Options, players: int) -> list[Stranger]:
    """Open a table, seat players of another protocol behind the opener, and free seat 0 again."""
    opener = Stranger(server, players, options, name="gone", ready=False)
    others = [Stranger(server, players, name="", ready=False) for _ in range(players - 1)]
    opener.do(Depart())
    return others


def name_all(others: list[Stranger]) -> None:
    for number, one in enumerate(others):
        one.do(Ready(one.seat, Player(f"nat{number}", "other")))


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("draft", DEALT)
def test_the_first_to_pick_of_a_deal_may_answer_the_first_list_with_select_gods(draft: Draft, players: int) -> None:
    server = SimulatedServer(seed=0)
    others = table_without_its_opener(server, Options(draft), players)
    script = Transcript(server, read, write)
    script.play(f"""
        + ann santorini-lobby
        < ann SIZE_SELECTED {players}
        > ann ADD_USER ann
        < ann USER_JOINED ann
        < ann RESULT yes
    """)
    name_all(others)
    gods = offer(server)
    first = gods.split()[0]
    joined = "\n".join(f"< ann USER_JOINED nat{number}" for number in range(players - 1))
    script.play(f"""
        {joined}
        < ann GODS_AVAILABLE [{gods}]
        > ann SELECT_GODS ann {gods}
        < ann GODS_AVAILABLE [{gods}]
        < ann RESULT no
        > ann CHOOSE_GOD ann {first}
        ! acted {{"seat": 0, "action": {{"type": "pick_god", "god": "{first.lower()}"}}}}
        < ann GOD_CHOSEN ann {first}
        < ann {"REQUEST_PLACE_PAWNS ann" if draft is Draft.TOGETHER else f"GODS_AVAILABLE [{gods.partition(' ')[2]}]"}
        < ann RESULT yes
    """)


def test_a_table_of_santorini_objects_for_three_whose_opener_left_lets_the_lobby_client_pick_first() -> None:
    server = SimulatedServer(seed=0)
    opener = Participant(server, "santorini-objects", "gone", 3, None)
    carry(server, [opener])
    nat = Participant(server, "santorini-actions", "nat", 3, None)
    carry(server, [opener, nat])
    opener.peer.drop()
    script = Transcript(server, read, write)
    script.play("""
        + ann santorini-lobby
        < ann SIZE_SELECTED 3
        < ann USER_JOINED nat
        > ann ADD_USER ann
        < ann USER_JOINED ann
        < ann RESULT yes
    """)
    sue = Participant(server, "santorini-actions", "sue", 3, None)
    carry(server, [nat, sue])
    assert [player and player.name for player in server.match().players] == ["ann", "nat", "sue"]
    gods = offer(server)
    first = gods.split()[0]
    script.play(f"""
        < ann USER_JOINED sue
        < ann GODS_AVAILABLE [{gods}]
        > ann SELECT_GODS ann {gods}
        < ann GODS_AVAILABLE [{gods}]
        < ann RESULT no
        > ann CHOOSE_GOD ann {first}
        < ann GOD_CHOSEN ann {first}
        < ann …
        < ann RESULT yes
    """)


@pytest.mark.parametrize("draft", DEALT)
def test_select_gods_once_per_typed_god_gets_the_second_list_once(draft: Draft) -> None:
    server = SimulatedServer(seed=0)
    others = table_without_its_opener(server, Options(draft), 2)
    script = Transcript(server, read, write)
    script.play("""
        + ann santorini-lobby
        > ann ADD_USER ann
        < ann SIZE_SELECTED 2
        < ann USER_JOINED ann
        < ann RESULT yes
    """)
    name_all(others)
    one, other = offer(server).split()
    script.play(f"""
        < ann USER_JOINED nat0
        < ann GODS_AVAILABLE [{one} {other}]
        > ann SELECT_GODS ann {other}
        > ann SELECT_GODS ann {other} {one}
        > ann SELECT_GODS ann {other} {one}
        < ann GODS_AVAILABLE [{one} {other}]
        < ann RESULT no
        < ann RESULT no
        < ann RESULT no
        > ann CHOOSE_GOD ann {other}
        < ann GOD_CHOSEN ann {other}
        < ann …
        < ann RESULT yes
    """)


def test_a_client_that_chooses_from_the_first_list_gets_no_second_one() -> None:
    server = SimulatedServer(seed=0)
    others = table_without_its_opener(server, Options(Draft.TWO_ROUNDS), 2)
    script = Transcript(server, read, write)
    script.play("+ ann santorini-lobby\n> ann ADD_USER ann\n< ann …\n< ann …\n< ann RESULT yes")
    name_all(others)
    one, other = offer(server).split()
    script.play(f"""
        < ann USER_JOINED nat0
        < ann GODS_AVAILABLE [{one} {other}]
        > ann CHOOSE_GOD ann {one}
        < ann GOD_CHOSEN ann {one}
        < ann GODS_AVAILABLE [{other}]
        < ann RESULT yes
        > ann SELECT_GODS ann {other}
        < ann RESULT no
    """)


def test_select_gods_out_of_turn_or_in_another_name_is_refused_without_a_list() -> None:
    server = SimulatedServer(seed=0)
    nat = Stranger(server, 2, Options(Draft.TWO_ROUNDS))
    script = Transcript(server, read, write)
    script.play("""
        + ann santorini-lobby
        > ann ADD_USER ann
        < ann SIZE_SELECTED 2
        < ann USER_JOINED nat
        < ann USER_JOINED ann
        < ann GODS_AVAILABLE […]
        < ann RESULT yes
        > ann SELECT_GODS ann Pan Atlas
        < ann RESULT no
    """)
    assert nat.seat == 0

    server = SimulatedServer(seed=0)
    others = table_without_its_opener(server, Options(Draft.TWO_ROUNDS), 2)
    script = Transcript(server, read, write)
    script.play("+ ann santorini-lobby\n> ann ADD_USER ann\n< ann …\n< ann …\n< ann RESULT yes")
    name_all(others)
    script.play("< ann …\n< ann …\n> ann SELECT_GODS nat0 Pan Atlas\n< ann RESULT no")


FIXED = {
    Draft.NONE: (Options(), []),
    Draft.GIVEN: (Options(Draft.GIVEN, gods=(God.PAN, God.ATLAS)), ["GOD_CHOSEN ann Pan", "GOD_CHOSEN nat Atlas"]),
    Draft.RANDOM: (Options(Draft.RANDOM), ["GOD_CHOSEN ann …", "GOD_CHOSEN nat …"]),
}


@pytest.mark.parametrize("draft", FIXED)
def test_the_result_of_a_login_comes_before_the_request_that_names_its_user(draft: Draft) -> None:
    server = SimulatedServer(seed=0)
    options, chosen = FIXED[draft]
    (nat,) = table_without_its_opener(server, options, 2)
    nat.do(Ready(nat.seat, Player("nat", "other")))
    told = "\n".join(f"< ann {line}" for line in chosen)
    Transcript(server, read, write).play(f"""
        + ann santorini-lobby
        < ann SIZE_SELECTED 2
        < ann USER_JOINED nat
        > ann ADD_USER ann
        < ann USER_JOINED ann
        < ann RESULT yes
        {told}
        < ann REQUEST_PLACE_PAWNS ann
        > ann PLACE_PAWNS ann 1,1 2,2
        < ann PAWN_PLACED ann 0 1,1
        < ann PAWN_PLACED ann 1 2,2
        < ann REQUEST_PLACE_PAWNS nat
        < ann RESULT yes
    """)


def test_the_result_of_a_login_comes_before_the_position_that_a_match_starts_from() -> None:
    server = SimulatedServer(seed=0)
    (nat,) = table_without_its_opener(
        server, Options(Draft.POSITION, position=f"{'0' * 24}1/1/pan:A1,B1/atlas:C1,D1"), 2
    )
    nat.do(Ready(nat.seat, Player("nat", "other")))
    Transcript(server, read, write).play("""
        + ann santorini-lobby
        < ann SIZE_SELECTED 2
        < ann USER_JOINED nat
        > ann ADD_USER ann
        < ann USER_JOINED ann
        < ann RESULT yes
        < ann GOD_CHOSEN ann Pan
        < ann GOD_CHOSEN nat Atlas
        < ann PAWN_PLACED ann 0 0,0
        < ann PAWN_PLACED ann 1 1,0
        < ann PAWN_PLACED nat 0 2,0
        < ann PAWN_PLACED nat 1 3,0
        < ann BUILD LEVEL1 4,0
        < ann TURN_CHANGE ann 0
        < ann ACTION_READY ann [Move]
    """)


def test_other_connections_get_the_same_events_without_a_result() -> None:
    server = SimulatedServer(seed=0)
    (nat,) = table_without_its_opener(server, Options(), 2)
    nat.do(Ready(nat.seat, Player("nat", "other")))
    Transcript(server, read, write).play("""
        + eve santorini-lobby
        < eve SIZE_SELECTED 2
        < eve USER_JOINED nat
        + ann santorini-lobby
        < ann SIZE_SELECTED 2
        < ann USER_JOINED nat
        > ann ADD_USER ann
        < eve USER_JOINED ann
        < eve REQUEST_PLACE_PAWNS ann
        < ann USER_JOINED ann
        < ann RESULT yes
        < ann REQUEST_PLACE_PAWNS ann
    """)


def test_a_challenger_with_more_than_one_god_left_gets_the_first_of_them() -> None:
    """The original's challenger never sends CHOOSE_GOD; gods are left over when a player gives up before its pick."""
    server = SimulatedServer(seed=0)
    others = table_without_its_opener(server, Options(Draft.FIRST_PROPOSES, pool=wire.OFFERED_GODS), 3)
    script = Transcript(server, read, write)
    script.play("""
        + ann santorini-lobby
        > ann ADD_USER ann
        < ann SIZE_SELECTED 3
        < ann USER_JOINED ann
        < ann RESULT yes
    """)
    name_all(others)
    script.play("""
        < ann USER_JOINED nat0
        < ann USER_JOINED nat1
        < ann GODS_AVAILABLE […]
        > ann SELECT_GODS ann Pan Atlas Apollo
        < ann GODS_AVAILABLE [Pan Atlas Apollo]
        < ann RESULT yes
    """)
    others[0].do(Resign(others[0].seat))
    others[1].do(Act(others[1].seat, (PickGod(God.ATLAS),)))
    script.play("""
        < ann ELIMINATION nat0
        < ann GODS_AVAILABLE [Pan Atlas Apollo]
        < ann GOD_CHOSEN nat1 Atlas
        < ann GODS_AVAILABLE [Pan Apollo]
        < ann GOD_CHOSEN ann Pan
        < ann REQUEST_PLACE_PAWNS ann
    """)
