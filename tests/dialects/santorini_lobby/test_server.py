"""Server of santorini-lobby: every message in every phase, segments, limits, slow journals."""

from collections.abc import Callable, Sequence
from typing import Any, get_args

import pytest

from boardwire.dialects.santorini_lobby import DIALECTS
from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.dialects.santorini_lobby.answer import ANSWER
from boardwire.dialects.santorini_lobby.messages import encode
from boardwire.dialects.santorini_lobby.protocol import GRANTED_REQUESTS, OTHERS, Phase
from boardwire.dialects.santorini_lobby.session import MAX_BAD_MESSAGES
from boardwire.games.game import Seat
from boardwire.games.santorini.kinds import Kind
from boardwire.lobby.lobby import Lobby
from boardwire.simulation.luck import CountedNames, ScriptedDealer
from boardwire.simulation.server import SimulatedConnection, SimulatedServer
from boardwire.store.memory import MemoryJournal
from boardwire.table.events import Event
from boardwire.table.guest import Guest, Step
from boardwire.table.match import Match, Status
from boardwire.table.ports import Appended, AppendResult

LOBBY = DIALECTS["santorini-lobby"]

ANN, BOB = wire.User("ann"), wire.User("bob")


def gods(*names: str) -> tuple[wire.GodName, ...]:
    return tuple(wire.GodName(name) for name in names)


def execute(user: wire.User, pawn: int, action: str, x: int, y: int) -> wire.ExecuteAction:
    return wire.ExecuteAction(user=user, id=pawn, action=wire.ActionName(action), coordinate=wire.Coordinate(x, y))


SIZE = encode(wire.SelectPlayerNumber(2))
SETUP: tuple[tuple[str, bytes], ...] = (
    ("ann", SIZE),
    ("ann", encode(wire.AddUser(ANN))),
    ("bob", encode(wire.AddUser(BOB))),
    ("ann", encode(wire.SelectGods(ANN, gods("Pan", "Demeter")))),
    ("bob", encode(wire.ChooseGod(BOB, wire.GodName("Demeter")))),
    ("ann", encode(wire.ChooseFirstPlayer(ANN, BOB))),
    ("bob", encode(wire.PlacePawns(BOB, wire.Coordinate(1, 1), wire.Coordinate(4, 4)))),
    ("ann", encode(wire.PlacePawns(ANN, wire.Coordinate(0, 0), wire.Coordinate(0, 4)))),
    ("bob", encode(execute(BOB, 0, "Move", 1, 2))),
    ("bob", encode(execute(BOB, 0, "Build_Block", 2, 2))),
    ("bob", encode(execute(BOB, 0, "Pass_turn", 2, 2))),
)
"""A whole way into play: each of these is granted to its sender when all before it were."""


class Hall:
    """Simulated server with ann, bob and eve, who never logs in, after a number of set-up steps."""

    def __init__(self, steps: int, server: SimulatedServer | None = None) -> None:
        self.server = server if server is not None else SimulatedServer(seed=0)
        self.peers = {name: self.server.connect(LOBBY) for name in ("ann", "bob", "eve")}
        for name, line in SETUP[:steps]:
            self.peers[name].send(line)
            assert self.peers[name].take().endswith(wire.YES), line
        self.silence()

    def silence(self) -> None:
        for peer in self.peers.values():
            peer.take()

    def heard(self, but: str = "") -> bytes:
        return b"".join(peer.take() for name, peer in self.peers.items() if name != but)

    def events(self) -> list[Event]:
        return [event for name in self.server.journal.names() for event in self.server.events(name)]


# --- the table of ways ----------------------------------------------------------------------------------------------

GRANTED = {where: frozenset(by for frm, by, _, _ in GRANTED_REQUESTS if frm is where) for where in Phase}
"""What can be granted in each phase."""

