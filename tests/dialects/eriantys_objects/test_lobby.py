"""Login and seating: names, the first player, held clients, taken towers."""

from __future__ import annotations

import pytest

from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.eriantys_objects.lobby import FORBIDDEN, HELD_SECONDS, TAKEN
from boardwire.games.eriantys import Character, Mode, Options, Tower, Wish
from boardwire.games.game import Seat
from boardwire.table.events import Player
from boardwire.table.match import Status
from boardwire.table.ports import NoBots
from boardwire.table.table import Table

from .spoken import ADVANCED, BEGINNER, BLACK, GREY, NO_TOWER, WHITE, Caller, Hall, kinds, texts

IN = "LoginReply"


def wait(server: Hall, callers: list[Caller], seconds: int) -> None:
    """Advance the time; every client pings."""
    for _ in range(seconds):
        for caller in callers:
            caller.say(wire.PingMessage())
        server.clock.pass_time(1)


def replies(messages: list[object]) -> list[tuple[bool, bool]]:
    return [(one.nickname_accepted, one.connection_successful) for one in messages if isinstance(one, wire.LoginReply)]


@pytest.mark.parametrize("name", ["", None, " ann", "a" * 33, "a\tb"])
def test_an_invalid_name_is_refused_and_another_may_be_tried(name: str | None) -> None:
    caller = Caller(Hall())
    told = caller.tell(wire.LoginRequest(nickname=name))
    assert kinds(told) == ["GenericMessage", IN]
    assert told[0].message == FORBIDDEN
    assert replies(told) == [(False, True)]
    assert kinds(caller.tell(wire.LoginRequest(nickname="ann"))) == [IN, "PlayerNumberRequest"]


def test_a_name_in_use_is_taken_and_is_free_again_when_its_owner_has_gone() -> None:
    server = Hall()
    first, second, third = Caller(server, "ann"), Caller(server, "bob"), Caller(server)
    told = third.tell(wire.LoginRequest(nickname="bob"))
    assert told[0].message == TAKEN
    assert replies(told) == [(False, True)]
    second.peer.drop()
    assert third.tell(wire.LoginRequest(nickname="bob")) == []  # held: ann is choosing
    assert kinds(first.told()) == [IN, "PlayerNumberRequest"]


def test_a_name_at_the_table_is_taken_whatever_dialect_its_player_has() -> None:
    server = Hall()
    server.guest(name="ann", wish=Wish(Tower.WHITE))
    caller = Caller(server, "ann")
    told = caller.told()
    assert told[0].message == TAKEN
    assert replies(told) == [(False, True)]
    assert kinds(caller.tell(wire.LoginRequest(nickname="bob"))) == [IN, "InitialResMessage"]


def test_the_first_player_chooses_number_tower_and_mode() -> None:
    server = Hall()
    caller = Caller(server, "ann")
    assert kinds(caller.told()) == [IN, "PlayerNumberRequest"]
    (towers,) = caller.answer(kind=wire.PlayerNumberReply, player_number=3)
    assert (towers.available_towers, towers.game_mode, towers.nickname) == ((BLACK, WHITE, GREY), None, "ann")
    assert kinds(caller.answer(kind=wire.ChosenTowerMessage, color_tower=GREY)) == ["GameModeReq"]
    assert server.journals() == []
    assert caller.answer(kind=wire.GameModeRes, game_mode=ADVANCED) == []
    match = server.match()
    assert (len(match.chairs), match.setting.options.mode) == (3, Mode.EXPERT)
    assert match.chairs[0].wish.tower is Tower.GREY


@pytest.mark.parametrize(("number", "towers"), [(2, [BLACK, WHITE]), (4, [BLACK, BLACK, WHITE, WHITE])])
def test_the_towers_on_offer_are_those_of_the_number(number: int, towers: list[wire.ColorTower]) -> None:
    caller = Caller(Hall(), "ann")
    caller.told()
    (offer,) = caller.answer(kind=wire.PlayerNumberReply, player_number=number)
    assert list(offer.available_towers) == towers


