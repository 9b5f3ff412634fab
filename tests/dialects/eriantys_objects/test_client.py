"""Client script against scripted servers: boardwire's and the shipped one's peculiarities [7]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from boardwire.dialects.dialect import Answer, Ask, ClientOptions, IntermediateView, Note, Over, Result, Show
from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.eriantys_objects import pieces
from boardwire.dialects.eriantys_objects.client import MAX_REPLY_TICKS, MAX_SILENT_TICKS
from boardwire.games.eriantys import (
    Character,
    Colour,
    Kind,
    MoveMotherNature,
    PlayAssistant,
    TakeCloud,
    ToHall,
    ToIsland,
    UseCharacter,
)
from boardwire.simulation.clock import ManualClock
from boardwire.simulation.server import SimulatedClient

from .spoken import ADVANCED, BEGINNER, BLACK, BLUE, GREEN, GREY, NO_TOWER, OBJECTS, PINK, RED, WHITE, YELLOW, kinds

ME = wire.PlayerModel(nickname="ann", color_tower=BLACK, tower_number=8, coins=1)
BOB = wire.PlayerModel(
    nickname="bob", color_tower=WHITE, tower_number=7, student_in_entrance=(RED,) * 7, profs=(RED, RED)
)
ENTRANCE = (GREEN, GREEN, RED, YELLOW, PINK, PINK, BLUE)
ISLANDS = tuple(
    wire.IslandModel(mother_nature=at == 0, color_tower=NO_TOWER, students=(RED,) if at else ()) for at in range(12)
)


class Server:
    """A scripted server that records the client's messages and its notifications to its player."""

    def __init__(self, **settings: str) -> None:
        self.notification: list[Any] = []
        self.clock = ManualClock()
        self._reader = wire.requests()
        self._begun = False
        seating = ClientOptions("ann", 2, settings)
        self.client = SimulatedClient(OBJECTS, lambda _, notification: self._receive(notification), seating, self.clock)

    def _receive(self, notification: Any) -> None:
        if not isinstance(notification, IntermediateView):
            self.notification.append(notification)

    def heard(self, *, pings: bool = False) -> list[Any]:
        data = self.client.take()
        messages = list(self._reader.feed(data)) if data else []
        return [one for one in messages if pings or not isinstance(one, wire.PingMessage)]

    def say(self, *messages: msgspec.Struct) -> list[Any]:
        if not self._begun:
            self.client.receive(wire.GREETING)
            self._begun = True
        self.client.receive(b"".join(map(wire.encode, messages)))
        return self.heard()

    def choose(self, action: Any) -> list[Any]:
        self.client.talk.tell(Answer(action))
        return self.heard()

    def begin(self, mode: wire.GameMode = BEGINNER) -> None:
        """Return a server whose client has logged in and got all displays."""
        self.say(
            wire.LoginReply(connection_successful=True, nickname_accepted=True),
            wire.InitialResMessage(nickname="ann", available_towers=(BLACK,), game_mode=mode),
            wire.DisplayCloudsMessage(clouds=(wire.CloudModel(size=3, students=(RED, RED, BLUE)),) * 2),
            wire.DisplayIslandsMessage(island_models=ISLANDS),
            wire.DisplayPlayerBoardMessage(
                nickname="ann", is_first=True, entrance=ENTRANCE, hall={}, profs=(), towers=(),
                player=msgspec.structs.replace(ME, student_in_hall=pieces.hall((0, 0, 0, 0, 10))),
            ),
            wire.LobbyInfoMessage(nickname_list=(BOB,)),
            wire.StartTurnMessage(nickname="ann"),
        )  # fmt: skip

    @property
    def asked(self) -> Ask:
        ask = self.notification[-1]
        assert isinstance(ask, Ask), ask
        return ask

    @property
    def over(self) -> Over:
        over = self.notification[-1]
        assert isinstance(over, Over), over
        return over


def deck(*cards: int, owner: wire.PlayerModel | None = None) -> wire.DisplayDeckAndAskCardMessage:
    return wire.DisplayDeckAndAskCardMessage(nickname="ann", deck=tuple(pieces.card(one, owner) for one in cards))


def islands() -> wire.StudentToIslandMessage:
    return wire.StudentToIslandMessage(nickname="ann", entrance=ENTRANCE, islands=ISLANDS)


def hall(number: int) -> wire.StudentToHallMessage:
    return wire.StudentToHallMessage(nickname="ann", number_students_to_move=number, entrance=ENTRANCE)


def steps(most: int) -> wire.ReqMoveMotherNatureMessage:
    return wire.ReqMoveMotherNatureMessage(nickname="ann", max_movement_allowed=most, player=ME)


