"""Questions, answers, reports and the end of a match."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.eriantys_objects import pieces, server
from boardwire.dialects.eriantys_objects.tell import DISCONNECTED, DRAW, StepReport, end, tell
from boardwire.games.eriantys import Action, Character, CloudTime, Done, Kind, Options, TakeCloud, UseCharacter
from boardwire.games.eriantys import events as game
from boardwire.games.eriantys.nature import count_range
from boardwire.games.game import Decision, Outcome
from boardwire.table.commands import Act, Chat, OfferUndo, Resign
from boardwire.table.events import Acted, Chatted, UndoDeclined, Undone, UndoOffered
from boardwire.table.guest import Step
from boardwire.table.match import Moment
from boardwire.table.policy import Leaving, Policy

from .spoken import (
    ADVANCED,
    BLACK,
    NO_TOWER,
    PINK,
    WHITE,
    Caller,
    Hall,
    at_table,
    default_answer,
    expert,
    kinds,
    run_until,
    seat,
    texts,
)

PLAIN = (Character.FARMER, Character.KNIGHT, Character.POSTMAN)


def actions(simulated: Hall) -> list[Any]:
    found = [event.action for event in simulated.events() if isinstance(event, Acted)]
    return [msgspec.convert(action, Action) for action in found]


def test_at_the_start_each_gets_clouds_islands_and_its_own_board() -> None:
    simulated = Hall(seed=0)
    callers = seat(simulated)
    told = callers[1].told()[2:]
    assert kinds(told)[:3] == ["DisplayCloudsMessage", "DisplayIslandsMessage", "DisplayPlayerBoardMessage"]
    clouds, islands, board = told[:3]
    assert {message.nickname for message in told[:3]} == {"p1"}
    assert [cloud.size for cloud in clouds.clouds] == [3, 3]
    assert len(islands.island_models) == 12
    assert {island.color_tower for island in islands.island_models} == {NO_TOWER}
    assert (board.towers, len(board.entrance), sum(board.hall.values())) == ((WHITE,) * 8, 7, 0)


def test_one_card_is_asked_for_after_the_other_and_the_cemetery_is_shown_to_all() -> None:
    simulated = Hall(seed=0)
    callers = seat(simulated)
    first, request = run_until(callers, wire.DisplayDeckAndAskCardMessage)
    second = next(one for one in callers if one is not first)
    assert [card.priority for card in request.deck] == list(range(1, 11))
    assert [card.mother_nature_movement for card in request.deck] == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    second.told()
    (cemetery,) = first.answer(kind=wire.PlayAssistantCardMessage, index_assistant_card_model=3)
    assert [(card.priority, card.owner.nickname) for card in cemetery.cemetery] == [(4, first.name)]
    told = second.told()
    assert kinds(told) == ["DisplayCemeteryMessage", "DisplayDeckAndAskCardMessage"]
    assert 4 not in [card.priority for card in told[1].deck]


def test_a_card_index_counts_in_the_list_that_was_offered() -> None:
    simulated = Hall(seed=0)
    callers = seat(simulated)
    first, _ = run_until(callers, wire.DisplayDeckAndAskCardMessage)
    first.answer(kind=wire.PlayAssistantCardMessage, index_assistant_card_model=0)
    second, request = run_until(callers, wire.DisplayDeckAndAskCardMessage)
    assert request.deck[0].priority == 2
    second.answer(kind=wire.PlayAssistantCardMessage, index_assistant_card_model=0)
    assert [action.card for action in actions(simulated)] == [1, 2]


def test_a_turn_begins_with_a_message_to_its_player_and_one_to_the_others() -> None:
    simulated = Hall(seed=0)
    callers = seat(simulated)
    for _ in range(2):
        caller, _ = run_until(callers, wire.DisplayDeckAndAskCardMessage)
        caller.say(wire.PlayAssistantCardMessage(nickname=caller.name, index_assistant_card_model=0))
    told = {caller.name: caller.told() for caller in callers}
    active = next(name for name in told if "StartTurnMessage" in kinds(told[name]))
    other = "p0" if active == "p1" else "p1"
    assert kinds(told[active])[-2:] == ["StartTurnMessage", "StudentToIslandMessage"]
    assert told[other][-1].message == f"Hey {other}, {active} is playing..."


def landing(seed: int = 0, count: int = 2) -> tuple[Hall, list[Caller], Caller, Any]:
    simulated = Hall(seed=seed)
    callers = seat(simulated, count)
    caller, request = run_until(callers, wire.StudentToIslandMessage)
    for other in callers:
        other.told()
    return simulated, callers, caller, request


def test_students_go_to_one_island_and_the_rest_to_the_hall() -> None:
    simulated, callers, caller, request = landing()
    pawns = request.entrance
    told = caller.answer(kind=wire.MovedStudentOnIslandMessage, index_island=5, students=pawns[:1])
    assert kinds(told) == ["EntranceChangeMessage", "DisplayIslandsMessage", "StudentToHallMessage"]
    assert told[2].number_students_to_move == 2
    others = next(one for one in callers if one is not caller).told()
    assert kinds(others) == ["DisplayIslandsMessage"]
    assert pawns[0] in others[0].island_models[5].students
    told = caller.answer(kind=wire.MovedStudentToHallMessage, students=tuple(told[2].entrance[:2]))
    assert kinds(told) == ["DisplayPlayerBoardMessage", "EntranceChangeMessage", "ReqMoveMotherNatureMessage"]
    assert told[2].player.nickname == caller.name
    assert len(actions(simulated)) == 5


def test_all_students_on_the_island_leave_no_question_for_the_hall() -> None:
    _, _, caller, request = landing()
    told = caller.answer(kind=wire.MovedStudentOnIslandMessage, index_island=0, students=request.entrance[:3])
    assert kinds(told)[-1] == "ReqMoveMotherNatureMessage"


def test_with_three_players_the_rest_is_asked_for_the_hall() -> None:
    _, _, caller, request = landing(count=3)
    told = caller.answer(kind=wire.MovedStudentOnIslandMessage, index_island=0, students=request.entrance[:3])
    assert told[-1].number_students_to_move == 1


def test_fewer_students_than_asked_for_lead_back_to_the_island() -> None:
    _, _, caller, request = landing()
    told = caller.answer(kind=wire.MovedStudentOnIslandMessage, index_island=0, students=())
    assert (kinds(told), told[0].number_students_to_move) == (["StudentToHallMessage"], 3)
    told = caller.answer(kind=wire.MovedStudentToHallMessage, students=request.entrance[:1])
    assert kinds(told)[-1] == "StudentToIslandMessage"
    told = caller.answer(kind=wire.MovedStudentOnIslandMessage, index_island=1, students=request.entrance[1:2])
    assert told[-1].number_students_to_move == 1


def test_a_missing_list_of_students_is_an_empty_one() -> None:
    _, _, caller, _ = landing()
    assert kinds(caller.answer(kind=wire.MovedStudentOnIslandMessage, index_island=0)) == ["StudentToHallMessage"]
    assert kinds(caller.answer(kind=wire.MovedStudentToHallMessage)) == ["StudentToIslandMessage"]


def test_a_repeated_last_answer_is_dropped_silently() -> None:
    simulated, _, caller, request = landing()
    message = wire.MovedStudentOnIslandMessage(nickname=caller.name, index_island=0, students=request.entrance[:1])
    caller.tell(message)
    before = simulated.events()
    assert caller.tell(message) == []
    assert caller.tell(wire.PlayedCharacterCardMessage(nickname=caller.name)) == []
    assert caller.tell(wire.LoginRequest(nickname=caller.name)) == []
    assert simulated.events() == before


def test_mother_nature_must_move_and_not_too_far() -> None:
    simulated = Hall(seed=0)
    caller, request = run_until(seat(simulated), wire.ReqMoveMotherNatureMessage)
    for steps in (-1, 0, request.max_movement_allowed + 1):
        told = caller.answer(kind=wire.MovedMotherNatureMessage, movement=steps)
        assert texts(told) == [
            f"mother nature moves {count_range(request.max_movement_allowed, 'island')}, not {steps}"
        ]
    told = caller.answer(kind=wire.MovedMotherNatureMessage, movement=request.max_movement_allowed)
    assert kinds(told)[-1] == "ReqMoveCloudToEntranceMessage"


def test_a_cloud_ends_the_turn_and_leaves_the_list() -> None:
    simulated = Hall(seed=0)
    callers = seat(simulated)
    caller, request = run_until(callers, wire.ReqMoveCloudToEntranceMessage)
    assert len(request.clouds) == 2
    assert texts(caller.answer(kind=wire.AddStudentFromCloudToEntranceMessage, cloud_index=2)) == [
        "Choose a valid cloud"
    ]
    told = caller.answer(kind=wire.AddStudentFromCloudToEntranceMessage, cloud_index=0)
    wanted = ["EntranceChangeMessage", "EndTurnMessage", "DisplayCloudsMessage", "DisplayIslandsMessage"]
    assert kinds(told) == [*wanted, "GenericMessage"]
    assert len(told[2].clouds) == 1
    second, request = run_until(callers, wire.ReqMoveCloudToEntranceMessage)
    assert (second is not caller, len(request.clouds)) == (True, 1)
    second.answer(kind=wire.AddStudentFromCloudToEntranceMessage, cloud_index=0)
    assert actions(simulated)[-1] == TakeCloud(1)


def test_a_cloud_that_must_be_taken_first_is_asked_for_first() -> None:
    _, callers = at_table(Options(cloud=CloudTime.FIRST))
    caller, _ = run_until(callers, wire.ReqMoveCloudToEntranceMessage)
    told = caller.answer(kind=wire.AddStudentFromCloudToEntranceMessage, cloud_index=0)
    assert kinds(told)[-1] == "StudentToIslandMessage"
    assert len(told[-1].entrance) == 10


def test_an_early_cloud_that_may_be_taken_is_not_offered() -> None:
    _, callers = at_table(Options(cloud=CloudTime.EITHER))
    caller, _ = run_until(callers, wire.StudentToIslandMessage)
    told = caller.answer(kind=wire.AddStudentFromCloudToEntranceMessage, cloud_index=0)
    assert kinds(told) == ["TextMessage", "StudentToIslandMessage"]
    caller.say(wire.MovedStudentOnIslandMessage(nickname=caller.name, index_island=0, students=()))
    assert run_until(callers, wire.ReqMoveCloudToEntranceMessage)[0] is caller


# --- characters -----------------------------------------------------------------------------------------------------


def offer(*characters: Character, **more: Any) -> tuple[Hall, list[Caller], Caller, Any]:
    simulated, callers = at_table(expert(*characters, **more))
    caller, request = run_until(callers, wire.ReqPlayCharacterCardMessage)
    return simulated, callers, caller, request


def number(character: Character) -> wire.CharacterCardModel:
    return wire.CharacterCardModel(character_id=pieces.CHARACTERS.index(character))


def test_the_first_offer_of_a_turn_comes_alone_and_shows_the_cards() -> None:
    _, _, caller, request = offer(*PLAIN)
    assert sorted(card.character_id for card in request.character_deck) == [1, 3, 6]
    assert request.exist_card  # the postman costs one
    assert (request.player.nickname, request.player.coins) == (caller.name, 1)
    assert [card.effect.cost_for_effect for card in request.character_deck if card.character_id == 3] == [1]
    assert caller.told() == []
    assert kinds(caller.answer(kind=wire.PlayedCharacterCardMessage)) == ["StudentToIslandMessage"]


def test_an_offer_of_nothing_that_can_be_paid_comes_once_a_turn() -> None:
    _, _, caller, request = offer(Character.FARMER, Character.KNIGHT, Character.CENTAUR)
    assert not request.exist_card
    caller.answer(kind=wire.PlayedCharacterCardMessage)
    told = caller.answer(kind=wire.MovedStudentOnIslandMessage, index_island=0, students=())
    assert kinds(told) == ["StudentToHallMessage"]


def test_a_character_is_offered_before_the_students_after_the_island_and_after_the_hall() -> None:
    _, _, caller, _ = offer(*PLAIN)
    island = caller.answer(kind=wire.PlayedCharacterCardMessage)[-1]
    told = caller.answer(kind=wire.MovedStudentOnIslandMessage, index_island=0, students=island.entrance[:1])
    assert kinds(told)[-1] == "ReqPlayCharacterCardMessage"
    hall = caller.answer(kind=wire.PlayedCharacterCardMessage)[-1]
    told = caller.tell(default_answer(hall))  # type: ignore[arg-type]  # it has one
    assert kinds(told)[-1] == "ReqPlayCharacterCardMessage"
    assert kinds(caller.answer(kind=wire.PlayedCharacterCardMessage)) == ["ReqMoveMotherNatureMessage"]


def test_a_character_without_a_choice_is_played_at_once_and_only_one_a_turn() -> None:
    simulated, callers, caller, _ = offer(*PLAIN)
    other = next(one for one in callers if one is not caller)
    other.told()
    told = caller.answer(kind=wire.PlayedCharacterCardMessage, card_played=number(Character.POSTMAN))
    assert kinds(told) == ["TextMessage", "DisplayPlayerBoardMessage", "StudentToIslandMessage"]
    assert texts(other.told()) == [f"{caller.name} plays the postman."]
    assert told[1].player.coins == 0
    told = caller.answer(kind=wire.MovedStudentOnIslandMessage, index_island=0, students=told[2].entrance[:3])
    assert kinds(told)[-1] == "ReqMoveMotherNatureMessage"
    card = simulated.match().position.plan.cards[int(caller.name[1])]
    assert told[-1].max_movement_allowed == (card + 1) // 2 + 2


def test_only_the_number_of_an_echoed_card_counts() -> None:
    simulated, _, caller, _ = offer(*PLAIN)
    forged = wire.CharacterCardModel(character_id=3, effect=wire.ExtraMovementMotherEffect(cost_for_effect=-50))
    caller.answer(kind=wire.PlayedCharacterCardMessage, card_played=forged)
    assert simulated.match().position.expert.coins[int(caller.name[1])] == 0


def test_the_monk_asks_for_a_student_and_an_island() -> None:
    simulated, _, caller, _ = offer(Character.MONK, *PLAIN[:2])
    (asked,) = caller.answer(kind=wire.PlayedCharacterCardMessage, card_played=number(Character.MONK))
    assert len(asked.students_on_card) == 4
    told = caller.answer(kind=wire.MovedFromCardToIsland, island_index=4, student_to_move=asked.students_on_card[0])
    assert "DisplayIslandsMessage" in kinds(told)
    assert kinds(told)[-1] == "StudentToIslandMessage"
    used = next(action for action in actions(simulated) if getattr(action, "character", None))
    assert (used.character, used.island) == (Character.MONK, 4)


def rich(*characters: Character) -> tuple[Hall, list[Caller], Caller]:
    """Return a player who can pay for the first of these characters."""
    simulated, callers = at_table(expert(*characters), seed=2)
    wanted = pieces.CHARACTERS.index(characters[0])
    for _ in range(60):
        caller, request = run_until(callers, wire.ReqPlayCharacterCardMessage)
        card = next(card for card in request.character_deck if card.character_id == wanted)
        if card.effect.cost_for_effect <= request.player.coins:
            return simulated, callers, caller
        caller.say(wire.PlayedCharacterCardMessage(nickname=caller.name))
    raise AssertionError("nobody got rich")


def test_the_princess_asks_for_a_student() -> None:
    _, _, caller = rich(Character.PRINCESS, *PLAIN[:2])
    (asked,) = caller.answer(kind=wire.PlayedCharacterCardMessage, card_played=number(Character.PRINCESS))
    told = caller.answer(kind=wire.MovedStudentFromCardToHall, picked_student=asked.students_on_card[0])
    assert "DisplayPlayerBoardMessage" in kinds(told)


def test_the_herbalist_asks_for_an_island_and_closes_it() -> None:
    _, callers, caller = rich(Character.GRANDMA, *PLAIN[:2])
    (asked,) = caller.answer(kind=wire.PlayedCharacterCardMessage, card_played=number(Character.GRANDMA))
    here = next(at for at, island in enumerate(asked.islands) if island.mother_nature)
    told = caller.answer(kind=wire.MovedBanCardMessage, index_island=(here + 1) % len(asked.islands))
    islands = next(one for one in told if isinstance(one, wire.DisplayIslandsMessage))
    assert [at for at, one in enumerate(islands.island_models) if one.prohibition] == [(here + 1) % len(asked.islands)]
    request = next((one for one in told if default_answer(one)), None)
    while request is not None and not isinstance(request, wire.ReqMoveMotherNatureMessage):
        told = caller.tell(default_answer(request))  # type: ignore[arg-type]  # it has one, see above
        request = next(one for one in told if default_answer(one))
    told = caller.answer(kind=wire.MovedMotherNatureMessage, movement=1)
    assert kinds(told)[0] == "EffectSkippingInfluenceMessage"
    assert not any("EffectSkippingInfluenceMessage" in kinds(one.told()) for one in callers)


def test_the_mushroom_picker_asks_for_a_colour() -> None:
    simulated, _, caller = rich(Character.MUSHROOM, *PLAIN[:2])
    assert kinds(caller.answer(kind=wire.PlayedCharacterCardMessage, card_played=number(Character.MUSHROOM))) == [
        "AskColorToIgnore"
    ]
    caller.answer(kind=wire.ChosenColorToIgnore, chosen_color=PINK)
    assert simulated.match().position.expert.ignored.name == "PINK"


def test_the_answer_to_a_character_is_taken_without_the_question() -> None:
    simulated, _, caller, request = offer(Character.MONK, *PLAIN[:2])
    monk = next(card for card in request.character_deck if card.character_id == 0)
    told = caller.answer(kind=wire.MovedFromCardToIsland, island_index=0, student_to_move=monk.effect.students[0])
    assert kinds(told)[-1] == "StudentToIslandMessage"
    assert simulated.match().position.expert.active is Character.MONK


def test_characters_without_a_number_are_neither_offered_nor_drawn() -> None:
    simulated = Hall(seed=0)
    seat(simulated, 2, ADVANCED)
    assert set(simulated.match().setting.options.catalogue) == set(pieces.CHARACTERS)
    _, callers = at_table(expert(Character.THIEF, Character.JESTER, Character.MONK))
    _, request = run_until(callers, wire.ReqPlayCharacterCardMessage)
    assert [card.character_id for card in request.character_deck] == [0]


def test_a_table_with_no_expressible_character_makes_no_offers() -> None:
    _, callers = at_table(expert(Character.THIEF, Character.JESTER, Character.MINSTREL))
    caller, _ = run_until(callers, wire.StudentToIslandMessage)
    assert "ReqPlayCharacterCardMessage" not in kinds(caller.told())


# --- what everyone is told -----------------------------------------------------------------------------------------


def test_towers_and_joined_islands_are_reported_with_their_size() -> None:
    simulated = Hall(seed=1)
    callers = seat(simulated)
    seen: list[Any] = []
    for _ in range(600):
        for caller in callers:
            told = caller.told()
            seen += told
            for message in told:
                answer = default_answer(message)
                if answer is not None:
                    caller.say(answer)
        if any(isinstance(one, wire.WinMessage) for one in seen):
            break
    assert "DisplayIslandMessage" in kinds(seen)
    island = next(one for one in seen if isinstance(one, wire.DisplayIslandMessage))
    assert island.island_model.color_tower in (BLACK, WHITE)
    joined = texts(seen)
    assert {"JOINING ISLANDS...", "Updated islands:", "Updated profs:"} <= set(joined)
    assert any("is made of 2 islands and has 2 towers." in text for text in joined)
    assert any(text.startswith("This is the last round") for text in joined)


def test_a_round_without_clouds_is_announced() -> None:
    simulated = Hall(seed=0)
    view = at_view(simulated)
    telling = StepReport(view, view, [game.LastRound(game.Termination.BAG, False)], ("p0", "p1"))
    assert b"nobody takes a cloud" in tell(telling, 0)


def at_view(simulated: Hall) -> Any:
    seat(simulated)
    match = simulated.match()
    return match.setting.game.view(match.position, None)


def test_boards_are_shown_when_they_are_asked_for() -> None:
    simulated = Hall(seed=0)
    caller, _ = seat(simulated)
    caller.told()
    (lobby,) = caller.answer(kind=wire.RequestPlayersBoard)
    assert [one.nickname for one in lobby.nickname_list] == ["p1"]
    assert lobby.nickname_list[0].color_tower is WHITE
    (board,) = caller.answer(kind=wire.ReqRealPlayerBoardMessage, nick_to_send="p1")
    assert (board.nickname, board.towers[0]) == ("p1", WHITE)


def test_an_undo_is_declined_because_the_protocol_has_no_message_for_it() -> None:
    simulated = Hall(seed=0)
    guest, _ = simulated.guest(policy=Policy(undo=True))
    caller = Caller(simulated, "ann")
    tower = caller.told()[-1].available_towers[-1]
    caller.say(wire.ChosenTowerMessage(nickname="ann", color_tower=tower))
    for message in caller.told():
        answer = default_answer(message)
        if answer is not None:
            caller.say(answer)
    pending = simulated.match().pending
    assert pending is not None
    assert pending.seats == (0,)
    simulated.lobby.do(guest, Act(0, (next(iter(pending.choices)),)))
    simulated.lobby.do(guest, OfferUndo(0))
    assert [type(event) for event in simulated.events()[-2:]] == [UndoOffered, UndoDeclined]


@pytest.mark.parametrize("kind", [Kind.SWAP, Kind.FINISH])
def test_decisions_the_protocol_cannot_express_have_a_default(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    simulated = Hall(seed=0)
    callers = seat(simulated)
    caller, _ = run_until(callers, wire.StudentToIslandMessage)
    place = int(caller.name[1])
    asked: list[Any] = []
    monkeypatch.setattr(caller.peer.talk, "do", asked.append)
    match = next(iter(simulated.lobby)).match
    pending = Decision(kind, (place,), (Done(),))
    later = msgspec.structs.replace(match, pending=pending, moved=match.moved + 1, seq=match.seq + 1)
    caller.peer.talk.tell(Step((Moment(Chatted(0.0, None, "hi"), later),)))
    assert asked == [Act(place, (Done(),), later.seq)]
    assert caller.told() == []


def test_a_character_is_offered_after_mother_nature_where_there_is_no_cloud(monkeypatch: pytest.MonkeyPatch) -> None:
    simulated, _, caller, _ = offer(*PLAIN)
    place = int(caller.name[1])
    match = next(iter(simulated.lobby)).match
    uses = (Done(), UseCharacter(Character.KNIGHT))
    pending = Decision(Kind.FINISH, (place,), uses)
    later = msgspec.structs.replace(match, pending=pending, moved=match.moved + 1, seq=match.seq + 1)
    caller.peer.talk.tell(Step((Moment(Chatted(0.0, None, "hi"), later),)))
    assert kinds(caller.told()) == ["ReqPlayCharacterCardMessage"]
    asked: list[Any] = []
    monkeypatch.setattr(caller.peer.talk, "do", asked.append)
    caller.answer(kind=wire.PlayedCharacterCardMessage)
    assert asked == [Act(place, (Done(),), later.seq)]


def test_chat_repeats_no_question() -> None:
    simulated = Hall(seed=0)
    callers = seat(simulated)
    caller, _ = run_until(callers, wire.StudentToIslandMessage)
    table = next(iter(simulated.lobby))
    simulated.lobby.do(table.guests[0], Chat(0, "hello"))
    assert [one.told() for one in callers][int(caller.name[1])] == []


def test_students_of_one_answer_move_all_or_none() -> None:
    simulated, callers, caller, request = landing()
    lacking = next(pawn for pawn in pieces.PAWNS if request.entrance.count(pawn) < 3)
    before = simulated.events()
    told = caller.answer(kind=wire.MovedStudentOnIslandMessage, index_island=0, students=(lacking,) * 3)
    assert kinds(told) == ["TextMessage", "StudentToIslandMessage"]
    assert simulated.events() == before
    assert [one.told() for one in callers] == [[], []]


def test_an_undo_shows_the_table_and_asks_again() -> None:
    simulated = Hall(seed=0)
    callers = seat(simulated)
    caller, _ = run_until(callers, wire.StudentToHallMessage)
    table = next(iter(simulated.lobby))
    caller.told()
    match = table.match
    later = msgspec.structs.replace(match, moved=match.moved + 1, seq=match.seq + 1)
    caller.peer.talk.tell(Step((Moment(Undone(0.0, 0), later),)))
    heard = kinds(caller.told())
    assert heard[:3] == ["DisplayCloudsMessage", "DisplayIslandsMessage", "DisplayPlayerBoardMessage"]
    assert heard[-1] == "StudentToIslandMessage"


# --- the end --------------------------------------------------------------------------------------------------------


def test_all_players_get_the_winner_and_are_disconnected() -> None:
    simulated = Hall(seed=0)
    guest, _ = simulated.guest()
    caller = Caller(simulated, "ann")
    caller.answer(kind=wire.ChosenTowerMessage, color_tower=caller.told()[-1].available_towers[-1])
    caller.told()
    simulated.lobby.do(guest, Resign(0))
    told = caller.told()
    assert (told[-1].winner.nickname, told[-1].nickname) == ("ann", "server")
    assert caller.peer.closed


def test_each_winner_of_a_team_gets_its_own_name() -> None:
    simulated = Hall(seed=0)
    callers = seat(simulated, 4)
    for caller in callers:
        caller.told()
    table = next(iter(simulated.lobby))
    guest = next(one for one in table.guests if table.seat_of(one) == 0)
    simulated.lobby.do(guest, Resign(0))
    simulated.lobby.do(next(one for one in table.guests if table.seat_of(one) == 2), Resign(2))
    winners = [caller.told()[-1].winner.nickname for caller in callers]
    outcome = simulated.match().outcome
    assert outcome is not None
    names = [f"p{one}" for one in outcome.winners]
    assert [winners[int(name[1])] for name in names] == names
    assert all(one in names for one in winners)


def test_when_a_player_leaves_the_others_are_informed_and_closed() -> None:
    simulated = Hall(seed=0)
    callers = seat(simulated, 3)
    for caller in callers:
        caller.told()
    callers[1].peer.drop()
    for caller in (callers[0], callers[2]):
        lobby, gone = caller.told()
        assert [one.nickname for one in lobby.nickname_list] == ["p0", "p2"]
        assert (gone.nickname_disconnected, gone.message_str) == ("p1", DISCONNECTED)
        assert gone.nickname == "p1", "real clients print this one before the text"
        assert caller.peer.closed


def test_the_others_play_on_if_a_seat_is_held() -> None:
    simulated = Hall(seed=0)
    simulated.open(Options(), 2, Policy(Leaving.HOLDS, grace=60))
    callers = [Caller(simulated, "p0"), Caller(simulated, "p1")]
    simulated.clock.pass_time(1)
    for caller, tower in zip(callers, (BLACK, WHITE), strict=True):
        caller.say(wire.ChosenTowerMessage(nickname=caller.name, color_tower=tower))
        caller.told()
    callers[1].peer.drop()
    told = [one for one in callers[0].told() if isinstance(one, wire.LobbyInfoMessage)]
    assert [one.nickname for one in told[0].nickname_list] == ["p0"]
    assert not callers[0].peer.closed


def test_a_draw_is_reported_by_a_text_without_a_winner(monkeypatch: pytest.MonkeyPatch) -> None:
    simulated = Hall(seed=0)
    caller, _ = seat(simulated)
    caller.told()
    monkeypatch.setattr(server, "end", lambda player, outcome: end(player, Outcome("draw")))
    table = next(iter(simulated.lobby))
    simulated.lobby.do(table.guests[0], Resign(0))
    gone = caller.told()[-1]
    assert (gone.nickname, gone.nickname_disconnected, gone.message_str) == ("", "", DRAW)