@pytest.mark.parametrize("number", [-1, 0, 1, 5])
def test_a_number_that_cannot_play_is_asked_for_again(number: int) -> None:
    caller = Caller(Hall(), "ann")
    caller.told()
    told = caller.answer(kind=wire.PlayerNumberReply, player_number=number)
    assert kinds(told) == ["TextMessage", "PlayerNumberRequest"]


def test_an_invalid_tower_or_mode_is_asked_for_again() -> None:
    caller = Caller(Hall(), "ann")
    caller.answer(kind=wire.PlayerNumberReply, player_number=2)
    for tower in (GREY, NO_TOWER, None):
        told = caller.answer(kind=wire.ChosenTowerMessage, color_tower=tower)
        assert kinds(told) == ["TextMessage", "InitialResMessage"]
    caller.answer(kind=wire.ChosenTowerMessage, color_tower=BLACK)
    assert kinds(caller.answer(kind=wire.GameModeRes, game_mode=None)) == ["TextMessage", "GameModeReq"]


def test_later_players_are_held_until_the_first_has_chosen_and_then_choose_among_the_rest() -> None:
    server = Hall(seed=0)
    first, second = Caller(server, "ann"), Caller(server, "bob")
    assert second.told() == []
    first.answer(kind=wire.PlayerNumberReply, player_number=2)
    first.answer(kind=wire.ChosenTowerMessage, color_tower=BLACK)
    assert second.told() == []
    first.answer(kind=wire.GameModeRes, game_mode=BEGINNER)
    told = second.told()
    assert kinds(told) == [IN, "InitialResMessage"]
    assert (told[1].available_towers, told[1].game_mode) == ((WHITE,), BEGINNER)
    second.answer(kind=wire.ChosenTowerMessage, color_tower=WHITE)
    assert server.match().status is Status.PLAYING


def test_a_held_player_may_repeat_its_login_without_a_reply() -> None:
    server = Hall()
    Caller(server, "ann")
    second = Caller(server, "bob")
    assert second.tell(wire.LoginRequest(nickname="bob")) == []
    assert kinds(second.answer(kind=wire.PlayerNumberReply, player_number=2)) == ["TextMessage"]


def test_a_held_player_chooses_when_the_first_has_gone() -> None:
    server = Hall()
    first, second = Caller(server, "ann"), Caller(server, "bob")
    first.peer.drop()
    wait(server, [second], 1)
    assert kinds(second.told()) == [IN, "PlayerNumberRequest"]


def test_a_held_client_may_choose_after_the_limit() -> None:
    server = Hall()
    first, second = Caller(server, "ann"), Caller(server, "bob")
    wait(server, [first, second], HELD_SECONDS - 1)
    assert second.told() == []
    wait(server, [first, second], 1)
    assert kinds(second.told()) == [IN, "PlayerNumberRequest"]


def test_two_with_equal_choices_meet_and_the_later_gets_the_remaining_tower() -> None:
    server = Hall(seed=0)
    callers = [Caller(server, "ann"), Caller(server, "bob")]
    wait(server, callers, HELD_SECONDS)
    for caller in callers:
        caller.answer(kind=wire.PlayerNumberReply, player_number=2)
        caller.answer(kind=wire.ChosenTowerMessage, color_tower=BLACK)
    callers[0].answer(kind=wire.GameModeRes, game_mode=BEGINNER)
    (again,) = callers[1].answer(kind=wire.GameModeRes, game_mode=BEGINNER)
    assert list(again.available_towers) == [WHITE]
    callers[1].answer(kind=wire.ChosenTowerMessage, color_tower=WHITE)
    assert server.match().status is Status.PLAYING