PHASES = {
    Kind.PROPOSE_GOD: Phase.PROPOSING,
    Kind.PICK_GOD: Phase.CHOOSING,
    Kind.CHOOSE_START: Phase.STARTING,
    Kind.PLACE_WORKER: Phase.PLACING,
    **dict.fromkeys((Kind.OPEN, Kind.GO_ON, Kind.BUILD_MORE, Kind.CLOSE, Kind.REPLY), Phase.PLAYING),
}
"""The phase in which each kind of decision is answered; SETTLING where no one is asked."""


def phase(match: Match | None, seat: Seat | None) -> Phase:
    """Return the phase of a connection attached to `match`, seated at `seat` if it has logged in."""
    if match is None:
        return Phase.ATTACHED
    if match.status is Status.WAITING:
        return Phase.SIZED if seat is None else Phase.LOGGED_IN
    if match.status is Status.OVER or match.pending is None:
        return Phase.OVER
    return Phase.WATCHING if seat is None else PHASES.get(Kind(match.pending.kind), Phase.SETTLING)


def test_every_request_can_be_granted_somewhere() -> None:
    assert frozenset().union(*GRANTED.values()) == set(get_args(wire.Request))


def test_each_kind_of_decision_is_answered_by_what_its_phase_grants() -> None:
    queries = set(wire.QUERIES) - {wire.CheckAction}  # handled by the server's script
    for kind, requests in ANSWER.items():
        assert set(requests) == GRANTED[PHASES.get(Kind(kind), Phase.SETTLING)] - queries, kind


def types(data: bytes) -> str:
    return " ".join(wire.TAGS[type(wire.parse_event(line))] for line in data.splitlines())


def test_the_server_follows_the_table_of_transitions() -> None:
    ways = {(frm, by): set[tuple[str, Phase]]() for frm, by, _, _ in GRANTED_REQUESTS}
    for frm, by, said, to in GRANTED_REQUESTS:
        ways[frm, by].add((said, to))
    walked = set()
    for steps, (name, line) in enumerate(SETUP):
        hall = Hall(steps)
        before = stand(hall, name)
        hall.peers[name].send(line)
        said = types(hall.peers[name].take()).removesuffix("RESULT").strip()
        request = type(wire.parse_request(line))
        if said not in ("BUILD ACTION_READY", "TURN_CHANGE ACTION_READY"):  # Demeter's turn is longer than a plain one
            assert (said, stand(hall, name)) in ways[before, request]
        walked.add((before, request))
    assert walked == set(ways) - {(Phase.PLAYING, wire.CheckAction)}


def stand(hall: Hall, name: str) -> Phase:
    """Return the phase of a connection, judged from outside."""
    tables = list(hall.server.lobby)
    match = tables[0].match if tables else None
    seats = [] if match is None else [player.name if player else "" for player in match.players]
    return phase(match, seats.index(name) if name in seats else None)


def test_transitions_caused_by_others_follow_the_table() -> None:
    watched = {(frm, said): to for frm, heard, said, to in OTHERS if heard != "a user leaves"}
    for steps, name in ((0, "eve"), (2, "eve"), (2, "ann")):
        hall = Hall(steps)
        before = stand(hall, name)
        sender, line = SETUP[steps]
        hall.peers[sender].send(line)
        assert watched[before, types(hall.peers[name].take())] == stand(hall, name)


@pytest.mark.parametrize("steps", range(2, len(SETUP) + 1))
def test_a_user_who_leaves_ends_the_lobby_for_all_in_every_phase(steps: int) -> None:
    hall = Hall(steps)
    hall.peers["ann"].drop()
    gone = b'"type":"User disconnected","description":"User: \\"ann\\" disconnected. Terminating."'
    for name in ("bob", "eve"):
        said = hall.peers[name].take()
        assert said.count(b"\n") == 1
        assert gone in said
        assert hall.peers[name].closed
    assert len(hall.server.lobby) == 0


# --- bad input ------------------------------------------------------------------------------------------------------