def offer(*cards: wire.CharacterCardModel, exist: bool = True, coins: int = 5) -> wire.ReqPlayCharacterCardMessage:
    player = msgspec.structs.replace(ME, coins=coins)
    return wire.ReqPlayCharacterCardMessage(nickname="ann", exist_card=exist, character_deck=cards, player=player)


MONK = wire.CharacterCardModel(effect=wire.AddToIslandEffect(cost_for_effect=1, students=(RED, BLUE), num_students=2))
KNIGHT = wire.CharacterCardModel(
    character_id=6, effect=wire.AddInfluenceEffect(cost_for_effect=2, game_controller=wire.GameController(test=7))
)


# --- the way to the table -------------------------------------------------------------------------------------------


def test_the_client_logs_in_at_once_and_pings_every_second() -> None:
    server = Server()
    assert kinds(server.heard(pings=True)) == ["PingMessage", "LoginRequest"]
    server.say(wire.LoginReply(connection_successful=True, nickname_accepted=True))
    server.clock.pass_time(3)
    assert kinds(server.heard(pings=True)) == ["PingMessage"] * 3


def test_a_login_that_gets_no_answer_is_repeated() -> None:
    server = Server()
    server.heard()
    server.clock.pass_time(1)
    assert server.heard() == []
    server.clock.pass_time(1)
    (login,) = server.heard()
    assert (type(login), login.nickname) == (wire.LoginRequest, "ann")


def test_a_name_that_is_taken_is_changed() -> None:
    server = Server()
    server.heard()
    (again,) = server.say(wire.LoginReply(connection_successful=True, nickname_accepted=False))
    assert again.nickname == "ann'"


@pytest.mark.parametrize("accepted", [True, False])
def test_a_full_lobby_ends_the_client(accepted: bool) -> None:
    server = Server()
    server.say(wire.LoginReply(connection_successful=False, nickname_accepted=accepted))
    assert server.over.result is Result.BROKEN_OFF
    assert server.client.closed


def test_the_first_player_answers_with_its_settings() -> None:
    server = Server(mode="expert", tower="white")
    server.heard()
    (number,) = server.say(wire.PlayerNumberRequest())
    assert number.player_number == 2
    (tower,) = server.say(wire.InitialResMessage(nickname="ann", available_towers=(BLACK, WHITE)))
    assert tower.color_tower is WHITE
    (mode,) = server.say(wire.GameModeReq())
    assert mode.game_mode is ADVANCED


@pytest.mark.parametrize(("towers", "poll"), [((BLACK, WHITE), GREY), ((BLACK, WHITE, GREY), NO_TOWER)])
def test_without_a_mode_a_later_player_requests_an_unavailable_tower(
    towers: tuple[wire.ColorTower, ...], poll: wire.ColorTower
) -> None:
    server = Server()
    server.heard()
    login = wire.LoginReply(connection_successful=True, nickname_accepted=True)
    assert server.say(login, wire.InitialResMessage(nickname="ann", available_towers=towers)) == []
    server.clock.pass_time(1)
    (asked,) = server.heard()
    assert asked.color_tower is poll
    (chosen,) = server.say(wire.InitialResMessage(nickname="ann", available_towers=towers[1:], game_mode=BEGINNER))
    assert chosen.color_tower is WHITE
    server.clock.pass_time(1)
    assert server.heard() == []


# --- questions ------------------------------------------------------------------------------------------------------


def test_our_server_gets_the_index_in_the_offer_and_the_shipped_one_the_index_in_the_hand() -> None:
    server = Server()
    server.begin()
    server.say(deck(2, 5))
    assert server.asked.decision.choices == (PlayAssistant(2), PlayAssistant(5))
    assert server.choose(PlayAssistant(5))[-1].index_assistant_card_model == 1
    owner = msgspec.structs.replace(ME, deck_assistant_card_model=tuple(pieces.card(one) for one in (1, 2, 5)))
    server.say(deck(2, 5, owner=owner))
    assert server.asked.view.boards[0].hand == (1, 2, 5)
    assert server.choose(PlayAssistant(5))[-1].index_assistant_card_model == 2


def test_a_card_that_is_neither_offered_nor_on_the_table_has_left_the_hand() -> None:
    """Our server shows the own deck with the own board, and does not show that after a turn without the hall."""
    server = Server()
    server.begin()
    server.say(deck(*range(1, 11)))
    server.choose(PlayAssistant(2))
    table = tuple(pieces.card(card, owner) for card, owner in ((2, ME), (6, BOB)))
    server.say(wire.DisplayCemeteryMessage(nickname="ann", cemetery=table))
    server.say(wire.DisplayCemeteryMessage(nickname="ann", cemetery=(pieces.card(5, BOB),)))
    server.say(deck(1, 3, 4, 6, 7, 8, 9, 10))
    assert server.asked.view.boards[0].hand == (1, 3, 4, 5, 6, 7, 8, 9, 10)
    assert server.asked.view.round == 2


