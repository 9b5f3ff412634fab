"""The original server of eriantys-objects, in its simple mode."""

from __future__ import annotations

from collections import Counter
from typing import Any

from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.eriantys_objects.pieces import PAWNS

from .connections import Connection, Original

BLOCKING = {frozenset(pair) for pair in ((0, 1), (0, 2), (0, 4), (2, 4), (3, 4))}
"""The pairs of colours whose tie blocks an island: in all others the first colour wins."""


class Seat:
    """One player of the model."""

    def __init__(self, name: str, connection: Connection) -> None:
        self.name = name
        self.connection = connection
        self.tower: wire.ColorTower | None = None
        self.entrance: list[wire.ColorPawns] = []
        self.hall = dict.fromkeys(PAWNS, 0)
        self.profs: list[wire.ColorPawns] = []
        self.hand = list(range(1, 11))
        self.towers = 8
        self.steps = 0

    def model(self) -> wire.PlayerModel:
        """The whole player, as every message carries it."""
        cards = [wire.AssistantCardModel(mother_nature_movement=(one + 1) // 2, priority=one) for one in self.hand]
        return wire.PlayerModel(
            is_first=True,
            movement_mother_nature_current_action_phase=self.steps,
            num_profs=len(self.profs),
            tower_number=self.towers,
            color_tower=self.tower,
            deck_assistant_card_model=tuple(cards),
            nickname=self.name,
            profs=tuple(self.profs),
            student_in_entrance=tuple(self.entrance),
            student_in_hall=dict(self.hall),
        )

    def card(self, priority: int) -> wire.AssistantCardModel:
        return wire.AssistantCardModel(
            mother_nature_movement=(priority + 1) // 2, priority=priority, owner=self.model()
        )


class Crash(Exception):
    """A handler thread of the original dies; its socket stays open."""


class Island:
    """One group of islands; it holds one tower, whatever its size."""

    def __init__(self) -> None:
        self.students: list[wire.ColorPawns] = []
        self.tower = wire.ColorTower.NULL
        self.mother = self.joined = False

    def model(self) -> wire.IslandModel:
        return wire.IslandModel(
            is_joined=self.joined, mother_nature=self.mother, color_tower=self.tower, students=tuple(self.students)
        )


class EriantysServer(Original):
    """The program.  Faults: displays follow a request, one colour decides an island, professors are doubled, a group
    holds one tower, some merges and an empty bag kill the match, WIN is told to one player and a request follows it."""

    name = "eriantys-objects"

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.seats: list[Seat] = []
        self.number = 0
        self.mode: wire.GameMode | None = None
        self.bag = [pawn for pawn in PAWNS for _ in range(24)]
        self.luck.shuffle(self.bag)
        self.islands: list[Island] = []
        self.clouds: list[list[wire.ColorPawns]] = []
        self.cemetery: list[tuple[Seat, int]] = []
        self.order: list[Seat] = []
        self.planning: list[Seat] = []
        self.active: Seat | None = None
        self.started = self.dead = False
        self.walks: Counter[str] = Counter()
        """How often each player has moved mother nature."""

    # --- saying -------------------------------------------------------------------------------------------------------

    def tell(self, seat: Seat, message: wire.Message) -> None:
        seat.connection.write(wire.encode(message))

    def tell_all(self, make: Any) -> None:
        for seat in self.seats:
            self.tell(seat, make(seat))

    def show_islands(self) -> None:
        models = tuple(island.model() for island in self.islands)
        self.tell_all(lambda seat: wire.DisplayIslandsMessage(nickname=seat.name, island_models=models))

    def show_clouds(self) -> None:
        models = self.cloud_models()
        self.tell_all(lambda seat: wire.DisplayCloudsMessage(nickname=seat.name, clouds=models))

    def cloud_models(self) -> tuple[wire.CloudModel, ...]:
        return tuple(wire.CloudModel(size=self.moves, students=tuple(cloud)) for cloud in self.clouds)

    def show_board(self, seat: Seat) -> None:
        self.tell(
            seat,
            wire.DisplayPlayerBoardMessage(
                nickname=seat.name, is_first=True, entrance=tuple(seat.entrance), hall=dict(seat.hall),
                player=seat.model(), profs=tuple(seat.profs),
                towers=(seat.tower or wire.ColorTower.NULL,) * seat.towers,
            ),
        )  # fmt: skip

    def text(self, text: str) -> None:
        self.tell_all(lambda seat: wire.TextMessage(nickname=seat.name, text=text))

    @property
    def moves(self) -> int:
        return 4 if self.number == 3 else 3

    # --- hearing ------------------------------------------------------------------------------------------------------

    def heard(self, connection: Connection, message: Any) -> None:
        if isinstance(message, wire.PingMessage) or self.dead:
            return
        if isinstance(message, wire.LoginRequest):
            self.login(connection, message.nickname or "")
            return
        seat = next((one for one in self.seats if one.name == message.nickname), None)
        if seat is None:
            return
        try:
            self.take(seat, message)
        except Crash as crash:
            self.fault(str(crash))
            self.dead = True

    def login(self, connection: Connection, name: str) -> None:
        if any(seat.name == name for seat in self.seats):
            reply = wire.LoginReply(nickname="SERVER_NICKNAME", nickname_accepted=False, connection_successful=True)
            connection.write(wire.encode(reply))
            return
        if self.seats and (not self.number or len(self.seats) >= self.number):
            return  # not a word
        seat = Seat(name, connection)
        connection.name = name
        self.seats.append(seat)
        accepted = wire.LoginReply(nickname="SERVER_NICKNAME", nickname_accepted=True, connection_successful=True)
        self.tell(seat, accepted)
        if len(self.seats) == 1:
            self.tell(seat, wire.PlayerNumberRequest(nickname="SERVER_NICKNAME"))
        else:
            self.ask_tower(seat)

    def ask_tower(self, seat: Seat) -> None:
        self.tell(
            seat,
            wire.InitialResMessage(nickname=seat.name, available_towers=self.free_towers(), game_mode=self.mode),
        )

    def free_towers(self) -> tuple[wire.ColorTower, ...]:
        black, white, grey = wire.ColorTower.BLACK, wire.ColorTower.WHITE, wire.ColorTower.GREY
        every = {2: [black, white], 3: [black, white, grey]}.get(self.number, [black, black, white, white])
        for seat in self.seats:
            if seat.tower is not None:
                every.remove(seat.tower)
        return tuple(every)

    def take(self, seat: Seat, message: Any) -> None:
        match message:
            case wire.PlayerNumberReply(player_number=number):
                self.number = number
                self.ask_tower(seat)
            case wire.ChosenTowerMessage(color_tower=tower):
                self.choose_tower(seat, tower)
            case wire.GameModeRes(game_mode=mode):
                self.mode = mode
                self.set_up()
            case wire.RequestPlayersBoard():
                others = tuple(other.model() for other in self.seats if other is not seat)
                self.tell(seat, wire.LobbyInfoMessage(nickname="Server_nickname", nickname_list=others))
            case wire.PlayAssistantCardMessage(index_assistant_card_model=index):
                self.play_card(self.planning[0], index)
            case wire.MovedStudentOnIslandMessage(students=students, index_island=index):
                self.to_island(seat, list(students or ()), index)
            case wire.MovedStudentToHallMessage(students=students):
                self.to_hall(seat, list(students or ()))
            case wire.MovedMotherNatureMessage(movement=steps):
                self.walk(seat, steps)
            case wire.AddStudentFromCloudToEntranceMessage(cloud_index=index):
                self.take_cloud(seat, index)

    def choose_tower(self, seat: Seat, tower: wire.ColorTower | None) -> None:
        if tower is None or tower not in self.free_towers() or seat.tower is not None:
            self.ask_tower(seat)
            return
        seat.tower = tower
        seat.towers = 6 if self.number == 3 else 8
        seat.entrance = [self.bag.pop() for _ in range(9 if self.number == 3 else 7)]
        if seat is self.seats[0]:
            self.tell(seat, wire.GameModeReq(nickname="SERVER_NICKNAME"))
        elif len(self.seats) == self.number and not self.started:
            self.begin()

    def set_up(self) -> None:
        pawns = [pawn for pawn in PAWNS for _ in range(2)]
        self.luck.shuffle(pawns)
        self.islands = [Island() for _ in range(12)]
        self.islands[0].mother = True
        for index, island in enumerate(self.islands):
            if index not in (0, 6):
                island.students.append(pawns.pop())
        self.fill()

    def fill(self) -> None:
        if len(self.bag) < self.number * self.moves:
            raise Crash("the bag cannot fill the clouds")
        self.clouds = [[self.bag.pop() for _ in range(self.moves)] for _ in range(self.number)]

    def begin(self) -> None:
        self.started = True
        self.show_clouds()
        self.show_islands()
        for seat in self.seats:
            self.show_board(seat)
        self.planning = list(self.seats)
        self.ask_card()

    # --- planning -----------------------------------------------------------------------------------------------------

    def ask_card(self) -> None:
        seat = self.planning[0]
        lying = {card for _, card in self.cemetery}
        deck = tuple(seat.card(card) for card in seat.hand if card not in lying)
        if not deck:
            self.fault("the offer of cards is empty")
        self.tell(seat, wire.DisplayDeckAndAskCardMessage(nickname=seat.name, deck=deck))

    def play_card(self, seat: Seat, index: int) -> None:
        if not 0 <= index < len(seat.hand):
            raise Crash("an index is out of range")
        card = seat.hand.pop(index)
        self.cemetery.append((seat, card))
        self.planning.pop(0)
        models = tuple(owner.card(priority) for owner, priority in self.cemetery)
        self.tell_all(lambda one: wire.DisplayCemeteryMessage(nickname=seat.name, cemetery=models))
        if self.planning:
            self.ask_card()
            return
        for owner, priority in self.cemetery:
            owner.steps = (priority + 1) // 2
        self.order = [owner for owner, _ in sorted(self.cemetery, key=lambda one: one[1])]
        self.turn(self.order[0])

    # --- action -------------------------------------------------------------------------------------------------------

    def turn(self, seat: Seat) -> None:
        self.active = seat
        self.tell(seat, wire.StartTurnMessage(nickname=seat.name))
        for other in self.seats:
            if other is not seat:
                text = f"Hey {other.name}, {seat.name} is playing..."
                self.tell(other, wire.GenericMessage(nickname="SERVER_NICK", message=text))
        models = tuple(island.model() for island in self.islands)
        self.tell(seat, wire.StudentToIslandMessage(nickname=seat.name, entrance=tuple(seat.entrance), islands=models))

    def to_island(self, seat: Seat, students: list[wire.ColorPawns], index: int) -> None:
        for pawn in students:
            seat.entrance.remove(pawn)
        self.islands[index].students += students
        self.tell(seat, wire.EntranceChangeMessage(nickname=seat.name, student_in_entrance=tuple(seat.entrance)))
        self.show_islands()
        left = self.moves - len(students)
        if left:
            self.tell(
                seat,
                wire.StudentToHallMessage(
                    nickname=seat.name, number_students_to_move=left, entrance=tuple(seat.entrance)
                ),
            )
        else:
            self.ask_steps(seat)

    def ask_steps(self, seat: Seat) -> None:
        self.tell(
            seat,
            wire.ReqMoveMotherNatureMessage(nickname=seat.name, max_movement_allowed=seat.steps, player=seat.model()),
        )

    def to_hall(self, seat: Seat, students: list[wire.ColorPawns]) -> None:
        for pawn in students:
            seat.entrance.remove(pawn)
            seat.hall[pawn] += 1
            others = [other for other in self.seats if other is not seat]
            if all(seat.hall[pawn] > other.hall[pawn] for other in others):
                if pawn in seat.profs:
                    self.fault("a professor is doubled")
                seat.profs.append(pawn)
                for other in others:
                    if pawn in other.profs:
                        other.profs.remove(pawn)
                        self.text("Updated profs:")
        self.show_board(seat)
        self.ask_steps(seat)
        self.tell(seat, wire.EntranceChangeMessage(nickname=seat.name, student_in_entrance=tuple(seat.entrance)))
        for one in self.seats:
            self.show_board(one)

    def walk(self, seat: Seat, steps: int) -> None:
        self.walks[seat.name] += 1
        if steps > seat.steps:
            message = wire.InvalidMovementMessage(
                nickname=seat.name, movement_allowed=seat.steps, movement_inserted=steps
            )
            self.tell(seat, message)
            self.ask_steps(seat)
            return
        if steps:
            at = next(index for index, island in enumerate(self.islands) if island.mother)
            self.islands[at].mother = False
            at = (at + steps) % len(self.islands)
            self.islands[at].mother = True
            self.conquer(at)
            self.show_islands()
        self.tell(seat, wire.ReqMoveCloudToEntranceMessage(nickname=seat.name, clouds=self.cloud_models()))

    def conquer(self, at: int) -> None:
        island = self.islands[at]
        colour = self.strongest(island)
        owner = next((seat for seat in self.seats if colour in seat.profs), None)
        if owner is None or owner.tower is None:
            return
        if island.tower is not owner.tower:
            for seat in self.seats:
                if seat.tower is island.tower:
                    seat.towers += 1
            island.tower = owner.tower
            owner.towers -= 1
        model = island.model()
        self.tell_all(lambda seat: wire.DisplayIslandMessage(nickname=seat.name, island_index=at, island_model=model))
        self.show_board(owner)
        if owner.towers == 0:
            self.win(self.active)
        self.merge(at)

    def strongest(self, island: Island) -> wire.ColorPawns | None:
        """The single most frequent colour decides."""
        counts = [island.students.count(pawn) for pawn in PAWNS]
        if not any(counts):
            return None
        holder = next((seat for seat in self.seats if seat.tower is island.tower), None)
        if holder is not None:
            for pawn in holder.profs:
                counts[PAWNS.index(pawn)] += 1
        best = [index for index, count in enumerate(counts) if count == max(counts)]
        if len(best) == 2 and frozenset(best) in BLOCKING:
            return None
        return PAWNS[best[0]]

    def merge(self, at: int) -> None:
        size = len(self.islands)
        own = self.islands[at].tower
        alike = [side for side in (at - 1, (at + 1) % size) if self.islands[side].tower is own]
        if not alike:
            return
        if len(alike) == 2:
            if at in (0, size - 1):
                raise Crash("a merge on both sides at the end of the list")
            self.fault("an island between two of its colour is not merged")
            return
        self.text("JOINING ISLANDS...")
        other = self.islands[alike[0]]
        here = self.islands[at]
        here.students += other.students
        here.joined = True
        here.mother = here.mother or other.mother
        self.islands.remove(other)
        for seat in self.seats:
            if seat.tower is own:
                seat.towers += 1
        models = tuple(island.model() for island in self.islands)
        for seat in self.seats:
            self.tell(seat, wire.TextMessage(nickname=seat.name, text="Updated islands:"))
            self.tell(seat, wire.DisplayIslandsMessage(nickname=seat.name, island_models=models))
            if seat.profs:
                self.show_board(seat)

    def take_cloud(self, seat: Seat, index: int) -> None:
        if not 0 <= index < len(self.clouds):
            raise Crash("an index is out of range")
        seat.entrance += self.clouds.pop(index)
        self.tell(seat, wire.EntranceChangeMessage(nickname=seat.name, student_in_entrance=tuple(seat.entrance)))
        self.tell(seat, wire.EndTurnMessage(nickname=seat.name))
        self.show_clouds()
        self.show_islands()
        place = self.order.index(seat)
        if place + 1 < len(self.order):
            self.turn(self.order[place + 1])
            return
        if not self.seats[0].hand or not self.bag or len(self.islands) == 3:
            self.win(self.leader())
            self.cemetery = []
            self.planning = [self.order[0]]
            for one in self.seats:
                one.hand = []
            self.ask_card()
            return
        self.fill()
        self.show_clouds()
        first = self.seats.index(self.order[0])
        self.planning = self.seats[first:] + self.seats[:first]
        self.cemetery = []
        self.ask_card()

    def leader(self) -> Seat:
        return min(self.seats, key=lambda seat: (seat.towers, -len(seat.profs)))

    def win(self, seat: Seat | None) -> None:
        """WIN to one client; the match goes on."""
        assert seat is not None
        if seat.name not in self.results:
            self.results[seat.name] = "won"
        self.tell(seat, wire.WinMessage(nickname="server", winner=seat.model()))

    def left(self, connection: Connection) -> None:
        seat = next((one for one in self.seats if one.connection is connection), None)
        if seat is None or not self.started:
            if seat is not None:
                self.seats.remove(seat)
            return
        rest = [one for one in self.seats if one is not seat and not one.connection.closed]
        models = tuple(one.model() for one in rest)
        for one in rest:
            self.tell(one, wire.LobbyInfoMessage(nickname="Server_nickname", nickname_list=models))
            if seat is self.active:
                self.tell(
                    one,
                    wire.DisconnectionMessage(
                        nickname="Server_nickname",
                        message_str=" disconnected from the server. GAME ENDED.",
                        nickname_disconnected=seat.name,
                    ),
                )