AT = wire.Coordinate(2, 3)
REQUESTS: tuple[tuple[str, bytes], ...] = (
    ("a size", SIZE),
    ("a bad size", encode(wire.SelectPlayerNumber(7))),
    ("a login", encode(wire.AddUser(wire.User("dan")))),
    ("no name", encode(wire.AddUser(wire.User("")))),
    ("too long a name", encode(wire.AddUser(wire.User("d" * 16)))),
    *((f"gods as {user.username}", encode(wire.SelectGods(user, gods("Pan", "Atlas"))))
      for user in (ANN, BOB)),
    ("one god twice", encode(wire.SelectGods(ANN, gods("Pan", "Pan")))),
    ("no gods", encode(wire.SelectGods(ANN, ()))),
    ("unknown gods", encode(wire.SelectGods(ANN, gods("Pan", "Nobody")))),
    *((f"a god as {user.username}", encode(wire.ChooseGod(user, wire.GodName("Pan"))))
      for user in (ANN, BOB)),
    ("an unknown god", encode(wire.ChooseGod(BOB, wire.GodName("Nobody")))),
    *((f"first is {first.username}", encode(wire.ChooseFirstPlayer(ANN, first))) for first in (ANN, BOB)),
    ("first is nobody", encode(wire.ChooseFirstPlayer(ANN, wire.User("nobody")))),
    *((f"pawns of {user.username}", encode(wire.PlacePawns(user, wire.Coordinate(3, 0), AT)))
      for user in (ANN, BOB)),
    ("pawns on one cell", encode(wire.PlacePawns(BOB, AT, AT))),
    ("pawns off the board", encode(wire.PlacePawns(BOB, AT, wire.Coordinate(5, 0)))),
    *((f"{action} by {user.username} with {pawn}",
      encode(kind(user=user, id=pawn, action=wire.ActionName(action), coordinate=at)))
      for kind in (wire.CheckAction, wire.ExecuteAction) for user in (ANN, BOB) for pawn in (-1, 0, 1, 2)
      for action in ("Move", "Build_Block", "Build_Dome", "Pass_turn", "Ferry", "End turn")
      for at in (AT, wire.Coordinate(1, 3), wire.Coordinate(-1, 0), wire.Coordinate(1, 2))),
    *((f"no cell to {action}", encode(wire.ExecuteAction(user=BOB, action=wire.ActionName(action))))
      for action in ("Move", "Build_Block", "Ferry")),
    ("nothing", b"\n"),
    ("garbage", b"\xff\xfe{}\n"),
    ("an array", b"[1]\n"),
    ("a deep one", b'{"type":"PING","content":{"a":' + b"[" * 20000 + b"]" * 20000 + b"}}\n"),
    ("an unknown type", b'{"type":"BOO","content":{}}\n'),
    ("no type", b'{"content":{"size":2}}\n'),
    ("no content", b'{"type":"ADD_USER"}\n'),
    ("a server's message", encode(wire.Win(ANN))),
    ("a huge number", b'{"type":"SELECT_PLAYER_NUMBER","content":{"size":1e999}}\n'),
    ("half a surrogate", b'{"type":"ADD_USER","content":{"user":{"username":"\\ud800"}}}\n'),
)  # fmt: skip


@pytest.mark.parametrize("steps", range(len(SETUP) + 1))
def test_a_refused_request_changes_nothing_and_is_reported_only_to_its_sender(steps: int) -> None:
    hall = Hall(steps)
    refused = 0
    for name in ("ann", "bob", "eve"):
        for what, line in REQUESTS:
            events, tables = hall.events(), len(hall.server.lobby)
            hall.peers[name].send(line)
            said = hall.peers[name].take()
            if said == wire.YES and b"CHECK_ACTION" in line:
                assert stand(hall, name) is Phase.PLAYING
            elif said != wire.NO:
                assert said.endswith(wire.YES), (name, what, said)
                assert type(wire.parse_request(line)) in GRANTED[stand(Hall(steps), name)], (name, what)
                hall = Hall(steps)
                continue
            refused += said == wire.NO
            assert hall.events() == events, (name, what)
            assert len(hall.server.lobby) == tables
            assert hall.heard(but=name) == b"", (name, what)
    assert refused >= 3 * len(REQUESTS) - 40