def test_the_first_question_waits_for_the_others_boards_but_not_for_ever() -> None:
    server = Server()
    server.say(wire.DisplayIslandsMessage(island_models=ISLANDS))
    assert kinds(server.say(deck(1, 2)))[-1] == "RequestPlayersBoard"
    assert server.notification == []
    server.say(wire.LobbyInfoMessage(nickname_list=(BOB,)))
    assert server.asked.view.boards[1].entrance == (0, 7, 0, 0, 0)
    assert server.asked.view.professors == (None, 1, None, None, None)
    silent = Server()
    silent.say(wire.DisplayIslandsMessage(island_models=ISLANDS))
    assert kinds(silent.say(steps(2)))[-1] == "RequestPlayersBoard"
    silent.clock.pass_time(2)
    assert silent.asked.decision.kind is Kind.STEPS


def test_students_are_gathered_and_sent_as_the_requests_come() -> None:
    server = Server()
    server.begin()
    server.say(deck(1), islands())
    assert ToHall(Colour.BLUE) not in server.asked.decision.choices  # that table is full
    assert server.choose(ToHall(Colour.GREEN)) == []
    assert server.asked.view.boards[0].hall[Colour.GREEN] == 1
    assert server.choose(ToIsland(Colour.PINK, 3)) == []
    assert server.asked.view.islands[3].students[Colour.PINK] == 1
    (sent,) = server.choose(ToIsland(Colour.RED, 5))
    assert (sent.index_island, sent.students) == (3, (PINK,))
    (seated,) = server.say(hall(2))
    assert seated.students == (GREEN,)
    (last,) = server.say(islands())
    assert (last.index_island, last.students) == (5, (RED,))


def test_the_shipped_server_gets_one_island_a_turn_and_one_answer_to_two_questions() -> None:
    server = Server()
    server.begin()
    server.say(deck(1, owner=ME), wire.StartTurnMessage(nickname="ann"), islands())
    server.choose(ToIsland(Colour.PINK, 3))
    landed = [one for one in server.asked.decision.choices if isinstance(one, ToIsland)]
    assert {one.island for one in landed} == {3}
    server.choose(ToIsland(Colour.GREEN, 3))
    assert kinds(server.choose(ToHall(Colour.RED))) == ["MovedStudentOnIslandMessage"]
    before = len(server.notification)
    assert server.say(islands()) == []
    assert len(server.notification) == before


def test_a_refused_answer_is_asked_for_again_with_the_reason() -> None:
    server = Server()
    server.begin()
    server.say(deck(1), islands())
    for colour in (Colour.GREEN, Colour.RED, Colour.PINK):
        server.choose(ToIsland(colour, 1))
    server.say(wire.TextMessage(nickname="ann", text="no"), islands())
    assert server.asked.again == "no"
    assert server.asked.view.moved == 0
    server.say(steps(3))
    server.choose(MoveMotherNature(3))
    server.say(wire.InvalidMovementMessage(movement_allowed=2, movement_inserted=3), steps(2))
    assert server.asked.again == "Mother nature can move 1 to 2 islands."


def test_a_choice_that_is_not_on_offer_is_asked_for_again_and_a_late_one_is_dropped() -> None:
    server = Server()
    server.begin()
    server.say(steps(2))
    assert server.choose(MoveMotherNature(3)) == []
    assert server.asked.again == "That is not among the choices."
    (moved,) = server.choose(MoveMotherNature(2))
    assert (moved.movement, moved.player_model) == (2, "ann")
    assert server.choose(MoveMotherNature(1)) == []


def test_without_a_plan_the_hall_is_requested() -> None:
    server = Server()
    server.begin()
    server.say(hall(2))
    server.choose(ToHall(Colour.GREEN))
    (sent,) = server.choose(ToHall(Colour.RED))
    assert sent.students == (GREEN, RED)


def test_a_hall_without_a_seat_gets_no_students() -> None:
    server = Server()
    server.begin()
    full = wire.StudentToHallMessage(nickname="ann", number_students_to_move=1, entrance=(BLUE,))
    (sent,) = server.say(full)
    assert sent.students is None


def test_a_cloud_is_chosen_by_its_place_in_the_list() -> None:
    server = Server()
    server.begin()
    clouds = (wire.CloudModel(size=3, students=(RED,)), wire.CloudModel(size=3, students=(BLUE,)))
    server.say(wire.ReqMoveCloudToEntranceMessage(nickname="ann", clouds=clouds))
    assert server.choose(TakeCloud(1))[0].cloud_index == 1


# --- characters -----------------------------------------------------------------------------------------------------


