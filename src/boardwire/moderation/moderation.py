"""Moderation of a node: stores acts, follows those of other processes, and carries them out.

- An act is stored first. Then every node reads it from the log, this one immediately and others within a second
  (`node.REFRESH_SECONDS`), and carries it out: it closes the connections of a banned player, or a closed table that it
  hosts.
- Closing a table is repeated for a day, because the table may be moving to another node.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Final, Protocol

import structlog

from boardwire.errors import Refused
from boardwire.moderation import act_log
from boardwire.moderation.act_log import COMPONENT, MIGRATIONS
from boardwire.moderation.acts import (
    FOREVER,
    MAX_ANNOUNCEMENT_LENGTH,
    MAX_REASON_LENGTH,
    MAX_REPORT_LENGTH,
    Act,
    ActKind,
    Report,
    check_text,
)
from boardwire.moderation.gate import Gate, RequestHandler, notification_of
from boardwire.moderation.sanctions import Sanctions
from boardwire.moderation.subjects import parse_subject
from boardwire.records.records import Records, Transaction
from boardwire.table.commands import Close
from boardwire.table.guest import Announced, Guest
from boardwire.table.ports import ListedTable
from boardwire.table.table import Table
from boardwire.table.termination import Termination

log = structlog.get_logger("boardwire.moderation")

CLEANUP_SECONDS: Final = 60.0
"""Interval between deletions of expired rows."""
CONSOLE: Final = "console"
"""Author of the acts of `boardwire admin --data`."""

_SANCTIONS: Final = frozenset({ActKind.BAN, ActKind.UNBAN, ActKind.MUTE, ActKind.UNMUTE})


class ConnectionControl(Protocol):
    """The operations on a node's connections that moderation uses."""

    def drop_banned(self, is_banned: Callable[[Guest], bool], /) -> int: ...
    def announce(self, announcement: Announced, /) -> None: ...


class Moderation:
    """Acts and reports of a server, and their effects on this node."""

    def __init__(self, records: Records, now: Callable[[], float] = time.time) -> None:
        self.records = records
        self.now = now
        records.migrate(COMPONENT, MIGRATIONS)
        self.sanctions = Sanctions(records.read(act_log.all_acts))
        self.gate: Gate | None = None
        self._connections: ConnectionControl | None = None
        self._find_table: Callable[[str], ListedTable | None] = lambda match: None
        self._drain: Callable[[Act], None] = lambda act: None
        self.remove_old: Callable[[Transaction, float], object] = act_log.remove_old_reports
        """Deletes expired rows; a node sets a function that covers all components."""
        self._last_cleanup = 0.0

    def guard(self, handler: RequestHandler) -> Gate:
        """Create and return the gate around the lobby, or the member of a cluster."""
        self.gate = Gate(handler, self.sanctions, self.now)
        return self.gate

    def control(
        self,
        connections: ConnectionControl,
        find_table: Callable[[str], ListedTable | None],
        drain: Callable[[Act], None],
    ) -> None:
        """Set the connections and tables on which acts are carried out; `drain` is called with each act that drains."""
        self._connections = connections
        self._find_table = find_table
        self._drain = drain

    def is_banned(self, address_key: str) -> bool:
        """Return whether an address is banned; called for every connection."""
        return self.sanctions.ban_of_address(address_key, self.now()) is not None

    # --- acts ---------------------------------------------------------------------------------------------------------

    async def act(self, by: str, kind: ActKind, target: str = "", reason: str = "", seconds: float = 0.0) -> Act:
        """Store an act, carry it out and return it; `seconds` is its duration, 0 for no end."""
        act = prepare(by, kind, target, reason, seconds, self.now())
        stored = await self.records.write(lambda db: store(db, act))
        await self.follow()
        return stored

    async def report(self, report: Report) -> Report:
        """Store a report; raise `Refused` if its author has too many open ones."""
        text = check_text("the report", report.text, MAX_REPORT_LENGTH)
        report = Report(
            number=0, at=self.now(), kind=report.kind, match=report.match, seat=report.seat, name=report.name,
            text=text, reporter=report.reporter, address=report.address,
        )  # fmt: skip
        return await self.records.write(lambda db: act_log.add_report(db, report))

    async def follow(self) -> None:
        """Carry out the acts that were stored since the last call."""
        while acts := await asyncio.to_thread(
            self.records.read, lambda db: act_log.acts_after(db, self.sanctions.last_number)
        ):
            self._carry_out(acts)
        self._close_tables()
        if self.now() - self._last_cleanup > CLEANUP_SECONDS:
            self._last_cleanup = self.now()
            await self.records.write(lambda db: self.remove_old(db, self.now()))

    def _carry_out(self, acts: Sequence[Act]) -> None:
        """Apply stored acts: drop banned connections, announce, or drain; acts that are already applied are ignored."""
        for act in acts:
            if not self.sanctions.apply(act):
                continue
            log.info("moderation", act=act.kind.value, target=act.target, by=act.by, number=act.number)
            if act.kind in _SANCTIONS and self._connections is not None and self.gate is not None:
                self._connections.drop_banned(self.gate.is_banned)
            elif act.kind is ActKind.ANNOUNCE and self._connections is not None:
                self._connections.announce(notification_of(act))
            elif act.kind is ActKind.DRAIN:
                self._drain(act)

    def _close_tables(self) -> None:
        """End the matches hosted here that were ordered to end; repeated, because a table may have moved here."""
        for match in self.sanctions.closings:
            table = self._find_table(match)
            if isinstance(table, Table) and not table.ends and not table.superseded:
                table.do(None, Close(Termination.CLOSED))


def prepare(by: str, kind: ActKind, target: str, reason: str, seconds: float, now: float) -> Act:
    """Return a valid act to store; raise `Malformed` for an invalid target or a reason that is too long."""
    limit = MAX_ANNOUNCEMENT_LENGTH if kind is ActKind.ANNOUNCE else MAX_REASON_LENGTH
    reason = check_text("the announcement" if kind is ActKind.ANNOUNCE else "the reason", reason, limit)
    if kind in _SANCTIONS:
        target = parse_subject(target)
    until = now + seconds if seconds else FOREVER
    return Act(number=0, at=now, by=by, kind=kind, target=target, reason=reason, until=until)


def store(db: Transaction, act: Act) -> Act:
    """Store a prepared act; raise `Refused` if it lifts a sanction that is not in force, or answers no open report."""
    if act.kind in (ActKind.UNBAN, ActKind.UNMUTE):
        sanctions = Sanctions(act_log.all_acts(db))
        active = sanctions.bans(act.at) if act.kind is ActKind.UNBAN else sanctions.mutes(act.at)
        if act.target not in [sanction.target for sanction in active]:
            state = "banned" if act.kind is ActKind.UNBAN else "muted"
            raise Refused(f"{act.target} is not {state}; `boardwire admin bans` lists the sanctions in force")
    if act.kind is ActKind.RESOLVE:
        act_log.answer_report(db, int(act.target), act.by, act.reason)
    return act_log.add_act(db, act.at, act.by, act.kind, act.target, act.reason, act.until)
