"""santorini-lobby at tables with every set-up and policy, and with players of other protocols."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from boardwire import dialects
from boardwire.api.match_file import events_of, record_of
from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Dialect, Over, Result
from boardwire.dialects.santorini_lobby import DIALECTS
from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.dialects.santorini_lobby.messages import OFFERED_GODS, encode
from boardwire.games.game import Outcome
from boardwire.games.santorini import CATALOGUE, Draft, God, Kind, Options, View, Wish
from boardwire.games.santorini.actions import PickGod
from boardwire.games.santorini.view import view
from boardwire.lobby.requests import Depart, Seek
from boardwire.simulation.server import SimulatedClient, SimulatedConnection, SimulatedServer, play_together
from boardwire.table.commands import Act, AnswerUndo, Chat, Close, OfferUndo, Ready, Resign
from boardwire.table.events import Acted, Player
from boardwire.table.guest import Guest, Refusal, Seated, Step
from boardwire.table.match import fold
from boardwire.table.policy import Leaving, Policy
from boardwire.table.termination import Termination

LOBBY = DIALECTS["santorini-lobby"]
GODS = (God.PAN, God.ATLAS, God.APOLLO)


class Stranger:
    """A player of another protocol without limitations; with a source of luck it plays by itself."""

    def __init__(
        self,
        server: SimulatedServer,
        seats: int,
        options: Options | None = None,
        policy: Policy | None = None,
        luck: Random | None = None,
        name: str = "nat",
        ready: bool = True,
        gods: tuple[God, ...] = (),
    ) -> None:
        self.notification: list[Any] = []
        self.luck = luck
        self.seat = -1
        self._lobby = server.lobby
        self._guest = Guest(self._receive)
        player = Player(name, "other")
        self.do(Seek("santorini", seats, player, options, policy or Policy(), wish=Wish(gods), ready=ready))

    def do(self, request: Any) -> None:
        self._lobby.do(self._guest, request)

    def refusals(self) -> list[str]:
        return [str(notification.reason) for notification in self.notification if isinstance(notification, Refusal)]

    def _receive(self, notification: Any) -> None:
        self.notification.append(notification)
        if isinstance(notification, Seated):
            self.seat = notification.seat
        if isinstance(notification, Step) and self.luck is not None:
            pending = notification.match.pending
            if pending is not None and self.seat in pending.seats:
                self.do(Act(self.seat, (self.luck.choice(list(pending.choices)),), notification.match.seq))


class Table:
    """Clients of this dialect with random players at one table."""

    def __init__(self, server: SimulatedServer, players: int, luck: Random) -> None:
        self.server = server
        self.overs: dict[str, Over] = {}
        self.asked: list[Ask] = []
        self._luck = luck
        self._players = players
        self.pairs: list[tuple[SimulatedClient, SimulatedConnection]] = []

    def sit(self, name: str, dialect: Dialect = LOBBY) -> None:
        peer = self.server.connect(dialect)
        client = SimulatedClient(dialect, self._player(name), ClientOptions(name, self._players), self.server.clock)
        self.pairs.append((client, peer))
        play_together(self.server, self.pairs)

    def _player(self, name: str) -> Callable[[SimulatedClient, Any], None]:
        def player(client: SimulatedClient, notification: Any) -> None:
            if isinstance(notification, Ask):
                self.asked.append(notification)
                client.talk.tell(Answer(self._luck.choice(list(notification.decision.choices))))
            elif isinstance(notification, Over):
                self.overs[name] = notification

        return player


def same_board(seen: View, truth: View) -> None:
    assert seen.levels == truth.levels
    assert set(seen.domes) == set(truth.domes) | set(truth.closed)
    standing = [squares for seat, squares in enumerate(truth.workers) if seat not in truth.out]
    told = [squares for seat, squares in enumerate(seen.workers) if seat not in seen.out]
    assert sorted(told) == sorted(standing), "a client counts users in the order in which they came"


def finished(table: Table, names: tuple[str, ...]) -> None:
    match = table.server.match()
    assert match.outcome is not None
    assert set(table.overs) == set(names)
    for seat, player in enumerate(match.players):
        if player is not None and player.name in names:
            over = table.overs[player.name]
            assert over.result is (Result.WON if seat in match.outcome.winners else Result.LOST), over.text
            same_board(over.view, view(match.position, None))


# --- whole games ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3])
def test_random_clients_play_to_the_end(players: int) -> None:
    for seed in range(8):
        table = Table(SimulatedServer(seed=seed), players, Random(seed))
        names = ("ann", "bob", "cat")[:players]
        for name in names:
            table.sit(name)
        finished(table, names)


@pytest.mark.parametrize("god", OFFERED_GODS)
def test_every_god_of_the_list_can_be_played(god: God) -> None:
    for seed in range(2):
        server = SimulatedServer(seed=seed)
        table = Table(server, 2, Random(seed))
        other = God.APOLLO if god is not God.APOLLO else God.ATHENA
        Stranger(server, 2, Options(Draft.GIVEN, gods=(other, god)), luck=Random(seed))
        table.sit("ann")
        finished(table, ("ann",))


OPTIONS = {
    Draft.NONE: Options(Draft.NONE),
    Draft.GIVEN: Options(Draft.GIVEN, gods=GODS),
    Draft.RANDOM: Options(Draft.RANDOM),
    Draft.CHALLENGER: Options(Draft.CHALLENGER),
    Draft.PRINTED: Options(Draft.PRINTED),
    Draft.FIRST_PROPOSES: Options(Draft.FIRST_PROPOSES),
    Draft.TOGETHER: Options(Draft.TOGETHER),
    Draft.TWO_ROUNDS: Options(Draft.TWO_ROUNDS),
    Draft.ONLINE: Options(Draft.ONLINE),
    Draft.FLEECE: Options(Draft.FLEECE, gods=(God.PAN,)),
    Draft.POSITION: Options(Draft.POSITION, position="0001022a40000000000000000/1/pan:A1,B1/apollo:C1,D1/atlas:A2,B2"),
}


def options(draft: Draft, players: int) -> Options:
    found = OPTIONS[draft]
    if draft is Draft.GIVEN:
        return Options(draft, gods=GODS[:players])
    if draft is Draft.POSITION and players == 2:
        return Options(draft, position=found.position.rpartition("/")[0])
    return found


def test_every_draft_is_covered() -> None:
    assert set(OPTIONS) == set(Draft)


@pytest.mark.parametrize("first", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["stranger first", "last"])
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("draft", list(Draft))
def test_a_table_with_any_set_up_is_played_to_its_end(draft: Draft, players: int, first: bool) -> None:
    if draft is Draft.FLEECE and players == 3:
        return
    for seed in range(2):
        server = SimulatedServer(seed=seed)
        table = Table(server, players, Random(seed))
        luck = Random(seed)
        names = ("ann", "bob")[: players - 1]
        if first:
            Stranger(server, players, options(draft, players), luck=luck)
        else:  # someone opened it and has gone again before the others came
            opener = Stranger(server, players, options(draft, players), name="gone", ready=False)
            holder = Stranger(server, players, name="", ready=False)
            opener.do(Depart())
            for name in names:
                table.sit(name)
            holder.luck = luck
            holder.do(Ready(holder.seat, Player("nat", "other")))
            play_together(server, table.pairs)
            finished(table, names)
            continue
        for name in names:
            table.sit(name)
        finished(table, names)


@pytest.mark.parametrize("players", [2, 3])
def test_a_player_of_another_protocol_may_join_a_lobby_and_be_its_challenger(players: int) -> None:
    proposed = set()
    for seed in range(8):
        server = SimulatedServer(seed=seed)
        table = Table(server, players, Random(seed))
        names = ("ann", "bob")[: players - 1]
        for name in names:
            table.sit(name)
        Stranger(server, players, luck=Random(seed))
        play_together(server, table.pairs)
        finished(table, names)
        first = next(event for event in server.events() if isinstance(event, Acted))
        assert "propose_god" in str(first.action)
        proposed.add(first.seat)
    assert players - 1 in proposed


@pytest.mark.parametrize("god", [god for god in OFFERED_GODS if CATALOGUE[god].fleece])
def test_turns_continue_with_any_power_that_the_ram_lends(god: God) -> None:
    server = SimulatedServer(seed=1)
    table = Table(server, 2, Random(1))
    Stranger(server, 2, Options(Draft.FLEECE, gods=(god,)), luck=Random(2))
    table.sit("ann")
    finished(table, ("ann",))


OTHERS = [name for name in dialects.DIALECT_PACKAGES if name.startswith("santorini") and name not in DIALECTS]


@pytest.mark.slow  # tests/dialects/test_mixed_tables.py plays these pairs, with fewer seeds
@pytest.mark.parametrize("order", ["LO", "OL", "LOL", "OOL"])
@pytest.mark.parametrize("other", OTHERS)
def test_clients_of_other_dialects_can_share_a_table(other: str, order: str) -> None:
    for seed in range(2):
        table = Table(SimulatedServer(seed=seed), len(order), Random(seed))
        names = {f"{who}{n}": who == "L" for n, who in enumerate(order)}
        for name, ours in names.items():
            table.sit(name, LOBBY if ours else dialects.dialect(other))
        assert set(table.overs) == set(names)
        for name in [name for name, ours in names.items() if not ours]:
            del table.overs[name]  # how they tell an end is theirs to test
        finished(table, tuple(table.overs))


# --- what others' tables have that ours have not --------------------------------------------------------------------


def lines(peer: SimulatedConnection) -> list[str]:
    return [str(wire.parse_event(line)) for line in peer.take().splitlines()]


def said(peer: SimulatedConnection) -> list[str]:
    return [type(wire.parse_event(line)).__name__ for line in peer.take().splitlines()]


def log_in(server: SimulatedServer, name: str) -> SimulatedConnection:
    peer = server.connect(LOBBY)
    peer.send(encode(wire.AddUser(wire.User(name))))
    return peer


def test_players_of_a_waiting_table_are_announced_once_they_have_a_name() -> None:
    server = SimulatedServer(seed=0)
    nat = Stranger(server, 3, ready=False, name="")
    ann = log_in(server, "ann")
    assert said(ann) == ["SizeSelected", "UserJoined", "Result"]
    nat.do(Ready(nat.seat, Player("nat", "other")))
    assert "nat" in lines(ann)[0]
    bob = server.connect(LOBBY)
    assert said(bob) == ["SizeSelected", "UserJoined", "UserJoined"]


def test_an_unnamed_player_gets_a_name() -> None:
    server = SimulatedServer(seed=0)
    Stranger(server, 2, name="")
    ann = server.connect(LOBBY)
    assert "player 1" in lines(ann)[1]


def test_an_unnamed_player_who_leaves_is_never_announced() -> None:
    server = SimulatedServer(seed=0)
    nat = Stranger(server, 2, ready=False, name="")
    ann = server.connect(LOBBY)
    nat.do(Depart())
    assert said(ann) == ["SizeSelected"]
    assert not ann.closed
    ann.send(encode(wire.SelectPlayerNumber(3)))
    assert said(ann) == ["SizeSelected", "Result"]


def test_an_announced_player_who_leaves_ends_the_lobby_for_its_connections() -> None:
    server = SimulatedServer(seed=0)
    nat = Stranger(server, 3)
    Stranger(server, 3, name="sue")
    ann, eve = log_in(server, "ann"), server.connect(LOBBY)
    ann.take(), eve.take()
    assert server.match().pending is not None
    ann.drop()
    assert server.match().outcome is not None
    server = SimulatedServer(seed=0)
    nat = Stranger(server, 3)
    ann, eve = log_in(server, "ann"), server.connect(LOBBY)
    ann.take(), eve.take()
    nat.do(Depart())
    assert 'User: "nat" disconnected. Terminating.' in lines(ann)[0]
    assert said(eve) == ["ServerError"]
    assert ann.closed
    assert eve.closed


@pytest.mark.parametrize(
    "options",
    [
        Options(Draft.GIVEN, gods=(God.PAN, God.HERMES)),
        Options(Draft.FLEECE, gods=(God.HERMES,)),
        Options(Draft.POSITION, position="0000000000000000000000000/1/hermes:A1,B1/pan:C1,D1"),
    ],
    ids=lambda options: options.draft,
)
def test_tables_with_powers_outside_the_protocol_are_skipped(options: Options) -> None:
    server = SimulatedServer(seed=0)
    Stranger(server, 2, options)
    ann = log_in(server, "ann")
    assert ann.take() == wire.NO


def test_tables_for_four_are_skipped_and_hide_no_lobby() -> None:
    server = SimulatedServer(seed=0)
    for name in ("1", "2", "3"):
        Stranger(server, 4, name=name)
    ann = server.connect(LOBBY)
    assert ann.take() == b""
    ann.send(encode(wire.AddUser(wire.User("ann"))))
    assert ann.take() == wire.NO
    ann.send(encode(wire.SelectPlayerNumber(2)) + encode(wire.AddUser(wire.User("ann"))))
    assert said(ann) == ["SizeSelected", "Result", "UserJoined", "Result"]
    assert said(server.connect(LOBBY)) == ["SizeSelected", "UserJoined"]


def test_only_gods_known_to_all_players_are_offered() -> None:
    server = SimulatedServer(seed=0)
    Stranger(server, 2, Options(Draft.PRINTED), gods=(God.PAN, God.HERMES, God.ATLAS, God.APOLLO))
    ann = log_in(server, "ann")
    offered = wire.parse_event(ann.take().splitlines()[-2])
    assert isinstance(offered, wire.GodsAvailable)
    assert {god.name for god in offered.gods} == {"Pan", "Atlas", "Apollo"}


def test_too_few_common_gods_refuse_the_login() -> None:
    server = SimulatedServer(seed=0)
    Stranger(server, 2, gods=(God.HERMES, God.BIA))
    ann = log_in(server, "ann")
    assert said(ann)[-1] == "Result"
    assert server.match().status == "waiting"


def started(
    policy: Policy | None = None, draft: Draft = Draft.NONE
) -> tuple[SimulatedServer, Stranger, SimulatedConnection]:
    server = SimulatedServer(seed=0)
    nat = Stranger(server, 2, Options(draft, gods=(God.PAN, God.ATLAS) if draft is Draft.GIVEN else ()), policy)
    ann = log_in(server, "ann")
    ann.take()
    return server, nat, ann


@pytest.mark.parametrize("draft", [Draft.NONE, Draft.CHALLENGER, Draft.TWO_ROUNDS])
def test_chat_sends_nothing(draft: Draft) -> None:
    _, nat, ann = started(draft=draft)
    nat.do(Chat(nat.seat, "hello"))
    assert ann.take() == b""


def test_chat_sends_nothing_during_a_turn() -> None:
    _, ann, nat = duel(f"{FLAT}/1/pan:A1,E5/pan:B2,E1")
    act(ann, 0, "Move", "A2")
    nat.do(Chat(nat.seat, "hello"))
    assert ann.take() == b""


def test_an_eliminated_player_who_leaves_does_not_end_the_match() -> None:
    server = SimulatedServer(seed=0)
    nat, sue = Stranger(server, 3), Stranger(server, 3, name="sue")
    ann = log_in(server, "ann")
    ann.take()
    nat.do(Resign(nat.seat))
    assert "Elimination" in said(ann)
    nat.do(Depart())
    assert ann.take() == b""
    assert not ann.closed
    sue.do(Depart())
    assert said(ann) == ["ServerError"]
    assert ann.closed


def test_an_eliminated_user_who_falls_silent_does_not_end_the_match() -> None:
    server = SimulatedServer(seed=0)
    ann = log_in_first(server, "ann", 3)
    nat, sue = Stranger(server, 3), Stranger(server, 3, name="sue")
    server.lobby.table("match-1").do(None, Resign(0))
    server.clock.pass_time(20)
    assert said(ann)[-1] == "ServerError"
    assert server.match().status == "playing"
    assert nat.refusals() == sue.refusals() == []


def log_in_first(server: SimulatedServer, name: str, size: int) -> SimulatedConnection:
    peer = server.connect(LOBBY)
    peer.send(encode(wire.SelectPlayerNumber(size)) + encode(wire.AddUser(wire.User(name))))
    return peer


def test_a_player_who_resigns_is_eliminated() -> None:
    _, nat, ann = started()
    nat.do(Resign(nat.seat))
    assert said(ann) == ["Elimination", "Win"]
    assert ann.closed


def test_a_closed_match_sends_the_reason() -> None:
    _, nat, ann = started()
    nat.do(Close(Termination.INTERRUPTED))
    assert "The game ended without a winner: interrupted." in lines(ann)[0]
    assert ann.closed


def test_leaving_and_returning_to_a_held_seat_sends_nothing() -> None:
    _, nat, ann = started(Policy(Leaving.HOLDS, grace=60))
    nat.do(Depart())
    assert ann.take() == b""
    assert not ann.closed


def test_at_a_table_that_holds_seats_a_silent_user_loses_only_its_connection() -> None:
    server, _, ann = started(Policy(Leaving.HOLDS, grace=60))
    server.clock.pass_time(20)
    assert said(ann) == ["Ping", "Ping", "Ping", "ServerError"]
    assert ann.closed
    assert server.match().status == "playing"


def test_a_match_ended_by_a_silent_user_is_interrupted_for_others_and_its_record_can_be_imported() -> None:
    server = SimulatedServer(seed=0)
    ann = log_in_first(server, "ann", 2)
    heard: list[Any] = []
    seating = ClientOptions("nat", 2, {"game": "santorini", "match": "match-1"})
    nat = SimulatedClient("native", lambda client, notification: heard.append(notification), seating, server.clock)
    pair = (nat, server.connect("native"))
    play_together(server, [pair])
    server.clock.pass_time(20)
    play_together(server, [pair])
    lost = Outcome(Termination.CONNECTION_LOST, by=0)
    assert server.match().outcome == lost
    assert "ServerError" in said(ann)
    assert (type(heard[-1]), heard[-1].result) == (Over, Result.BROKEN_OFF)
    assert fold(events_of(record_of(server.events()))).outcome == lost


def test_at_a_waiting_table_of_others_a_silent_user_only_frees_its_seat() -> None:
    server = SimulatedServer(seed=0)
    Stranger(server, 3)
    ann = log_in(server, "ann")
    server.clock.pass_time(20)
    assert said(ann)[-1] == "ServerError"
    assert server.match().status == "waiting"


def test_an_undo_is_declined() -> None:
    server, nat, ann = started(Policy(undo=True))
    place(nat)
    ann.take()
    nat.do(OfferUndo(nat.seat))
    assert ann.take() == b""
    assert server.match().agreed == ()
    assert type(server.events()[-1]).__name__ == "UndoDeclined"


def place(nat: Stranger) -> None:
    for _ in range(2):
        step = [notification for notification in nat.notification if isinstance(notification, Step)][-1]
        nat.do(Act(nat.seat, (next(iter(step.match.pending.choices)),)))


def test_pawns_placed_one_by_one_are_reported_singly_and_asked_for_once() -> None:
    _, nat, ann = started()
    place(nat)
    assert said(ann) == ["PawnPlaced", "PawnPlaced", "RequestPlacePawns"]


def test_the_challenger_is_assigned_the_last_god_and_names_no_starting_power() -> None:
    for draft in (Draft.FIRST_PROPOSES, Draft.ONLINE):
        server = SimulatedServer(seed=0)
        gone = Stranger(server, 2, Options(draft, pool=OFFERED_GODS), name="gone", ready=False)
        holder = Stranger(server, 2, name="", ready=False)
        gone.do(Depart())
        ann = log_in(server, "ann")
        holder.do(Ready(holder.seat, Player("nat", "other")))
        ann.send(encode(wire.SelectGods(wire.User("ann"), (wire.GodName("Pan"), wire.GodName("Atlas")))))
        holder.luck = Random(0)
        pending = server.match().pending
        assert pending is not None
        assert pending.kind is Kind.PICK_GOD
        holder.do(Act(holder.seat, (next(iter(pending.choices)),)))
        assert None not in view(server.match().position, None).gods


def test_a_request_made_while_the_last_god_is_assigned_is_judged_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    server = SimulatedServer(seed=0)
    gone = Stranger(server, 2, Options(Draft.FIRST_PROPOSES, pool=OFFERED_GODS), name="gone", ready=False)
    nat = Stranger(server, 2, name="", ready=False)
    gone.do(Depart())
    ann = log_in(server, "ann")
    nat.do(Ready(nat.seat, Player("nat", "other")))
    ann.send(encode(wire.SelectGods(wire.User("ann"), (wire.GodName("Pan"), wire.GodName("Atlas")))))
    ann.take()
    append, held = server.journal.append, list[tuple[Any, ...]]()
    monkeypatch.setattr(server.journal, "append", lambda *given: held.append(given))
    nat.do(Act(nat.seat, (PickGod(God.PAN),)))
    append(*held.pop())
    ann.take()
    ann.send(encode(wire.ChooseGod(wire.User("ann"), wire.GodName("Pan"))))
    assert ann.take() == b""
    append(*held.pop())
    assert lines(ann)[-1] == str(wire.Result(False))
    assert not held


def test_spectators_see_undone_steps() -> None:
    server = SimulatedServer(seed=3)
    nat = Stranger(server, 2, Options(Draft.GIVEN, gods=(God.MINOTAUR, God.ATLAS)), Policy(undo=True), name="nat")
    eve = server.connect(LOBBY)
    sue = Stranger(server, 2, name="sue")
    luck = Random(3)
    board = Board()
    for turn in range(60):
        match = server.match()
        if match.pending is None:
            break
        who = (nat, sue)[match.pending.seats[0]]
        who.do(Act(who.seat, (luck.choice(list(match.pending.choices)),)))
        board.receive(eve)
        if turn % 3 == 0 and turn > 6:
            who.do(OfferUndo(who.seat))
            other = sue if who is nat else nat
            other.do(AnswerUndo(other.seat, agree=True))
            board.receive(eve)
        truth = view(server.match().position, None)
        assert board.levels == {n: level for n, level in enumerate(truth.levels) if level}
        assert board.pawns == {square for squares in truth.workers for square in squares}


class Board:
    """Cells and pawns reconstructed independently from BUILD, MOVE and PAWN_PLACED."""

    def __init__(self) -> None:
        self.levels: dict[int, int] = {}
        self.pawns: set[int] = set()

    def receive(self, peer: SimulatedConnection) -> None:
        for line in peer.take().splitlines():
            match wire.parse_event(line):
                case wire.PawnPlaced(coordinate=cell):
                    self.pawns.add(square(cell))
                case wire.Move(frm=frm, to=to):
                    if square(to) not in self.pawns:  # else two change places
                        self.pawns.remove(square(frm))
                        self.pawns.add(square(to))
                case wire.Build(building=wire.Building(level=level), coordinate=cell):
                    self.levels[square(cell)] = int(level[-1])
                    self.levels = {at: height for at, height in self.levels.items() if height}


def square(cell: wire.Coordinate) -> int:
    found = wire.square_of(cell)
    assert found is not None
    return found


# --- single powers on the wire --------------------------------------------------------------------------------------


def duel(position: str) -> tuple[SimulatedServer, SimulatedConnection, Stranger]:
    """Return a position in which ann, with her god, moves first against nat."""
    server = SimulatedServer(seed=0)
    gone = Stranger(server, 2, Options(Draft.POSITION, position=position), name="gone", ready=False)
    holder = Stranger(server, 2, name="", ready=False)
    gone.do(Depart())
    ann = log_in(server, "ann")
    holder.do(Ready(holder.seat, Player("nat", "other")))
    ann.take()
    return server, ann, holder


def act(peer: SimulatedConnection, pawn: int, action: str, at: str) -> list[str]:
    cell = wire.CELLS["ABCDE".index(at[0]) + 5 * (5 - int(at[1]))]
    deed = wire.ExecuteAction(user=wire.User("ann"), id=pawn, action=wire.ActionName(action), coordinate=cell)
    peer.send(encode(deed))
    return [short(wire.parse_event(line)) for line in peer.take().splitlines()]


def short(message: Any) -> str:
    def name(cell: wire.Coordinate) -> str:
        return f"{'ABCDE'[cell.x]}{cell.y + 1}"

    match message:
        case wire.Move(frm=frm, to=to):
            return f"{name(frm)}>{name(to)}"
        case wire.Build(building=building, coordinate=cell):
            return f"{name(cell)}={building.level[-1]}{'^' * building.dome}"
        case wire.ActionReady(user=user, actions=actions):
            return f"{user.username}: {' '.join(action.description for action in actions)}"
        case wire.Result(value=value):
            return "yes" if value else "no"
        case _:
            return type(message).__name__


FLAT = "0" * 25


def test_a_swap_is_one_move() -> None:
    _, ann, _ = duel(f"{FLAT}/1/apollo:A1,E5/pan:B2,E1")
    assert act(ann, 0, "Move", "B2") == ["A1>B2", "ann: Build_Block", "yes"]


def test_a_push_is_two_moves_the_pushed_pawn_first() -> None:
    _, ann, _ = duel(f"{FLAT}/1/minotaur:A1,E5/pan:B2,E1")
    assert act(ann, 0, "Move", "B2") == ["B2>C3", "A1>B2", "ann: Build_Block", "yes"]


def test_a_dome_on_the_ground_is_a_level_and_a_dome() -> None:
    _, ann, _ = duel(f"{FLAT}/1/atlas:A1,E5/pan:B2,E1")
    assert act(ann, 0, "Move", "A2")[1] == "ann: Build_Block Build_Dome"
    assert act(ann, 0, "Build_Dome", "A1") == ["A1=0^", "TurnChange", "nat: Move", "yes"]


def test_a_prometheus_may_build_first_and_then_his_pawn_is_fixed() -> None:
    _, ann, _ = duel(f"{FLAT}/1/prometheus:A1,E5/pan:B2,E1")
    assert act(ann, 0, "Build_Block", "A2") == ["A2=1", "ann: Move", "yes"]
    assert act(ann, 1, "Move", "E4") == ["no"]
    assert act(ann, 0, "Move", "A2") == ["no"], "he must not climb"
    assert act(ann, 0, "Move", "B1") == ["A1>B1", "ann: Build_Block", "yes"]


def test_uranias_board_wraps_around() -> None:
    _, ann, _ = duel(f"{FLAT}/1/urania:A1,C3/pan:B2,E2")
    assert act(ann, 0, "Move", "E5")[0] == "A1>E5"


def test_an_elimination_that_leaves_one_is_a_win() -> None:
    _, ann, _ = duel("00000 00000 44000 03000 04000/1/pan:D2,E5/atlas:A1,A2")
    assert act(ann, 0, "Move", "C2")[0] == "D2>C2"
    assert act(ann, 0, "Build_Dome", "B2") == ["B2=3^", "TurnChange", "Elimination", "Win", "yes"]
    assert ann.closed


def test_a_ferry_names_the_opponents_cell_or_its_landing_cell() -> None:
    if God.CHARON not in OFFERED_GODS:
        return
    for cell in ("B2", "B4"):
        _, ann, _ = duel(f"{FLAT}/1/charon:B3,E5/pan:B2,E1")
        assert act(ann, 1, "Ferry", cell) == ["no"]
        assert act(ann, 0, "Ferry", cell) == ["B2>B4", "ann: Move", "yes"]
        assert act(ann, 1, "Move", "E4") == ["no"], "the ferrying_square must move"


def test_zeus_builds_under_himself() -> None:
    if God.ZEUS not in OFFERED_GODS:
        return
    _, ann, _ = duel(f"{FLAT}/1/zeus:B3,E5/pan:B2,E1")
    act(ann, 0, "Move", "B4")
    assert act(ann, 0, "Build_Block", "B4")[0] == "B4=1"