def test_an_offer_of_nothing_is_declined_without_the_player() -> None:
    server = Server()
    server.begin(ADVANCED)
    (declined,) = server.say(offer(KNIGHT, exist=False))
    assert declined.card_played is None


def test_a_character_is_offered_with_the_next_step_and_its_card_is_sent_back_whole() -> None:
    server = Server()
    server.begin(ADVANCED)
    server.say(offer(KNIGHT, MONK))
    assert UseCharacter(Character.KNIGHT) in server.asked.decision.choices
    assert ToIsland(Colour.RED, 1) in server.asked.decision.choices
    (played,) = server.choose(UseCharacter(Character.KNIGHT))
    assert played.card_played.effect.game_controller.test == 7
    server.say(islands())
    assert not any(isinstance(one, UseCharacter) for one in server.asked.decision.choices)


def test_the_choices_for_a_character_answer_its_question() -> None:
    server = Server()
    server.begin(ADVANCED)
    server.say(offer(MONK))
    server.choose(UseCharacter(Character.MONK, Colour.BLUE, 4))
    question = wire.AskMoveStudentFromCardToIslandMessage(nickname="ann", islands=ISLANDS, students_on_card=(RED, BLUE))
    (answer,) = server.say(question)
    assert (answer.student_to_move, answer.island_index) == (BLUE, 4)
    server.say(wire.TextMessage(text="no"), question)
    assert {one.character for one in server.asked.decision.choices} == {Character.MONK}
    (answer,) = server.choose(UseCharacter(Character.MONK, Colour.RED, 2))
    assert (answer.student_to_move, answer.island_index) == (RED, 2)


@pytest.mark.parametrize(
    ("card", "use", "question", "field", "value"),
    [
        (
            wire.CharacterCardModel(character_id=2, effect=wire.AddToHallEffect(cost_for_effect=2, students=(RED,))),
            UseCharacter(Character.PRINCESS, Colour.RED),
            wire.ReqStudentFromCardToHall(nickname="ann", students_on_card=(RED,)), "picked_student", RED,
        ),
        (
            wire.CharacterCardModel(
                character_id=4, effect=wire.ProhibitionEffect(cost_for_effect=2, number_prohibition=4)
            ),
            UseCharacter(Character.GRANDMA, island=7),
            wire.AskMoveBanCardMessage(nickname="ann", islands=ISLANDS), "index_island", 7,
        ),
        (
            wire.CharacterCardModel(character_id=7, effect=wire.ExcludeColorInfluenceEffect(cost_for_effect=3)),
            UseCharacter(Character.MUSHROOM, Colour.PINK),
            wire.AskColorToIgnore(nickname="ann"), "chosen_color", PINK,
        ),
    ],
)  # fmt: skip
def test_every_character_with_a_question_is_answered(
    card: wire.CharacterCardModel, use: UseCharacter, question: msgspec.Struct, field: str, value: Any
) -> None:
    server = Server()
    server.begin(ADVANCED)
    server.say(offer(card))
    assert use in server.asked.decision.choices
    server.choose(use)
    (answer,) = server.say(question)
    assert getattr(answer, field) == value


def test_choosing_the_step_declines_the_character() -> None:
    server = Server()
    server.begin(ADVANCED)
    server.say(wire.DisplayCemeteryMessage(cemetery=(pieces.card(6, ME),)), wire.StartTurnMessage(nickname="ann"))
    server.say(offer(KNIGHT))
    (declined,) = server.choose(ToIsland(Colour.RED, 1))
    assert declined.card_played is None
    server.say(islands())
    server.choose(ToIsland(Colour.GREEN, 1))
    server.choose(ToIsland(Colour.GREEN, 1))
    server.say(offer(KNIGHT))
    assert server.asked.decision.kind is Kind.STEPS
    (declined,) = server.choose(MoveMotherNature(3))
    assert declined.card_played is None
    (moved,) = server.say(steps(3))
    assert moved.movement == 3


def test_an_offer_without_anything_to_choose_is_declined() -> None:
    server = Server()
    server.begin(ADVANCED)
    server.say(islands())
    for colour in (Colour.GREEN, Colour.RED, Colour.PINK):
        server.choose(ToIsland(colour, 1))
    strange = wire.CharacterCardModel(character_id=42)
    (declined,) = server.say(offer(strange))
    assert declined.card_played is None


def test_steps_that_have_become_too_many_are_asked_for_again() -> None:
    server = Server()
    server.begin(ADVANCED)
    server.say(wire.DisplayCemeteryMessage(cemetery=(pieces.card(6, ME),)), wire.StartTurnMessage(nickname="ann"))
    server.say(islands())
    for colour in (Colour.GREEN, Colour.RED, Colour.PINK):
        server.choose(ToIsland(colour, 1))
    server.say(offer(KNIGHT))
    server.choose(MoveMotherNature(3))
    assert server.say(steps(2)) == []
    assert server.asked.decision.choices == (MoveMotherNature(1), MoveMotherNature(2))


