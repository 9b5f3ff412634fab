"""Acts over records: stored, followed by other processes, carried out once, the same after a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from boardwire.errors import Malformed, Refused
from boardwire.moderation import act_log
from boardwire.moderation.acts import Act, ActKind, Report, ReportKind
from boardwire.moderation.moderation import Moderation
from boardwire.records.records import Records
from boardwire.simulation.server import SimulatedServer
from boardwire.table.guest import Announced, Guest
from boardwire.table.match import Status


class Control:
    """The connections of a node, of which only calls are noted."""

    def __init__(self) -> None:
        self.drops = 0
        self.announced: list[str] = []
        self.drained: list[str] = []

    def drop_banned(self, is_banned: Callable[[Guest], bool]) -> int:
        self.drops += 1
        return 0

    def announce(self, announced: Announced) -> None:
        self.announced.append(announced.text)


class Process:
    """A node on some records."""

    def __init__(self, records: Records, now: Callable[[], float] = lambda: 1000.0) -> None:
        self.server = SimulatedServer(seed=1)
        self.control = Control()
        self.moderation = Moderation(records, now)
        self.moderation.guard(self.server.lobby)
        self.moderation.control(self.control, self.server.lobby.find_table, self._drain)

    def _drain(self, act: Act) -> None:
        self.control.drained.append(act.target)

    def act(self, kind: ActKind, target: str = "", reason: str = "", seconds: float = 0.0) -> Act:
        return asyncio.run(self.moderation.act("ann", kind, target, reason, seconds))

    def follow(self) -> None:
        asyncio.run(self.moderation.follow())


@pytest.fixture
def two(reopen: Callable[[], Records]) -> tuple[Process, Process]:
    """Two processes on the same records."""
    return Process(reopen()), Process(reopen())


def test_another_process_enforces_a_ban_after_its_next_look(two: tuple[Process, Process]) -> None:
    first, second = two
    first.act(ActKind.BAN, "203.0.113.7")
    assert not second.moderation.is_banned("203.0.113.7")
    second.follow()
    assert second.moderation.is_banned("203.0.113.7")
    assert (first.control.drops, second.control.drops) == (1, 1)
    second.follow()
    assert second.control.drops == 1
    second.act(ActKind.UNBAN, "203.0.113.7")
    first.follow()
    assert not first.moderation.is_banned("203.0.113.7")


def test_a_restart_keeps_bans_and_repeats_nothing_else(reopen: Callable[[], Records]) -> None:
    first = Process(reopen())
    first.act(ActKind.BAN, "player:7", seconds=60)
    first.act(ActKind.ANNOUNCE, reason="hello")
    first.act(ActKind.DRAIN, seconds=1)
    first.moderation.records.close()
    second = Process(reopen())
    second.follow()
    assert second.moderation.sanctions.ban_of("player:7", 1059.0) is not None
    assert second.moderation.sanctions.ban_of("player:7", 1060.0) is None
    assert (second.control.announced, second.control.drained) == ([], [])
    assert second.moderation.sanctions.announcement(0.0) is not None


def test_acts_of_two_processes_are_applied_in_one_order(two: tuple[Process, Process]) -> None:
    first, second = two
    first.act(ActKind.BAN, "203.0.113.7")
    second.act(ActKind.UNBAN, "203.0.113.7")  # not followed before: the store knows
    first.follow()
    assert not first.moderation.is_banned("203.0.113.7")
    assert not second.moderation.is_banned("203.0.113.7")


def test_a_table_closes_on_the_node_that_hosts_it_also_if_it_comes_later(two: tuple[Process, Process]) -> None:
    first, second = two
    first.act(ActKind.CLOSE, "match-1")
    second.follow()
    for _ in range(2):
        second.server.connect("tris-lines")
    assert second.server.match("match-1").status is Status.PLAYING
    second.follow()
    assert second.server.match("match-1").status is Status.OVER
    second.follow()
    assert len(second.server.events("match-1")) == len(set(map(str, second.server.events("match-1"))))


def test_lifting_what_is_not_in_force_stores_nothing(two: tuple[Process, Process]) -> None:
    first, _ = two
    for kind in (ActKind.UNBAN, ActKind.UNMUTE):
        with pytest.raises(Refused, match=r"is not (banned|muted)"):
            first.act(kind, "203.0.113.7")
    with pytest.raises(Refused, match="no open report 1"):
        first.act(ActKind.RESOLVE, "1")
    with pytest.raises(Malformed, match="at most 500 characters"):
        first.act(ActKind.CLOSE, "match-1", reason="x" * 501)
    assert first.moderation.records.read(act_log.all_acts) == []


def test_answered_reports_are_removed_in_time_and_open_ones_stay(reopen: Callable[[], Records]) -> None:
    now = [1000.0]
    node = Process(reopen(), lambda: now[0])

    def report(reporter: str) -> Report:
        wanted = Report(
            number=0, at=0.0, kind=ReportKind.OTHER, match="m", seat=None, name="", text="", reporter=reporter
        )
        return asyncio.run(node.moderation.report(wanted))

    first, second = report("guest:a"), report("guest:b")
    node.act(ActKind.RESOLVE, str(first.number), "done")
    now[0] += act_log.REPORT_DAYS * 86_400 + 1
    node.follow()
    records = node.moderation.records
    assert records.read(lambda db: act_log.reports(db, answered=True)) == []
    assert [one.number for one in records.read(lambda db: act_log.reports(db, answered=False))] == [second.number]