def test_requests_are_granted_only_in_the_users_own_name() -> None:
    hall = Hall(8)
    move = encode(execute(BOB, 0, "Move", 1, 2))
    for name in ("ann", "eve"):
        hall.peers[name].send(move)
        assert hall.peers[name].take() == wire.NO
    hall.peers["bob"].send(move)
    assert hall.peers["bob"].take().endswith(wire.YES)


def test_passing_names_the_pawn_that_acted_and_needs_no_cell() -> None:
    hall = Hall(10)
    bob = hall.peers["bob"]
    bob.send(encode(execute(BOB, 1, "Pass_turn", 0, 0)))
    assert bob.take() == wire.NO
    bob.send(encode(wire.ExecuteAction(user=BOB, id=0, action=wire.ActionName("pass_TURN"))))
    assert types(bob.take()) == "TURN_CHANGE ACTION_READY RESULT"


def test_pairs_of_gods_banned_elsewhere_are_allowed() -> None:
    hall = Hall(3)
    hall.peers["ann"].send(encode(wire.SelectGods(ANN, gods("Pan", "Hades"))))
    assert hall.peers["ann"].take().endswith(wire.YES)


def test_many_unreadable_lines_in_a_row_end_the_connection() -> None:
    hall = Hall(4)
    for _ in range(MAX_BAD_MESSAGES - 1):
        hall.peers["ann"].send(b"?\n")
    hall.peers["ann"].send(wire.PING)
    for _ in range(MAX_BAD_MESSAGES - 1):
        hall.peers["ann"].send(b"?\n")
    assert hall.heard(but="ann") == b""
    assert not hall.peers["ann"].closed
    hall.peers["ann"].send(b"?\n")
    assert hall.peers["ann"].take() == wire.NO * (2 * MAX_BAD_MESSAGES - 1)
    assert hall.peers["ann"].closed
    assert b"User disconnected" in hall.peers["bob"].take()


def test_too_long_a_line_ends_the_connection() -> None:
    hall = Hall(2)
    hall.peers["eve"].send(b'{"type":"' + b"x" * wire.MAX_LINE_BYTES)
    assert hall.peers["eve"].take() == wire.NO
    assert hall.peers["eve"].closed
    assert hall.heard() == b""


# --- segments -------------------------------------------------------------------------------------------------------


def whole(send: Callable[[SimulatedConnection, bytes], None]) -> dict[str, bytes]:
    hall = Hall(0)
    for name, line in SETUP:
        send(hall.peers[name], line)
    return {name: peer.take() for name, peer in hall.peers.items()}


def test_lines_may_arrive_byte_by_byte() -> None:
    def bytewise(peer: SimulatedConnection, line: bytes) -> None:
        for n in range(len(line)):
            peer.send(line[n : n + 1])

    assert whole(bytewise) == whole(SimulatedConnection.send)


@pytest.mark.parametrize("end", [b"\r\n", b"\r"])
def test_lines_may_have_other_endings(end: bytes) -> None:
    assert whole(lambda peer, line: peer.send(line[:-1] + end)) == whole(SimulatedConnection.send)


def test_an_unterminated_line_is_not_processed() -> None:
    hall = Hall(0)
    hall.peers["ann"].send(SIZE[:-1])
    assert hall.heard() == b""
    hall.peers["ann"].send(b"\n")
    assert hall.peers["ann"].take().endswith(wire.YES)


def test_pipelined_requests_are_answered_in_order() -> None:
    hall = Hall(1)
    ann = encode(wire.AddUser(ANN))
    hall.peers["ann"].send(ann + ann + SIZE + wire.PING + b"?\n")
    said = hall.peers["ann"].take()
    assert types(said) == "USER_JOINED RESULT RESULT RESULT RESULT"
    assert said.endswith(wire.YES + wire.NO * 3)


# --- slow journals --------------------------------------------------------------------------------------------------