# --- what is shown, and the end -------------------------------------------------------------------------------------


def test_displays_are_shown_and_texts_are_noted() -> None:
    server = Server()
    server.begin()
    tower = wire.IslandModel(is_joined=True, color_tower=BLACK, students=(RED,), prohibition=True)
    server.say(
        wire.TextMessage(text="JOINING ISLANDS..."),
        wire.DisplayIslandsMessage(island_models=(ISLANDS[0], tower, *ISLANDS[4:])),
        wire.TextMessage(text="Island 1 is made of 3 islands and has 3 towers."),
        wire.DisplayIslandMessage(island_index=1, island_model=tower),
    )
    shown = server.notification[-1]
    assert isinstance(shown, Show)
    island = shown.view.islands[1]
    assert (island.tiles, island.towers, island.no_entry, island.influence) == ((1, 2, 3), 3, 1, (3, 1))
    server.say(wire.GenericMessage(message="Hey ann, bob is playing..."), wire.EndTurnMessage(nickname="ann"))
    assert server.notification[-1] == Note("Hey ann, bob is playing...")


def test_mother_nature_is_shown_on_one_island_while_she_goes() -> None:
    server = Server()
    server.begin()
    server.say(wire.DisplayIslandMessage(island_index=3, island_model=wire.IslandModel(mother_nature=True)))
    shown = server.notification[-1].view
    assert [island.mother_nature for island in shown.islands].index(True) == 3
    assert shown.mother_nature == shown.islands[3].tiles[0]


def tiles(server: Server) -> list[int]:
    """Return the sizes of the islands in the player's last view."""
    return [len(island.tiles) for island in server.notification[-1].view.islands]


def joined(models: Sequence[wire.IslandModel], first: int, count: int) -> tuple[wire.IslandModel, ...]:
    """Merge `count` islands from `first` on; a group over the end of the list comes last."""
    ring = [*models, *models]
    group = wire.IslandModel(
        is_joined=True, color_tower=BLACK, mother_nature=True,
        students=tuple(pawn for one in ring[first : first + count] for pawn in one.students or ()),
    )  # fmt: skip
    rest = [msgspec.structs.replace(one, mother_nature=False) for one in models]
    if first + count > len(models):
        return (*rest[first + count - len(models) : first], group)
    return (*rest[:first], group, *rest[first + count :])


def test_sizes_of_groups_follow_the_islands_that_disappear() -> None:
    server = Server()
    server.begin()
    two = joined(ISLANDS, 3, 2)
    server.say(wire.DisplayIslandsMessage(island_models=two))
    assert tiles(server) == [1, 1, 1, 2, *[1] * 7]
    three = joined(two, 2, 2)
    server.say(wire.DisplayIslandsMessage(island_models=three))
    assert tiles(server) == [1, 1, 3, *[1] * 7]
    server.say(wire.DisplayIslandsMessage(island_models=joined(three, 7, 3)))
    assert tiles(server) == [1, 1, 3, 1, 1, 1, 1, 3]


def test_a_group_of_the_last_and_the_first_island_moves_the_numbers_of_the_others() -> None:
    server = Server()
    server.begin()
    named = tuple(msgspec.structs.replace(one, students=(pieces.PAWNS[at % 5],)) for at, one in enumerate(ISLANDS))
    server.say(wire.DisplayIslandsMessage(island_models=named))
    pair = joined(named, 4, 2)
    server.say(
        wire.DisplayIslandsMessage(island_models=pair), wire.DisplayIslandsMessage(island_models=joined(pair, 10, 2))
    )
    assert tiles(server) == [1, 1, 1, 2, 1, 1, 1, 1, 1, 2]


def test_an_island_displayed_by_its_new_number_before_all_of_them_does_not_mislead_the_sizes() -> None:
    server = Server()
    server.begin()
    pair = joined(ISLANDS, 3, 2)
    server.say(wire.DisplayIslandsMessage(island_models=pair))
    three = joined(pair, 3, 2)
    server.say(
        wire.DisplayIslandMessage(island_index=3, island_model=three[3]),
        wire.DisplayIslandsMessage(island_models=three),
    )
    assert tiles(server) == [1, 1, 1, 3, *[1] * 6]