def test_a_tower_that_was_taken_meanwhile_is_asked_for_again() -> None:
    server = Hall(seed=0)
    first, second, third = (Caller(server, name) for name in ("ann", "bob", "cid"))
    first.answer(kind=wire.PlayerNumberReply, player_number=3)
    first.answer(kind=wire.ChosenTowerMessage, color_tower=BLACK)
    first.answer(kind=wire.GameModeRes, game_mode=BEGINNER)
    assert second.told()[-1].available_towers == third.told()[-1].available_towers == (WHITE, GREY)
    assert second.answer(kind=wire.ChosenTowerMessage, color_tower=WHITE) == []
    (again,) = third.answer(kind=wire.ChosenTowerMessage, color_tower=WHITE)
    assert list(again.available_towers) == [GREY]


def test_a_name_that_was_taken_while_its_owner_chose_is_asked_for_anew_at_the_same_table() -> None:
    server = Hall(seed=0)
    first, second, third = Caller(server, "ann"), Caller(server, "ann"), Caller(server, "bob")
    assert second.told() == []  # ann's claim is to choose; the other ann is held
    first.answer(kind=wire.PlayerNumberReply, player_number=3)
    first.answer(kind=wire.ChosenTowerMessage, color_tower=BLACK)
    first.answer(kind=wire.GameModeRes, game_mode=BEGINNER)
    told = second.told()
    assert told[0].message == TAKEN
    assert replies(told) == [(False, True)]
    assert kinds(second.tell(wire.LoginRequest(nickname="bob"))) == ["GenericMessage", IN]
    assert kinds(second.tell(wire.LoginRequest(nickname="cid"))) == [IN, "InitialResMessage"]
    assert kinds(third.told()) == [IN, "InitialResMessage"]


def test_a_client_does_not_wait_for_a_table_that_all_have_left() -> None:
    server = Hall(seed=0)
    first, second = Caller(server, "ann"), Caller(server, "bob")
    first.answer(kind=wire.PlayerNumberReply, player_number=2)
    first.answer(kind=wire.ChosenTowerMessage, color_tower=BLACK)
    first.answer(kind=wire.GameModeRes, game_mode=BEGINNER)
    second.told()
    first.peer.drop()
    assert kinds(second.told()) == ["PlayerNumberRequest"]


@pytest.mark.parametrize("answered", range(4))
def test_a_client_may_go_at_any_moment_of_the_lobby_and_leaves_nothing_behind(answered: int) -> None:
    server = Hall(seed=0)
    caller = Caller(server, "ann")
    answers = [
        wire.PlayerNumberReply(nickname="ann", player_number=2),
        wire.ChosenTowerMessage(nickname="ann", color_tower=BLACK),
        wire.GameModeRes(nickname="ann", game_mode=BEGINNER),
    ]
    for answer in answers[:answered]:
        caller.say(answer)
    server.clock.pass_time(5)
    assert caller.peer.closed
    assert len(server.lobby) == 0
    again = Caller(server, "ann")
    assert kinds(again.told()) == [IN, "PlayerNumberRequest"]


def test_a_held_client_and_one_at_the_tower_may_fall_silent() -> None:
    server = Hall(seed=0)
    first, second = Caller(server, "ann"), Caller(server, "bob")
    wait(server, [first], 5)
    assert second.peer.closed
    first.answer(kind=wire.PlayerNumberReply, player_number=2)
    first.answer(kind=wire.ChosenTowerMessage, color_tower=BLACK)
    first.answer(kind=wire.GameModeRes, game_mode=BEGINNER)
    third = Caller(server, "cid")
    assert kinds(third.told()) == [IN, "InitialResMessage"]
    wait(server, [first], 5)
    assert third.peer.closed
    assert not first.peer.closed


def test_a_client_whose_table_is_full_is_asked_again() -> None:
    server = Hall(seed=0)
    first, second, third = (Caller(server, name) for name in ("ann", "bob", "cid"))
    first.answer(kind=wire.PlayerNumberReply, player_number=2)
    first.answer(kind=wire.ChosenTowerMessage, color_tower=BLACK)
    first.answer(kind=wire.GameModeRes, game_mode=BEGINNER)
    third.told()
    second.answer(kind=wire.ChosenTowerMessage, color_tower=WHITE)
    assert kinds(third.told()) == ["PlayerNumberRequest"]


