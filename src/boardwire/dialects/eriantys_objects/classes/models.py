"""The things of the game that messages of eriantys-objects carry.

They lead back into themselves: an assistant's owner holds the assistant.  So do not compare or hash them; look at the
fields you need.  A list that contains itself at some depth is a `list`, any other a `tuple`.
Nearly all may be missing: the shipped client uses little of them, and a server need not send more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, TypeAlias

import msgspec

from boardwire.dialects.eriantys_objects.classes.message import ColorPawns, ColorTower, GameMode, Message, MessageType
from boardwire.wire.javastream import Byte, Interface


class PlayerModel(msgspec.Struct, frozen=True, kw_only=True):
    """A player with all that is his.  Each assistant's owner leads back here."""

    coins: int = 0
    is_first: bool = False
    movement_mother_nature_current_action_phase: Byte = 0
    num_profs: int = 0
    tower_number: int = 0
    character_deck: Sequence[CharacterCardModel] | None = None
    color_tower: ColorTower | None = None
    deck_assistant_card_model: Sequence[AssistantCardModel] | None = None
    nickname: str | None = None
    profs: Sequence[ColorPawns] | None = None
    student_in_entrance: Sequence[ColorPawns] | None = None
    student_in_hall: Mapping[ColorPawns, int] | None = None


class AssistantCardModel(msgspec.Struct, frozen=True, kw_only=True):
    """An assistant card; the priority is its number."""

    is_played: bool = False
    mother_nature_movement: Byte = 0
    priority: int = 0
    owner: PlayerModel | None = None


class IslandModel(msgspec.Struct, frozen=True, kw_only=True):
    """An island, or a group of joined ones as if it were one."""

    is_joined: bool = False
    mother_nature: bool = False
    prohibition: bool = False
    color_tower: ColorTower | None = None
    students: Sequence[ColorPawns] | None = None


class CloudModel(msgspec.Struct, frozen=True, kw_only=True):
    """A cloud and its students."""

    size: int = 0
    students: Sequence[ColorPawns] | None = None


class CharacterCardModel(msgspec.Struct, frozen=True, kw_only=True):
    """A character card; the number says which, the effect has the price."""

    character_id: int = 0
    effect: Annotated[AnyEffect | None, Interface("it.polimi.ingsw.model.effects.Effect")] = None


class InitialConfigEffect(msgspec.Struct, frozen=True, kw_only=True):
    """What effects with students on the card have in common."""

    cost_for_effect: int = 0
    money_on_card: int = 0
    num_students: int = 0
    students: Sequence[ColorPawns] | None = None


class AddToIslandEffect(InitialConfigEffect, frozen=True, kw_only=True):
    """Character 0, the monk."""

    island_chosen: IslandModel | None = None
    student_chosen: ColorPawns | None = None


class AddToHallEffect(InitialConfigEffect, frozen=True, kw_only=True):
    """Character 2, the princess."""

    controller: GameController | None = None
    student_chosen: ColorPawns | None = None


class ControlProfEffect(msgspec.Struct, frozen=True, kw_only=True):
    """Character 1, the farmer."""

    cost_for_effect: int = 0
    money_on_card: int = 0
    old_association_profs: Mapping[ColorPawns, PlayerModel] | None = None
    player_with_profs: PlayerModel | None = None


class ExtraMovementMotherEffect(msgspec.Struct, frozen=True, kw_only=True):
    """Character 3, the postman."""

    cost_for_effect: int = 0
    money_on_card: int = 0


class ProhibitionEffect(msgspec.Struct, frozen=True, kw_only=True):
    """Character 4, the herbalist."""

    chosen_index_island: int = 0
    cost_for_effect: int = 0
    money_on_card: int = 0
    number_prohibition: int = 0


class IgnoreTowerEffect(msgspec.Struct, frozen=True, kw_only=True):
    """Character 5, the centaur."""

    cost_for_effect: int = 0
    money_on_card: int = 0
    controller: GameController | None = None


class AddInfluenceEffect(msgspec.Struct, frozen=True, kw_only=True):
    """Character 6, the knight."""

    cost_for_effect: int = 0
    money_on_card: int = 0
    game_controller: GameController | None = None


class ExcludeColorInfluenceEffect(msgspec.Struct, frozen=True, kw_only=True):
    """Character 7, the mushroom picker."""

    cost_for_effect: int = 0
    money_on_card: int = 0
    color_to_exclude: ColorPawns | None = None
    game_controller: GameController | None = None


class GameController(msgspec.Struct, frozen=True, kw_only=True):
    """The shipped server's own controller, which some effects carry along; ours sends none."""

    activated_effect: bool = False
    consider_tower: bool = False
    game_started: bool = False
    movement: Byte = 0
    number_players_played_card: int = 0
    shuffle: bool = False
    test: int = 0
    character_card_played: CharacterCardModel | None = None
    color_to_exclude: ColorPawns | None = None
    effect_played: str | None = None
    game_instance: GameModel | None = None
    moved_students: Sequence[ColorPawns] | None = None
    old_message: Message | None = None
    old_state: MessageType | None = None
    player_active: PlayerModel | None = None
    player_with_effect_additional_influence: PlayerModel | None = None
    players_that_have_played_card: Sequence[PlayerModel] | None = None


class GameModel(msgspec.Struct, frozen=True, kw_only=True):
    """The shipped server's whole position, inside its controller."""

    have_player_finished_cards: bool = False
    players_number: int = 0
    bag: Sequence[ColorPawns] | None = None
    cemetery: Sequence[AssistantCardModel] | None = None
    clouds_model: Sequence[CloudModel] | None = None
    deck: Sequence[AssistantCardModel] | None = None
    island_models: Sequence[IslandModel] | None = None
    mode: GameMode | None = None
    phase_order: Sequence[PlayerModel] | None = None
    players_models: Sequence[PlayerModel] | None = None


AnyEffect: TypeAlias = (
    InitialConfigEffect
    | AddToIslandEffect
    | AddToHallEffect
    | ControlProfEffect
    | ExtraMovementMotherEffect
    | ProhibitionEffect
    | IgnoreTowerEffect
    | AddInfluenceEffect
    | ExcludeColorInfluenceEffect
)
"""What Java calls an Effect."""