@pytest.mark.parametrize(
    ("flags", "sizes"),
    [((1, 0, 1, 0), [8, 1, 2, 1]), ((0, 0, 0), [10, 1, 1]), ((1,) * 8, [1, 1, 1, 1, 2, 2, 2, 2])],
)
def test_sizes_sum_to_twelve_where_nothing_was_seen_before(flags: tuple[int, ...], sizes: list[int]) -> None:
    server = Server()
    models = tuple(wire.IslandModel(is_joined=bool(flag), mother_nature=at == 0) for at, flag in enumerate(flags))
    server.say(
        wire.LoginReply(connection_successful=True, nickname_accepted=True),
        wire.DisplayIslandsMessage(island_models=models),
        wire.DisplayPlayerBoardMessage(
            nickname="ann", is_first=True, entrance=ENTRANCE, hall={}, profs=(), towers=(), player=ME
        ),
    )
    assert sorted(tiles(server)) == sorted(sizes)
    assert sum(tiles(server)) == 12


def test_group_sizes_from_texts_override_inferred_ones() -> None:
    server = Server()
    blank = tuple(msgspec.structs.replace(one, students=()) for one in ISLANDS)
    server.begin()
    groups = (*blank[:2], *(msgspec.structs.replace(one, is_joined=True) for one in blank[2:4]), *blank[4:9])
    server.say(wire.DisplayIslandsMessage(island_models=groups))
    for number in (2, 3):
        size = 3 if number == 3 else 2
        server.say(wire.TextMessage(text=f"Island {number} is made of {size} islands and has {size} towers."))
    server.say(wire.DisplayIslandsMessage(island_models=groups))
    assert tiles(server) == [1, 1, 2, 3, 1, 1, 1, 1, 1]


@pytest.mark.parametrize(("suffix", "closed"), [("", False), ("; nobody takes a cloud", True)])
def test_the_view_shows_the_last_round_and_whether_clouds_are_taken_in_it(suffix: str, closed: bool) -> None:
    server = Server()
    server.begin()
    words = f"This is the last round (the bag is empty){suffix}."
    server.say(wire.TextMessage(text=words))
    assert server.notification[-1] == Note(words)
    server.say(islands())
    assert (server.asked.view.last_round, server.asked.view.clouds_closed) == ("the bag is empty", closed)


def test_the_round_is_counted_by_the_own_hand() -> None:
    server = Server()
    server.begin()
    server.say(deck(1, 2, 3))
    assert server.asked.view.round == 8
    server.choose(PlayAssistant(2))
    server.say(wire.DisplayCemeteryMessage(cemetery=(pieces.card(2, ME),)), islands())
    assert (server.asked.view.round, server.asked.view.boards[0].hand) == (8, (1, 3))


@pytest.mark.parametrize(
    ("message", "result"),
    [
        (wire.WinMessage(winner=ME), Result.WON),
        (wire.WinMessage(winner=BOB), Result.LOST),
        (wire.DisconnectionMessage(message_str=" left.", nickname_disconnected="bob"), Result.BROKEN_OFF),
        (
            wire.DisconnectionMessage(message_str="The game ends in a draw. GAME ENDED.", nickname_disconnected=""),
            Result.DRAWN,
        ),
        (wire.ErrorMessage(error="out of order"), Result.BROKEN_OFF),
        (wire.DisplayDeckAndAskCardMessage(nickname="ann", deck=()), Result.BROKEN_OFF),
        (wire.ReqMoveCloudToEntranceMessage(nickname="ann", clouds=()), Result.BROKEN_OFF),
    ],
    ids=lambda one: type(one).__name__ if isinstance(one, msgspec.Struct) else one.value,
)
def test_every_termination_is_reported(message: msgspec.Struct, result: Result) -> None:
    server = Server()
    server.begin()
    server.say(message)
    assert server.over.result is result
    assert server.client.closed


def test_a_lost_connection_ends_the_match() -> None:
    server = Server()
    server.client.lose()
    assert (server.over.view, server.over.result) == (None, Result.BROKEN_OFF)


def test_a_server_that_stops_answering_counts_as_dead() -> None:
    server = Server()
    server.begin()
    server.say(steps(2))
    server.clock.pass_time(MAX_REPLY_TICKS + 1)
    assert not server.client.closed  # it is the player who thinks
    server.choose(MoveMotherNature(1))
    server.clock.pass_time(MAX_REPLY_TICKS - 1)
    assert not server.client.closed
    server.clock.pass_time(1)
    assert server.over.text == "The server has stopped answering."


def test_a_server_that_is_silent_during_the_turns_of_others_is_not_dead() -> None:
    server = Server()
    server.begin()
    server.say(steps(2))
    server.choose(MoveMotherNature(1))
    server.say(wire.EndTurnMessage(nickname="ann"))
    server.clock.pass_time(2 * MAX_REPLY_TICKS)
    assert not server.client.closed