def test_a_table_of_another_dialect_is_joined_with_its_number_and_mode() -> None:
    server = Hall(seed=0)
    server.guest(3, options=Options(Mode.EXPERT), wish=Wish(Tower.BLACK))
    caller = Caller(server, "ann")
    offer = caller.told()[1]
    assert (offer.available_towers, offer.game_mode) == ((WHITE, GREY), ADVANCED)
    caller.answer(kind=wire.ChosenTowerMessage, color_tower=GREY)
    assert server.match().chairs[1].wish == Wish(Tower.GREY, server.match().chairs[1].wish.characters)


def test_a_table_with_too_few_common_characters_is_left_for_a_new_one() -> None:
    server = Hall(seed=0)
    wish = Wish(Tower.BLACK, (Character.THIEF, Character.HERALD, Character.JESTER, Character.MONK))
    server.guest(2, options=Options(Mode.EXPERT), wish=wish)
    caller = Caller(server, "ann")
    caller.told()
    told = caller.answer(kind=wire.ChosenTowerMessage, color_tower=WHITE)
    assert kinds(told) == ["PlayerNumberRequest"]
    caller.answer(kind=wire.PlayerNumberReply, player_number=2)
    caller.answer(kind=wire.ChosenTowerMessage, color_tower=BLACK)
    assert caller.answer(kind=wire.GameModeRes, game_mode=ADVANCED) == []
    assert server.match("match-2").players[0] is not None


def test_waiting_players_learn_who_is_left_when_one_leaves() -> None:
    server = Hall(seed=0)
    callers = [Caller(server, "ann"), Caller(server, "bob")]
    callers[0].answer(kind=wire.PlayerNumberReply, player_number=3)
    callers[0].answer(kind=wire.ChosenTowerMessage, color_tower=BLACK)
    callers[0].answer(kind=wire.GameModeRes, game_mode=BEGINNER)
    callers[1].answer(kind=wire.ChosenTowerMessage, color_tower=WHITE)
    assert [one.nickname for one in callers[0].answer(kind=wire.RequestPlayersBoard)[0].nickname_list] == ["bob"]
    callers[1].peer.drop()
    (lobby,) = callers[0].told()
    assert [one.nickname for one in lobby.nickname_list] == ["ann"]


def test_before_the_login_only_a_login_is_accepted() -> None:
    caller = Caller(Hall())
    told = caller.tell(wire.PlayerNumberReply(player_number=2))
    assert texts(told) == ["log in with a LoginRequest first"]


def test_five_seconds_of_silence_end_the_connection_and_pings_keep_it() -> None:
    server = Hall()
    caller, quiet = Caller(server, "ann"), Caller(server, "bob")
    wait(server, [caller], 4)
    assert not quiet.peer.closed
    wait(server, [caller], 1)
    assert quiet.peer.closed
    wait(server, [caller], 20)
    assert not caller.peer.closed
    assert caller.told()[2:] == []  # pings are not answered


class OneBot(NoBots):
    """A bot that takes a seat and never moves."""

    def substitute(self, game: str) -> Player | None:
        return Player("greedy bot", "bot", "greedy")

    def knows(self, bot: str, game: str) -> bool:
        return True

    def sit(self, table: Table, seat: Seat, player: Player) -> None:
        pass


def test_a_client_that_chooses_while_a_bot_takes_the_last_seat_chooses_another_table() -> None:
    server = Hall(seed=0, bots=OneBot())
    server.lobby.matchmaking.fill_seconds = 2.0
    first, late = Caller(server, "p0"), Caller(server, "p1")
    first.say(
        wire.PlayerNumberReply(nickname="p0", player_number=2),
        wire.ChosenTowerMessage(nickname="p0", color_tower=BLACK),
        wire.GameModeRes(nickname="p0", game_mode=BEGINNER),
    )
    assert kinds(late.told()) == ["LoginReply", "InitialResMessage"]
    server.clock.pass_time(2.0)
    assert server.match().status is Status.PLAYING
    server.clock.pass_time(1.0)
    assert kinds(late.told()) == ["PlayerNumberRequest"]
