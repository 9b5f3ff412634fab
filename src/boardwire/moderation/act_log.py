"""Stored acts and reports: the component `moderation` of the records.

- Acts are only inserted; the one change is that the name of an author is removed when the account is deleted. Writes
  are serial over all processes and nodes, so acts are in the order of their numbers.
- A report changes once, when a moderator answers it. Answered reports are removed after `REPORT_DAYS`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardwire.errors import Reason, Refused
from boardwire.moderation.acts import Act, ActKind, Report, ReportKind
from boardwire.players.account import DELETED_NAME
from boardwire.records.records import Row, Transaction

COMPONENT: Final = "moderation"
MIGRATIONS: Final = (
    # 1: acts and reports
    """
    CREATE TABLE moderation_acts (
        number {serial}, at DOUBLE PRECISION NOT NULL, actor TEXT NOT NULL, kind TEXT NOT NULL, target TEXT NOT NULL,
        reason TEXT NOT NULL, ends DOUBLE PRECISION NOT NULL
    );
    CREATE TABLE moderation_reports (
        number {serial}, at DOUBLE PRECISION NOT NULL, kind TEXT NOT NULL, match_id TEXT NOT NULL, seat BIGINT,
        name TEXT NOT NULL, text TEXT NOT NULL, reporter TEXT NOT NULL, address TEXT NOT NULL,
        answered_by TEXT NOT NULL, answer TEXT NOT NULL
    );
    CREATE INDEX moderation_reports_by_answer ON moderation_reports (answered_by, number);
    CREATE INDEX moderation_reports_by_reporter ON moderation_reports (reporter);
    """,
)
"""Released migrations never change; new ones are appended."""

REPORT_DAYS: Final = 180
"""Days for which an answered report is kept."""
MAX_OPEN_REPORTS: Final = 10_000
"""Unanswered reports of all players; further ones are refused."""
MAX_OPEN_REPORTS_OF_PLAYER: Final = 10
"""Unanswered reports of one player."""
PAGE_ROWS: Final = 1000
"""Acts that are read at a time."""

_ACT: Final = "number, at, actor, kind, target, reason, ends"
_REPORT: Final = "number, at, kind, match_id, seat, name, text, reporter, address, answered_by, answer"


def add_act(
    db: Transaction, at: float, by: str, kind: ActKind, target: str = "", reason: str = "", until: float = 0.0
) -> Act:
    """Store an act and return it with its number."""
    row = db.one(
        "INSERT INTO moderation_acts (at, actor, kind, target, reason, ends) VALUES (?, ?, ?, ?, ?, ?)"
        " RETURNING number",
        at, by, kind.value, target, reason, until,
    )  # fmt: skip
    assert row is not None, "an insert returns its number"
    return Act(number=row[0], at=at, by=by, kind=kind, target=target, reason=reason, until=until)


def acts_after(db: Transaction, number: int) -> list[Act]:
    """Return up to `PAGE_ROWS` acts after a number, in order."""
    return [
        _act(row)
        for row in db.all(
            f"SELECT {_ACT} FROM moderation_acts WHERE number > ? ORDER BY number LIMIT ?", number, PAGE_ROWS
        )
    ]


def all_acts(db: Transaction) -> list[Act]:
    """Return all acts, in order."""
    return [_act(row) for row in db.all(f"SELECT {_ACT} FROM moderation_acts ORDER BY number")]


def acts_before(db: Transaction, number: int, count: int, kind: str = "", target: str = "") -> list[Act]:
    """Return up to `count` acts before a number, or the newest ones if it is 0, newest first."""
    rows = db.all(
        f"SELECT {_ACT} FROM moderation_acts WHERE (? = 0 OR number < ?) AND (? = '' OR kind = ?)"
        " AND (? = '' OR target = ?) ORDER BY number DESC LIMIT ?",
        number, number, kind, kind, target, target, count,
    )  # fmt: skip
    return [_act(row) for row in rows]


def add_report(db: Transaction, report: Report) -> Report:
    """Store a report and return it with its number; raise `Refused` if too many are unanswered."""
    count = "SELECT count(*) FROM moderation_reports WHERE answered_by = ''"
    (waiting,) = db.one(count) or (0,)
    (own,) = db.one(f"{count} AND reporter = ?", report.reporter) or (0,)
    if own >= MAX_OPEN_REPORTS_OF_PLAYER:
        message = f"{own} of your reports are unanswered, the maximum; wait until a moderator has answered one"
        raise Refused(message, reason=Reason.LIMIT)
    if waiting >= MAX_OPEN_REPORTS:
        raise Refused(f"{waiting} reports are unanswered, the maximum; try again tomorrow", reason=Reason.LIMIT)
    row = db.one(
        "INSERT INTO moderation_reports (at, kind, match_id, seat, name, text, reporter, address, answered_by, answer)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, '', '') RETURNING number",
        report.at, report.kind.value, report.match, report.seat, report.name, report.text, report.reporter,
        report.address,
    )  # fmt: skip
    assert row is not None, "an insert returns its number"
    return _report((row[0], *_fields(report)))


def reports(db: Transaction, *, answered: bool, before: int = 0, count: int = 100) -> list[Report]:
    """Return up to `count` open or answered reports before a number, or the newest ones if it is 0, newest first."""
    rows = db.all(
        f"SELECT {_REPORT} FROM moderation_reports WHERE {'answered_by <> ' if answered else 'answered_by = '}''"
        " AND (? = 0 OR number < ?) ORDER BY number DESC LIMIT ?",
        before, before, count,
    )  # fmt: skip
    return [_report(row) for row in rows]


def reports_of(db: Transaction, reporter: str) -> list[Report]:
    """Return all reports of a player."""
    rows = db.all(f"SELECT {_REPORT} FROM moderation_reports WHERE reporter = ? ORDER BY number", reporter)
    return [_report(row) for row in rows]


def answer_report(db: Transaction, number: int, by: str, answer: str) -> None:
    """Store the answer to a report; raise `Refused` if no open report has this number."""
    changed = db.run(
        "UPDATE moderation_reports SET answered_by = ?, answer = ? WHERE number = ? AND answered_by = ''",
        by, answer, number,
    )  # fmt: skip
    if not changed:
        raise Refused(f"there is no open report {number}; `boardwire admin reports` lists them")


def remove_old_reports(db: Transaction, now: float) -> int:
    """Remove answered reports older than `REPORT_DAYS`; return their number."""
    return db.run("DELETE FROM moderation_reports WHERE answered_by <> '' AND at < ?", now - REPORT_DAYS * 86_400)


def forget_player(db: Transaction, subject: str, name: str, reporters: Sequence[str]) -> None:
    """Remove the name of a deleted account from acts and reports, and the address from which it reported.

    `reporters` are the subjects under which it reported: the account, and the guests whose matches it has claimed.
    """
    signature = f"{DELETED_NAME} ({subject})"  # as `Caller.signature` writes it
    db.run("UPDATE moderation_acts SET actor = ? WHERE actor LIKE ?", signature, f"% ({subject})")
    db.run("UPDATE moderation_reports SET answered_by = ? WHERE answered_by LIKE ?", signature, f"% ({subject})")
    db.run("UPDATE moderation_reports SET name = ? WHERE name = ?", DELETED_NAME, name)
    db.many("UPDATE moderation_reports SET address = '' WHERE reporter = ?", [(reporter,) for reporter in reporters])


def _act(row: Row) -> Act:
    number, at, by, kind, target, reason, until = row
    return Act(number=number, at=at, by=by, kind=ActKind(kind), target=target, reason=reason, until=until)


def _fields(report: Report) -> Row:
    return (
        report.at, report.kind.value, report.match, report.seat, report.name, report.text, report.reporter,
        report.address, "", "",
    )  # fmt: skip


def _report(row: Row) -> Report:
    number, at, kind, match, seat, name, text, reporter, address, answered_by, answer = row
    return Report(
        number=number, at=at, kind=ReportKind(kind), match=match, seat=seat, name=name, text=text, reporter=reporter,
        address=address, answered_by=answered_by, answer=answer,
    )  # fmt: skip