def test_the_card_that_was_played_before_the_first_offer_is_known() -> None:
    server = Server()
    server.begin()
    server.client.take()
    other = wire.PlayerModel(nickname="bob", color_tower=BLACK)
    server.say(wire.DisplayCemeteryMessage(cemetery=(pieces.card(9, other),)), deck(1, 2, 3))
    server.say(wire.LobbyInfoMessage(nickname_list=(other,)))
    asked = server.notification[-1]
    assert isinstance(asked, Ask)
    assert [board.card for board in asked.view.boards] == [None, 9]


# --- the shipped server does not say how it ends --------------------------------------------------------------------

OWNED = msgspec.structs.replace(ME, deck_assistant_card_model=(pieces.card(7),))


def shipped(*, first: bool = False) -> Server:
    """On the shipped server, in the last round, whose cards are played; `first` to act, or last."""
    server = Server()
    server.begin()
    server.say(deck(7, owner=OWNED))
    server.choose(PlayAssistant(7))
    server.say(wire.DisplayCemeteryMessage(cemetery=(pieces.card(9 if first else 3, BOB), pieces.card(7, ME))))
    return server


def board(*towers: wire.ColorTower) -> wire.DisplayIslandsMessage:
    """Islands with these towers, and without any behind them."""
    models_ = [msgspec.structs.replace(one, color_tower=tower) for one, tower in zip(ISLANDS, towers, strict=False)]
    return wire.DisplayIslandsMessage(island_models=(*models_, *ISLANDS[len(towers) :]))


