"""The soak finds what it is there to find; and a short one of it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections import Counter
from copy import deepcopy
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random
from time import monotonic
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from soak.arena import broken_guarantees
from soak.attackers import ATTACKS, ESCAPES, NETWORK, attackers
from soak.audit import BYSTANDERS, GETS, NAMELESS, Auditor, comparable_action, comparable_match, guest_name
from soak.forger import forgeries
from soak.fuzz import SessionGenerator
from soak.guests import GUESTS, Guest
from soak.havoc import plan
from soak.ports import Place, choose
from soak.recordings import MUTATORS
from soak.records import Attacked, Got, Kept, Played, Reader, Saw
from soak.report import MIN_MOVES, Figures, Outcome, processor_shares, show
from soak.run import INSPECT_TOKEN, ROOT, WORKERS, Soak, quiet_seconds, set_session_niceness
from soak.run_queue import PID_FILE, RunQueue, net_seconds, process_statistics
from soak.server import CONTROLS, Server
from soak.web import fetch
from soak.windows import Phases, Window, Windows

from boardwire.cluster.transport.authentication import Authenticator
from boardwire.dialects import PROTOCOLS
from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Over, Result
from boardwire.games.game import Decision
from boardwire.games.tris import Kind
from boardwire.simulation.server import SimulatedClient, SimulatedServer, play_together
from boardwire.tournaments import events as arena_events_module
from boardwire.tournaments.setup import TournamentFormat, TournamentSetup
from boardwire.tournaments.standings import standings
from boardwire.tournaments.tournament import fold as fold_tournament

DOCUMENTS = tuple(name for name in PROTOCOLS if name != "native")


def play(dialect: str) -> tuple[SimulatedServer, list[Played]]:
    """A whole match, and what its two players would write down."""
    server, records = played(dialect)
    return server, deepcopy(records)


@cache
def played(dialect: str, seed: int = 1) -> tuple[SimulatedServer, list[Played]]:
    """One that is played only once."""
    server, luck = SimulatedServer(seed=seed), Random(seed)
    records = [Played(dialect, "", guest_name(number), 1.0, 2.0, "cut", seat=number) for number in range(2)]

    def player(record: Played) -> Any:
        def hear(client: SimulatedClient, notification: Any) -> None:
            if isinstance(notification, Ask):
                choice = luck.choice(list(notification.decision.choices))
                record.answers += filter(None, [comparable_action(choice)])
                client.talk.tell(Answer(choice))
            elif isinstance(notification, Over):
                record.result, record.sure = str(notification.result), len(record.answers)

        return hear

    pairs = []
    for record in records:
        seating = ClientOptions(record.name, settings={"game": "tris"})
        pairs.append((SimulatedClient(dialect, player(record), seating, server.clock), server.connect(dialect)))
        play_together(server, pairs)
    while "cut" in [record.result for record in records]:
        server.clock.pass_time(1.0)
        play_together(server, pairs)
    match = server.match()
    for record in records:
        record.game = match.setting.game.name
        if dialect in NAMELESS:
            record.moves = comparable_match(server.events()).moves
    return server, records


def audit(records: list[Played], *matches: Kept, windows: tuple[Window, ...] = ()) -> Auditor:
    auditor = Auditor()
    for match in matches:
        auditor.add_match(match)
    for record in records:
        auditor.add_played(record)
    auditor.close(windows)
    return auditor


@pytest.mark.parametrize("dialect", [*DOCUMENTS, "native"])
def test_a_correct_match_has_no_findings(dialect: str) -> None:
    server, records = play(dialect)
    auditor = audit(records, comparable_match(server.events()))
    assert [auditor.lost, auditor.doubled, auditor.unfinished] == [[], [], []]
    assert auditor.moves[dialect] > 6


@pytest.mark.parametrize("dialect", [*DOCUMENTS, "native"])
def test_the_dialects_without_names_are_those_whose_players_have_none(dialect: str) -> None:
    server, _ = play(dialect)
    assert [name == "" for name in comparable_match(server.events()).names] == [dialect in NAMELESS] * 2


@pytest.mark.parametrize("dialect", [*DOCUMENTS, "native"])
def test_a_move_missing_from_the_journal_is_reported(dialect: str) -> None:
    server, records = play(dialect)
    match = comparable_match(server.events())
    match.deeds[0] = match.deeds[0][:-1]
    match.moves = match.moves[:-1]
    assert audit(records, match).lost


@pytest.mark.parametrize("dialect", ["santorini-lobby", "eriantys-messages", "native"])
def test_a_duplicated_move_is_reported(dialect: str) -> None:
    server, records = play(dialect)
    match = comparable_match(server.events())
    match.deeds[1].append(match.deeds[1][-1])
    assert audit(records, match).doubled


@pytest.mark.parametrize("dialect", ["tris-lines", "native"])
def test_a_match_missing_from_the_journal_is_reported(dialect: str) -> None:
    _, records = play(dialect)
    assert len(audit(records).lost) == 2


def test_an_unconfirmed_move_may_be_stored_or_not() -> None:
    server, records = play("native")
    for record in records:
        record.result, record.sure = "cut", record.sure - 1
    match = comparable_match(server.events())
    shorter = replace(match, deeds=[deeds[:-1] for deeds in match.deeds])
    shortest = replace(match, deeds=[deeds[:-2] for deeds in match.deeds])
    assert not audit(records, match).lost
    assert not audit(records, shorter).lost
    assert audit(records, shortest).lost


def test_a_move_that_crossed_a_resignation_may_be_stored_or_not() -> None:
    server, records = play("native")
    match = comparable_match(server.events())
    records[0].sure -= 1
    shorter = replace(match, deeds=[match.deeds[0][:-1], match.deeds[1]])
    shortest = replace(match, deeds=[match.deeds[0][:-2], match.deeds[1]])
    assert audit(records, shorter).lost, "played to its end, it has them all"
    assert not audit(records, replace(shorter, ended="resigned")).lost
    assert audit(records, replace(shortest, ended="resigned")).lost


def test_the_end_of_a_match_does_not_confirm_the_last_move() -> None:
    async def play_on() -> Played:
        guest = Guest("native", "tris", guest_name(1), replace(GUESTS, think=(0.0, 0.0)), Random(1))
        answered = asyncio.Event()
        wire: Any = SimpleNamespace(answer=lambda action: answered.set())
        guest.receive(wire, Ask(None, Decision(Kind.MARK, (0,), (4,))))
        await answered.wait()
        guest.receive(wire, Over(None, "You win: your opponent has given up.", Result.WON))
        return guest.close()

    record = asyncio.run(play_on())
    assert (record.result, record.answers, record.sure) == ("won", ["4"], 0)


def test_soak_players_must_finish_unless_the_server_was_down_or_one_left() -> None:
    server, records = play("native")
    match = comparable_match(server.events())
    for record in records:
        record.result = "broken off"
    assert len(audit(records, match).unfinished) == 2
    assert not audit(records, match, windows=(Window(1.5, 1.6, "kill"),)).unfinished
    assert len(audit(records, match, windows=(Window(2.5, 2.6, "kill"),)).unfinished) == 2
    records[0].result = "left"
    assert not audit(records, match).unfinished
    assert not audit(records[1:], match).unfinished, "the other is a stranger"


def test_returning_players_must_always_finish() -> None:
    server, records = play("native")
    records[0].firm = True
    ended = replace(comparable_match(server.events()), ended="stayed away")
    assert audit(records, ended, windows=(Window(0.0, 9.0, "kill"),)).unfinished


def test_received_steps_must_be_in_the_journal_once_and_in_order() -> None:
    server, _ = play("native")
    events = server.events()
    steps = [
        (number, type(event).__name__.lower(), event.at, getattr(event, "seat", None))
        for number, event in enumerate(events, 1)
    ]

    def judged(*shown: tuple[int, str, float, int | None]) -> tuple[int, int]:
        auditor = Auditor()
        auditor.compare_steps(Saw("match-1", list(shown)), events)
        return len(auditor.lost), len(auditor.doubled)

    assert judged(*steps) == (0, 0)
    assert judged(*steps[3:]) == (0, 0), "a spectator may come late"
    assert judged(*steps[:3], steps[2]) == (0, 1)
    assert judged((len(events) + 1, "acted", 1.0, 0)) == (1, 0)
    assert judged((5, "acted", 0.5, 1)) == (1, 0)


def test_an_unstored_last_move_does_not_claim_the_match_of_a_winner() -> None:
    drawn, won = ["3", "2", "4", "7", "5"], ["3", "2", "4", "7", "5"]
    broken = Played("tris-lines", "tris", "g1x", 1.0, 2.0, "broken off", ["3", "4", "5"], 2, moves=drawn, seat=0)
    winner = Played("tris-lines", "tris", "g2x", 3.0, 4.0, "won", ["3", "4", "5"], 2, moves=won, seat=0)
    matches = [
        Kept(name, ["", ""], ["tris-lines"] * 2, [moves[::2], moves[1::2]], moves, ended)
        for name, moves, ended in (("m1", drawn[:-1], "abandoned"), ("m2", won, "line"))
    ]
    auditor = audit([broken, winner], *matches)
    assert auditor.lost == []


def test_only_moves_outside_of_the_windows_are_timed() -> None:
    auditor = Auditor()
    waits = [(10.0, 0.01), (20.0, 5.0), (30.0, 0.02)]
    auditor.add_played(Played("native", "tris", "g1x", 1.0, 2.0, "won", timed=True, waits=waits))
    auditor.add_played(Played("native", "tris", "g2x", 1.0, 2.0, "won", waits=[(10.0, 9.0)]))
    assert auditor.latency([Window(16.0, 17.0, "stop")]) == (0.02, 0.02, 0.02, 2)


def test_overlapping_windows_are_merged() -> None:
    windows = Windows([Window(5.0, 6.0, "stop"), Window(1.0, 3.0, "kill"), Window(2.0, 2.5, "disk")])
    touched = [windows.has_overlap(at, at + 0.2) for at in (0.0, 0.9, 2.7, 3.5, 5.5, 7.0)]
    assert touched == [False, True, True, False, True, False]


def test_memory_is_compared_within_the_process_of_the_second_half_once_stable() -> None:
    minutes = [(60.0 * minute, 1 if minute < 26 else 2, 50 + minute) for minute in range(60)]
    figures = Figures()
    figures.load(minutes, 0.0, 3600.0)
    assert figures.memory == (50.0, 82.5, 106.5)
    young = Figures()
    young.load([(float(second), 1, 50) for second in range(180)], 0.0, 180.0)
    assert young.memory is None


@pytest.mark.parametrize("dialect", MUTATORS)
def test_equal_seeds_give_equal_conversations_without_faults(dialect: str) -> None:
    first, second = SessionGenerator(dialect, 5), SessionGenerator(dialect, 5)
    made = [first.make() for _ in range(8)]
    assert made == [second.make() for _ in range(8)]
    assert sum(session.messages for session in made) >= 8
    assert len({b"".join(session.chunks) for session in made}) == 8
    assert not first.faults


def test_equal_seeds_give_equal_plans_whose_second_half_has_one_process() -> None:
    faults = plan(7, 3600.0, jumps=True)
    assert faults == plan(7, 3600.0, jumps=True) != plan(8, 3600.0, jumps=True)
    kills = [fault.at for fault in faults if fault.kind == "kill"]
    assert len(kills) > 20
    assert [at for at in kills if 0.45 * 3600 < at < 0.96 * 3600] == []
    for kind in ("stop", "disk", "jump"):
        times = [fault.at for fault in faults if fault.kind == kind]
        assert min(times) < 1000
        assert max(times) > 2600
    assert "jump" not in {fault.kind for fault in plan(7, 60.0, jumps=False)}


# --- attackers ------------------------------------------------------------------------------------------------------

PHASES = Phases(10.0, 20.0, 100.0)


def outcome(
    auditor: Auditor, *attacked: Attacked, windows: tuple[Window, ...] = (), controls: dict[str, int] | None = None
) -> Outcome:
    """What is reported of a run with these records."""
    figures = Figures()
    for record in attacked:
        figures.add_attacked(record)
    havoc: Any = SimpleNamespace(windows=list(windows), faults=[], done=Counter())
    server: Any = SimpleNamespace(tracebacks=Counter(), controls=Counter(controls or {}), can_jump=False, processor=[])
    return Outcome(figures, auditor, havoc, server, PHASES)


def timed(quiet: float, attacked: float, gets: float = 0.01, count: int = MIN_MOVES) -> Auditor:
    """Bystanders whose moves took so long in each phase."""
    auditor = Auditor()
    auditor.waits[BYSTANDERS] = [(15.0, quiet)] * count + [(50.0, attacked)] * count
    auditor.waits[GETS] = [(50.0, gets)]
    return auditor


def test_thirty_attackers_have_their_own_addresses_and_depend_only_on_the_seed() -> None:
    first, second = (attackers(Place({"native": 1}), 3, 0.0) for _ in range(2))
    assert len({one.address for one in first}) == len(ATTACKS) == 30
    assert all(one.address.startswith(f"{NETWORK}.") for one in first)
    assert [one.luck.random() for one in first] == [one.luck.random() for one in second]


def test_the_time_without_a_processor_is_subtracted_from_a_move_and_never_more_than_it_took() -> None:
    assert net_seconds(0.050, before=1.0, after=1.030) == pytest.approx(0.020)
    assert net_seconds(0.050, before=1.0, after=1.900) == 0.0, "a wait that began before the move is counted at its end"
    assert net_seconds(0.050, before=9.0, after=0.1) == 0.050, "the server was started again"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has schedstat files")
def test_the_run_queue_of_a_server_that_is_down_is_empty(tmp_path: Path) -> None:
    assert RunQueue(tmp_path).waited_seconds() == 0.0
    (tmp_path / PID_FILE).write_text(str(os.getpid()))
    assert RunQueue(tmp_path).waited_seconds() >= 0.0
    assert process_statistics(os.getpid())[0] > 0.0


@pytest.mark.skipif(not Path("/proc/self/autogroup").exists(), reason="this system has no groups of sessions")
def test_the_session_of_a_client_process_is_as_nice_as_the_process() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True) as process:
        set_session_niceness(process.pid, 10)
        assert Path(f"/proc/{process.pid}/autogroup").read_text().split()[1:] == ["nice", "10"]
        process.communicate(b"\n")


def test_shares_of_the_processor_are_those_of_one_process_at_a_time() -> None:
    samples = [(0.0, 1, 5.0, 5.0), (1.0, 1, 5.5, 5.25), (2.0, 2, 0.1, 0.0), (3.0, 2, 0.6, 0.75), (4.0, 2, 9.0, 9.0)]
    assert processor_shares(samples, 0.0, 4.0) == (0.5, 0.5)
    assert processor_shares(samples, 0.0, 0.5) == (0.0, 0.0)


def test_moves_and_gets_are_timed_in_the_phase_in_which_they_began() -> None:
    auditor = Auditor()
    auditor.waits[BYSTANDERS] = [(9.0, 0.5), (12.0, 0.1), (20.05, 0.1), (50.0, 0.3), (101.0, 0.5)]
    assert auditor.latency((), BYSTANDERS, PHASES.calm) == (0.1, 0.1, 0.1, 2)
    assert auditor.latency((), BYSTANDERS, PHASES.attacked) == (0.3, 0.3, 0.3, 1)


@pytest.mark.parametrize(
    ("auditor", "kinds"),
    [
        (timed(0.010, 0.029), []),
        (timed(0.010, 0.031), ["slowed down"]),
        (timed(0.010, 0.031, count=MIN_MOVES - 1), []),
        (timed(0.040, 0.051), ["slow"]),
        (timed(0.010, 0.010, gets=0.501), ["slow"]),
        (Auditor(), ["not measured", "not measured"]),
    ],
)
def test_bystanders_under_attack_are_held_to_the_bounds(auditor: Auditor, kinds: list[str]) -> None:
    assert [broken.partition(":")[0] for broken in outcome(auditor).slow()] == kinds


def test_a_failed_get_breaks_a_guarantee_unless_the_server_was_down() -> None:
    auditor = Auditor()
    auditor.add_gets(Got([(30.0, 0.1, 200, "/healthz"), (31.0, 0.1, 503, "/api/matches"), (32.0, 10.0, 0, "/healthz")]))
    assert len(outcome(auditor).wrong()) == 2
    assert len(outcome(auditor, windows=(Window(30.0, 30.5, "kill"),)).wrong()) == 1
    assert auditor.latency((), GETS)[3] == 3


def test_an_idle_attacker_is_reported() -> None:
    found = outcome(Auditor(), Attacked("a", made=2), Attacked("b"), Attacked("a", refused=1)).wrong()
    assert found == ["no attack: b made no request"]


def test_the_report_has_a_line_for_every_attacker(capsys: pytest.CaptureFixture[str]) -> None:
    show(outcome(timed(0.010, 0.020), Attacked("churners", 1200, 30, 4)), 1.0, 1)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["churners", "1,200", "30", "4"] in lines
    for phase, time in (("quiet", "10.0"), ("attacked", "20.0")):
        assert ["bystander's", "move", phase, "p50", time, "ms,", "p99", time, "ms,"] in [line[:9] for line in lines]


def test_control_characters_in_the_log_are_reported(tmp_path: Path) -> None:
    server = Server(tmp_path, Place({"native": 1}))
    lines = [f"origin {text}\n".encode() for text in ESCAPES]
    server.keep_log(BytesIO(b"".join([*lines, b"origin \\x1b \\u202e \xc3\xa9\n"])))
    server.close()
    assert server.controls.total() == len(ESCAPES)
    assert {control for control in CONTROLS if control in "".join(ESCAPES)} == set(CONTROLS)
    assert len(outcome(Auditor(), controls=dict(server.controls)).wrong()) == len(server.controls)


def test_a_run_is_quiet_before_it_is_attacked() -> None:
    assert [quiet_seconds(seconds, True) for seconds in (40.0, 300.0, 3600.0)] == [8.0, 60.0, 60.0]
    assert quiet_seconds(40.0, False) == 0.0


def test_only_recorded_messages_for_a_node_are_authentic_among_forgeries() -> None:
    seals = {name: Authenticator(b"k" * 32, name) for name in ("node0", "node1")}
    recorded = seals["node1"].seal("node0", b"letters")
    for name, seal in seals.items():
        made = forgeries(Random(1), f"boardwire.c.{name}".encode(), recorded)
        authentic = [payload for payload in made if seal.open(payload) is not None]
        assert set(authentic) == ({recorded} if name == "node0" else set())
        assert seal.rejected >= 7
    assert forgeries(Random(1), b"b.node0", recorded) == forgeries(Random(1), b"b.node0", recorded)


@pytest.mark.slow
def test_every_attacker_attacks_and_a_bystander_is_served(tmp_path: Path) -> None:
    where = choose(0)
    flags = (f"--data={tmp_path / 'data'}", "--inspect", f"--inspect-token={INSPECT_TOKEN}")
    server = Server(tmp_path, where, flags=flags)

    (tmp_path / "place.json").write_bytes(msgspec.json.encode(where))
    server.start()
    try:
        command = [sys.executable, "-m", "soak.attackers", str(tmp_path), "1", str(monotonic() + 20.0)]
        with subprocess.Popen(command, cwd=ROOT) as attacking:
            statuses: list[int] = []
            while attacking.poll() is None:
                for path in ("/healthz", "/api/matches"):
                    statuses += [asyncio.run(fetch(where, "127.1.4.254", path)).status]
        assert attacking.returncode == 0
        assert server.stop() == 0
    finally:
        server.close()
    figures = Figures()
    for record in Reader(tmp_path).new():
        assert isinstance(record, Attacked)
        figures.add_attacked(record)
    assert [name for name in ATTACKS if not figures.attacked[name].made] == []
    refused = ("inspect tokens", "code guessers", "seat guessers", "escapes in origins", "escapes in talk")
    for name in (*refused, "recovery guessers", "tournament floods", "report floods", "large bodies"):
        assert figures.attacked[name].refused > 0, name
    made = {one.name: (one.made, one.refused, one.unanswered) for one in figures.attacked.values()}
    assert set(statuses) == {200}, made
    assert not server.controls
    assert not server.tracebacks
    log = (tmp_path / "log").read_text()
    assert "a page of another site" in log, "what the escape senders send reaches the log"


@pytest.mark.slow
def test_a_short_soak_breaks_no_guarantee(tmp_path: Path) -> None:
    found = Soak(tmp_path, 1, 40.0, WORKERS).run()
    assert found.wrong() == []
    assert found.havoc.done["kill"] >= 2
    assert found.auditor.shown > 0
    assert all(found.figures.fuzzed[dialect].messages > 0 for dialect in MUTATORS)
    assert all(found.auditor.matches[dialect] for dialect in DOCUMENTS)
    assert found.figures.attacked.keys() == ATTACKS.keys()


# --- the arena --------------------------------------------------------------------------------------------------------


def arena_events() -> list[arena_events_module.Event]:
    """An arena of two who met twice."""
    setup = TournamentSetup("soak", "tris", TournamentFormat.ARENA, minutes=10)
    ev = arena_events_module
    return [
        ev.Created(1.0, "t", setup, "boss", "boss"),
        *(ev.Entered(2.0, ev.Entrant(f"p{number}", f"k{number}")) for number in range(2)),
        ev.Started(3.0, (0, 1)),
        ev.RoundPaired(3.0, 0, ((0, 1),)),
        ev.GameAssigned(3.0, 0, 0, "m0"),
        ev.ResultReported(4.0, 0, 0, (1.0, 0.0), "line"),
        ev.RoundPaired(4.0, 0, ((1, 0),)),
        ev.GameAssigned(4.0, 0, 1, "m1"),
        ev.ResultReported(5.0, 0, 1, (0.5, 0.5), "full"),
        ev.Finished(700.0),
    ]


@cache
def arena_matches() -> dict[str, list[Any]]:
    """A match that seat 0 has won, and a drawn one."""
    found = {}
    for name, cells in (("m0", (0, 3, 1, 4, 2)), ("m1", (0, 1, 2, 4, 3, 5, 7, 6, 8))):
        server = SimulatedServer(seed=1)
        players = [server.connect("tris-lines") for _ in range(2)]
        for number, cell in enumerate(cells):
            players[number % 2].send(f"{cell}\n".encode())
        found[name] = server.events()
    return found


def promises(events: list[Any]) -> list[str]:
    return broken_guarantees(events, lambda match: arena_matches().get(match, []))


def test_an_arena_that_keeps_its_promises_has_no_faults() -> None:
    assert promises(arena_events()) == []


@pytest.mark.parametrize(("change", "words"), [
    (lambda events: events.insert(5, events[4]), "has two open boards"),
    (lambda events: events.pop(9), "has 0 results"),
    (lambda events: events.insert(7, events[6]), "has 2 results"),
    (lambda events: events.__setitem__(6, replace(events[6], points=(0.0, 1.0))), "match m0 has"),
    (lambda events: events.__setitem__(8, replace(events[8], match="m0")), "belongs to two boards"),
    (lambda events: events.__setitem__(8, replace(events[8], match="lost")), "match lost has None"),
])  # fmt: skip
def test_every_broken_guarantee_of_an_arena_is_found(change: Any, words: str) -> None:
    events = arena_events()
    change(events)
    assert any(words in one for one in promises(events)), promises(events)


def test_wrong_standings_of_an_arena_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [replace(row, points=row.points - row.number) for row in standings(fold_tournament(arena_events()))]
    monkeypatch.setattr("soak.arena.standings", lambda tournament: rows[::-1])
    found = promises(arena_events())
    assert any("points from" in one for one in found)
    assert any("not ordered by points" in one for one in found)
