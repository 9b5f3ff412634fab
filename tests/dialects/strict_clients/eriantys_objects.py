"""The shipped console client of eriantys-objects.

- It is driven by requests alone, and copies their nickname into its answers.  Its own name counts at the login.
- It pings every second and never looks at the server's silence.
- It takes the first tower that it is offered, also before the mode is known.
- It moves at most three students to one island, also with three players, and the rest to its hall.
- It has no case for AskColorRemoveFromAll, and ignores errors but ErrorMessage, which is its end.
- An index in an empty deck, or of no cloud, cannot be given: it waits for ever.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.wire.javastream import Framing, Reader, Writer

from .client import BROKEN_OFF, LOST, WON, StrictClient

COLOURS = [colour for colour in wire.ColorPawns if colour is not wire.ColorPawns.NULL]
MOST_IN_HALL = 10


class Eriantys(StrictClient):
    """One console."""

    def __init__(self, name: str, seats: int, luck: Random, mode: str = "simplified", tower: str = "") -> None:
        super().__init__(name, seats, luck)
        self._mode = wire.GameMode.ADVANCED if mode == "expert" else wire.GameMode.BEGINNER
        self._reader = Reader(wire.SHIPPED, framing=Framing.ONCE)
        self._writer = Writer(wire.SHIPPED, Framing.ONCE)
        self._hall: dict[wire.ColorPawns, int] = {}
        self._out += self._writer.opening
        self._say(wire.PingMessage())
        self._say(wire.LoginRequest(nickname=name))

    def _say(self, message: wire.Message) -> None:
        self._out += self._writer.encode(message)

    def decode(self, data: bytes) -> Iterable[Any]:
        return self._reader.feed(data)

    def idle(self) -> None:
        self._say(wire.PingMessage())

    def _one(self, of: Sequence[Any], what: str) -> int:
        """An index, if there is any."""
        if not of:
            self.dies(f"no {what} to choose from")
            return 0
        return self.luck.randrange(len(of))

    def hear(self, message: Any) -> None:
        name = message.nickname
        match message:
            case wire.LoginReply(nickname_accepted=accepted, connection_successful=successful):
                if not (accepted and successful):
                    self.dies(f"not let in: {message}")
            case wire.PlayerNumberRequest():
                self._say(wire.PlayerNumberReply(nickname=self.name, player_number=self.seats))
            case wire.InitialResMessage(available_towers=towers):
                at = self._one(towers, "tower")
                self._say(wire.ChosenTowerMessage(nickname=self.name, color_tower=towers[at]))
            case wire.GameModeReq():
                self._say(wire.GameModeRes(nickname=self.name, game_mode=self._mode))
            case wire.DisplayPlayerBoardMessage(player=player, hall=hall) if player.nickname == self.name:
                self._hall = dict(hall)
            case wire.DisplayDeckAndAskCardMessage(deck=deck):
                at = self._one(deck, "assistant")
                self._say(
                    wire.PlayAssistantCardMessage(nickname=name, index_assistant_card_model=at, player_model=name)
                )
            case wire.StudentToIslandMessage(entrance=entrance, islands=islands):
                count = self.luck.randrange(min(3, len(entrance)) + 1)
                chosen = tuple(self.luck.sample(list(entrance), count))
                at = self._one(islands, "island")
                self._say(wire.MovedStudentOnIslandMessage(nickname=name, index_island=at, students=chosen))
            case wire.StudentToHallMessage(number_students_to_move=count, entrance=entrance):
                self._say(wire.MovedStudentToHallMessage(nickname=name, students=self._for_hall(entrance, count)))
            case wire.ReqMoveMotherNatureMessage(max_movement_allowed=most):
                steps = self.luck.randint(1, most)
                self._say(wire.MovedMotherNatureMessage(nickname=name, movement=steps, player_model=name))
            case wire.ReqMoveCloudToEntranceMessage(clouds=clouds):
                at = self._one(clouds, "cloud")
                self._say(wire.AddStudentFromCloudToEntranceMessage(nickname=name, cloud_index=at))
            case wire.WinMessage(winner=winner):
                self.ends(WON if winner.nickname == self.name else LOST)
                self.closed = True
            case wire.DisconnectionMessage() | wire.ErrorMessage():
                self.ends(BROKEN_OFF)
                self.closed = True
            case wire.AskColorRemoveFromAll():
                self.dies("it has no case for the thief")
            case _:
                self._character(message, name)

    def _for_hall(self, entrance: Sequence[wire.ColorPawns], count: int) -> tuple[wire.ColorPawns, ...]:
        """Students whose tables have room, as far as the console shows it."""
        halls = dict(self._hall)
        chosen: list[wire.ColorPawns] = []
        for colour in self.luck.sample(list(entrance), len(entrance)):
            if len(chosen) < count and halls.get(colour, 0) < MOST_IN_HALL:
                halls[colour] = halls.get(colour, 0) + 1
                chosen.append(colour)
        return tuple(chosen)

    def _character(self, message: Any, name: str | None) -> None:
        match message:
            case wire.ReqPlayCharacterCardMessage(exist_card=payable, character_deck=deck, player=player):
                cards = [one for one in deck if one.effect is not None and one.effect.cost_for_effect <= player.coins]
                card = self.luck.choice(cards) if payable and cards and self.luck.random() < 0.4 else None
                self._say(wire.PlayedCharacterCardMessage(nickname=name, card_played=card))
            case wire.AskMoveStudentFromCardToIslandMessage(islands=islands, students_on_card=students):
                island, student = self._one(islands, "island"), students[self._one(students, "student")]
                self._say(wire.MovedFromCardToIsland(nickname=name, island_index=island, student_to_move=student))
            case wire.ReqStudentFromCardToHall(students_on_card=students):
                student = students[self._one(students, "student")]
                self._say(wire.MovedStudentFromCardToHall(nickname=name, picked_student=student))
            case wire.AskMoveBanCardMessage(islands=islands):
                self._say(wire.MovedBanCardMessage(nickname=name, index_island=self._one(islands, "island")))
            case wire.AskColorToIgnore():
                self._say(wire.ChosenColorToIgnore(nickname=name, chosen_color=self.luck.choice(COLOURS)))
            case wire.AskExtraGetInfluenceMessage(islands=islands):
                self._say(wire.ExtraGetInfluence(nickname=name, index_island=self._one(islands, "island")))