def test_a_server_that_stops_after_some_texts_counts_as_dead() -> None:
    server = shipped()
    server.say(steps(2))
    server.choose(MoveMotherNature(1))
    server.say(wire.DisplayIslandMessage(island_index=1, island_model=ISLANDS[1]))
    server.clock.pass_time(MAX_REPLY_TICKS // 2)
    server.say(wire.TextMessage(nickname="ann", text="JOINING ISLANDS..."))
    server.clock.pass_time(MAX_REPLY_TICKS // 2 - 1)
    assert not server.client.closed
    server.clock.pass_time(1)
    assert (server.over.text, server.over.result) == ("The server has stopped answering.", Result.BROKEN_OFF)


@pytest.mark.parametrize("towers", [(), (BLACK,) * 8, (WHITE,) * 8])
def test_a_server_that_dies_in_the_last_round_breaks_the_match_off(
    towers: tuple[wire.ColorTower, ...],
) -> None:
    server = shipped()
    server.say(board(*towers), steps(2))
    server.choose(MoveMotherNature(1))
    server.clock.pass_time(MAX_REPLY_TICKS)
    assert (server.over.text, server.over.result) == ("The server has stopped answering.", Result.BROKEN_OFF)


def test_a_server_that_closes_in_the_last_round_breaks_the_match_off() -> None:
    server = shipped()
    server.say(board(BLACK, BLACK), steps(2))
    server.client.lose()
    assert server.over.result is Result.BROKEN_OFF


@pytest.mark.parametrize(
    ("clouds", "result"), [(1, Result.BROKEN_OFF), (0, Result.WON)], ids=["a turn is left", "all turns are over"]
)
def test_a_player_who_leaves_in_the_last_round_ends_it_only_after_all_turns(clouds: int, result: Result) -> None:
    server = shipped(first=True)
    cloud = wire.CloudModel(size=3, students=(RED, RED, BLUE))
    server.say(
        board(BLACK, BLACK, WHITE),
        wire.DisplayCloudsMessage(clouds=(cloud,) * clouds),
        wire.LobbyInfoMessage(nickname_list=(ME,)),
    )
    assert server.over.result is result
    assert server.over.text.startswith("bob has left.")


def test_the_next_request_lets_the_player_think_as_long_as_before() -> None:
    server = shipped()
    server.say(steps(2))
    server.choose(MoveMotherNature(1))
    server.say(wire.ReqMoveCloudToEntranceMessage(nickname="ann", clouds=(wire.CloudModel(size=3),)))
    server.clock.pass_time(2 * MAX_REPLY_TICKS)
    assert not server.client.closed


def test_a_card_on_the_table_and_anothers_turn_are_answers_too() -> None:
    server = Server()
    server.begin()
    server.say(deck(1, 2))
    server.choose(PlayAssistant(2))
    server.say(wire.DisplayCemeteryMessage(cemetery=(pieces.card(2, ME),)))
    server.clock.pass_time(2 * MAX_REPLY_TICKS)
    server.say(steps(2))
    server.choose(MoveMotherNature(1))
    server.say(wire.GenericMessage(message="Hey ann, bob is playing..."))
    server.clock.pass_time(2 * MAX_REPLY_TICKS)
    assert not server.client.closed


@pytest.mark.parametrize("first", [True, False])
def test_the_last_player_of_a_round_awaits_new_clouds(first: bool) -> None:
    server = shipped(first=first)
    server.say(wire.ReqMoveCloudToEntranceMessage(nickname="ann", clouds=(wire.CloudModel(size=3),)))
    server.choose(TakeCloud(0))
    server.say(wire.EndTurnMessage(nickname="ann"), wire.DisplayCloudsMessage(clouds=()))
    server.clock.pass_time(2 * MAX_REPLY_TICKS)
    assert server.client.closed is not first


def test_new_clouds_show_that_the_server_is_alive() -> None:
    server = shipped()
    server.say(wire.ReqMoveCloudToEntranceMessage(nickname="ann", clouds=(wire.CloudModel(size=3),)))
    server.choose(TakeCloud(0))
    server.say(wire.EndTurnMessage(nickname="ann"), wire.DisplayCloudsMessage(clouds=(wire.CloudModel(size=3),) * 2))
    server.clock.pass_time(2 * MAX_REPLY_TICKS)
    assert not server.client.closed


def test_a_match_without_messages_ends_after_an_hour() -> None:
    server = shipped(first=True)
    server.say(wire.GenericMessage(message="Hey ann, bob is playing..."))
    server.clock.pass_time(MAX_SILENT_TICKS - 1)
    assert not server.client.closed
    server.clock.pass_time(1)
    assert server.over.text.startswith("The server has stopped answering.")


@pytest.mark.parametrize(
    ("towers", "result"),
    [((BLACK, BLACK, WHITE), Result.WON), ((BLACK, WHITE, WHITE), Result.LOST), ((BLACK, WHITE), Result.LOST)],
)
def test_an_empty_deck_after_the_last_round_is_won_or_lost_by_the_board(
    towers: tuple[wire.ColorTower, ...], result: Result
) -> None:
    """Bob has a professor, which decides where the towers do not."""
    server = shipped()
    server.say(board(*towers), wire.DisplayDeckAndAskCardMessage(nickname="ann", deck=()))
    assert server.over.result is result
    assert server.client.closed


def test_an_empty_deck_in_the_middle_of_a_round_breaks_the_match_off() -> None:
    server = Server()
    server.begin()
    server.say(wire.DisplayCemeteryMessage(cemetery=(pieces.card(7, BOB),)))
    server.say(wire.DisplayDeckAndAskCardMessage(nickname="ann", deck=()))
    assert server.over.result is Result.BROKEN_OFF


@pytest.mark.parametrize(
    ("towers", "result"),
    [((WHITE,) * 8, Result.LOST), ((BLACK,) * 8, Result.WON)],
)
def test_a_lobby_that_shrinks_after_the_last_tower_is_an_end_by_the_board(
    towers: tuple[wire.ColorTower, ...], result: Result
) -> None:
    """WIN went to the winner alone, who is gone."""
    server = shipped()
    server.say(board(*towers), wire.LobbyInfoMessage(nickname_list=(ME,)))
    assert server.over.result is result
    assert server.over.text.startswith("bob has left.")


@pytest.mark.parametrize(("tower", "result", "winners"), [(WHITE, Result.LOST, (1,)), (BLACK, Result.WON, (0,))])
def test_a_merge_after_the_last_tower_does_not_hide_the_end(
    tower: wire.ColorTower, result: Result, winners: tuple[int, ...]
) -> None:
    """A group of the shipped server has one tower, so a merge gives one back in the turn of the last tower."""
    server = shipped()
    last = msgspec.structs.replace(ISLANDS[9], color_tower=tower)
    server.say(board(*(tower,) * 7), wire.DisplayIslandMessage(island_index=9, island_model=last))
    server.say(board(*(tower,) * 7), wire.LobbyInfoMessage(nickname_list=(ME,)))
    assert (server.over.result, server.over.winners) == (result, winners)


def test_a_lobby_that_shrinks_in_mid_match_breaks_it_off() -> None:
    server = Server()
    server.begin()
    hand = msgspec.structs.replace(ME, deck_assistant_card_model=tuple(map(pieces.card, range(1, 11))))
    server.say(deck(1, 2, owner=hand), wire.LobbyInfoMessage(nickname_list=(ME,)))
    assert (server.over.text, server.over.result) == ("bob has left.", Result.BROKEN_OFF)


def test_on_our_server_an_absent_player_is_still_at_the_table() -> None:
    server = Server()
    server.begin()
    cleo = msgspec.structs.replace(BOB, nickname="cleo", color_tower=GREY)
    server.say(wire.LobbyInfoMessage(nickname_list=(BOB, cleo)), deck(1, 2))
    server.say(wire.LobbyInfoMessage(nickname_list=(ME, cleo)))
    assert not server.client.closed
    server.say(islands())
    assert server.asked.view.moves == 4
    assert len(server.asked.view.boards) == 3