class HeldJournal(MemoryJournal):
    """Journal that stores nothing until released."""

    def __init__(self) -> None:
        super().__init__()
        self.held: list[tuple[str, int, Sequence[Event], Appended]] = []
        self.holding = False

    def append(self, match: str, first: int, events: Sequence[Event], done: Appended) -> None:
        if self.holding:
            self.held.append((match, first, events, done))
        else:
            super().append(match, first, events, done)

    def release(self, stored: bool = True) -> None:
        """Store everything pending and all that follows from it, or report a failure."""
        while self.held:
            match, first, events, done = self.held.pop(0)
            if stored:
                super().append(match, first, events, done)
            else:
                done(AppendResult.FAILED)


def held(steps: int) -> tuple[Hall, HeldJournal]:
    server = SimulatedServer(seed=0)
    journal = HeldJournal()
    server.journal = journal
    server.lobby = Lobby(journal, server.clock, ScriptedDealer(seed=0), CountedNames())
    hall = Hall(steps, server)
    journal.holding = True
    return hall, journal


def test_nothing_is_sent_before_it_is_stored_and_requests_wait_meanwhile() -> None:
    hall, journal = held(8)
    bob = hall.peers["bob"]
    bob.send(SETUP[8][1] + SETUP[9][1] + SETUP[10][1] + SETUP[10][1])
    assert hall.heard() == b""
    hall.server.clock.pass_time(5)
    assert bob.take() == wire.PING, "pings go on"
    journal.release()
    said = bob.take()
    assert types(said) == "MOVE ACTION_READY RESULT BUILD ACTION_READY RESULT TURN_CHANGE ACTION_READY RESULT RESULT"
    assert said.endswith(wire.NO)


def test_what_cannot_be_stored_is_refused() -> None:
    hall, journal = held(8)
    hall.peers["bob"].send(SETUP[8][1])
    journal.release(stored=False)
    assert hall.peers["bob"].take() == wire.NO
    assert hall.heard() == b""


def test_two_simultaneous_choices_are_both_judged() -> None:
    """The second choice was in flight when the first was made: it is judged again, not refused as stale."""
    server = SimulatedServer(seed=0)
    journal = HeldJournal()
    server.journal = journal
    server.lobby = Lobby(journal, server.clock, ScriptedDealer(seed=0), CountedNames())
    users = [wire.User(name) for name in ("ann", "bob", "cat")]
    ann, bob, cat = (server.connect(LOBBY) for _ in users)
    ann.send(encode(wire.SelectPlayerNumber(3)))
    for peer, user in zip((ann, bob, cat), users, strict=True):
        peer.send(encode(wire.AddUser(user)))
    ann.send(encode(wire.SelectGods(users[0], gods("Pan", "Atlas", "Apollo"))))
    journal.holding = True
    bob.take(), cat.take()
    bob.send(encode(wire.ChooseGod(users[1], wire.GodName("Pan"))))
    cat.send(encode(wire.ChooseGod(users[2], wire.GodName("Atlas"))))
    journal.release()
    assert bob.take().count(wire.YES) == 1
    assert cat.take().endswith(wire.YES)
    assert server.match().position.setup.gods[1:] == ("pan", "atlas")


def test_a_request_in_flight_when_the_lobby_ends_is_refused() -> None:
    hall, journal = held(8)
    hall.peers["ann"].drop()
    hall.peers["bob"].send(SETUP[8][1])
    journal.release()
    said = hall.peers["bob"].take()
    assert types(said) == "SERVER_ERROR RESULT"
    assert said.endswith(wire.NO)
    assert hall.peers["bob"].closed


def test_a_login_that_comes_too_late_is_refused() -> None:
    hall, journal = held(2)
    hall.peers["bob"].send(SETUP[2][1])
    hall.peers["eve"].send(encode(wire.AddUser(wire.User("eve"))))
    journal.release()
    assert hall.peers["bob"].take().endswith(wire.YES)
    assert types(hall.peers["eve"].take()) == "USER_JOINED GODS_AVAILABLE RESULT"


def test_a_step_is_encoded_once_for_all() -> None:
    hall = Hall(8)
    steps: list[Any] = []
    next(iter(hall.server.lobby)).watch(Guest(steps.append))
    hall.peers["bob"].send(SETUP[8][1])
    assert [len(step.memo) for step in steps if isinstance(step, Step)] == [1]
