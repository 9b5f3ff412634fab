"""`boardwire admin`: moderate and administer a server."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import App, Parameter

from boardwire.errors import Malformed
from boardwire.wire.text import escaped

if TYPE_CHECKING:
    from boardwire.commands.administration import Administration
    from boardwire.moderation.acts import ActKind

HELP: Final = """Moderate and administer a server: bans, mutes, tables, announcements, reports, the audit log.

- Over HTTP: `--url` and `--token`, or the variables BOARDWIRE_ADMIN_URL and BOARDWIRE_ADMIN_TOKEN.
- On the machine of the server: `--data DIR` or `--store URL`; a running server follows within a second.
- `boardwire admin token --data DIR` creates the first token.
"""
URL_VARIABLE: Final = "BOARDWIRE_ADMIN_URL"
TOKEN_VARIABLE: Final = "BOARDWIRE_ADMIN_TOKEN"
DEFAULT_URL: Final = "http://127.0.0.1:7070"
MAX_LISTED: Final = 100_000

app = App(name="admin", help=HELP)


@Parameter(name="*")
@dataclass
class ServerLocation:
    """Location of the server: its address, or its data."""

    url: str | None = None
    """Address of the running server [http://127.0.0.1:7070]."""
    token: str | None = None
    """Access token of an admin or moderator; the variable is safer, because other users see arguments."""
    data: str | None = None
    """Data directory of the server, instead of --url."""
    store: str | None = None
    """Address of the server's database, instead of --url."""
    json: bool = False
    """Print one JSON object a line."""


Where = Annotated[ServerLocation | None, Parameter(show=True)]
Duration = Annotated[str, Parameter(name="--for", help="How long: 30m, 12h, 7d, 4w or forever.")]
Subject = Annotated[str, Parameter(help="203.0.113.7, 203.0.113.0/24, name:NAME, player:NUMBER or guest:KEY.")]
ListedSubject = Annotated[str, Parameter(help="As `boardwire admin bans` shows it.")]
Reason = Annotated[str, Parameter(help="Reason for the audit log.")]
PublicReason = Annotated[str, Parameter(help="Reason for the audit log; it is shown to the player.")]


@app.command
def token(
    *, name: str = "", label: str = "boardwire admin", data: str | None = None, store: str | None = None,
    json: bool = False,
) -> None:  # fmt: skip
    """Create an access token for an admin and print it; only its hash is stored, so it cannot be shown again.

    Parameters
    ----------
    name
        Name of the admin [admin, or admin-2 if a player has that name]; the account is created if there is none.
    label
        Purpose of the token, shown in the list of tokens.
    data
        Data directory of the server [the user's data directory].
    store
        Address of the server's database, instead of a directory.
    json
        Print a JSON object.
    """
    from boardwire.commands.administration import local_administration
    from boardwire.commands.arguments import find_store

    with local_administration(find_store(data, store), create=True) as server:
        account, new_token = server.make_token(name, label)
    if json:
        _print_json({"token": new_token, "player": account.id, "name": account.name})
    else:
        print(new_token)
        note = f"token of {account.name!r} (player:{account.id}); keep it secret, it is not shown again"
        print(escaped(note), file=sys.stderr)


@app.command
def role(player: str, role: str, *, place: Where = None) -> None:
    """Give a player a role: player, organiser, moderator or admin.

    Parameters
    ----------
    player
        Name of the player, or player:NUMBER.
    role
        The role; each includes those before it.
    """
    from boardwire.moderation.acts import ActKind
    from boardwire.players.account import Role

    if role not in list(Role):
        raise Malformed(f"{role!r} is not a role; the roles are {', '.join(Role)}")
    _run_act(place, ActKind.ROLE, player, role, message=f"gave the role {role} to")


@app.command
def ban(subject: Subject, *, duration: Duration = "forever", reason: PublicReason = "", place: Where = None) -> None:
    """Ban an address, a network, a player or a guest; its connections are closed."""
    from boardwire.moderation.acts import ActKind

    _run_sanction(place, ActKind.BAN, subject, duration, reason, "banned")


@app.command
def unban(subject: ListedSubject, *, reason: Reason = "", place: Where = None) -> None:
    """Lift a ban."""
    from boardwire.moderation.acts import ActKind

    _run_act(place, ActKind.UNBAN, subject, reason, message="unbanned")


@app.command
def mute(subject: Subject, *, duration: Duration = "forever", reason: PublicReason = "", place: Where = None) -> None:
    """Mute an address, a network, a player or a guest: it cannot chat."""
    from boardwire.moderation.acts import ActKind

    _run_sanction(place, ActKind.MUTE, subject, duration, reason, "muted")


@app.command
def unmute(subject: ListedSubject, *, reason: Reason = "", place: Where = None) -> None:
    """Lift a mute."""
    from boardwire.moderation.acts import ActKind

    _run_act(place, ActKind.UNMUTE, subject, reason, message="unmuted")


@app.command
def bans(*, place: Where = None) -> None:
    """List the bans, the mutes and the announcement in force."""
    with _open_administration(place) as server:
        sanctions = server.sanctions()
    announcement = [] if sanctions["announcement"] is None else [sanctions["announcement"]]
    _print_rows(
        place, [*sanctions["bans"], *sanctions["mutes"], *announcement], _act_line, "no bans, mutes or announcement"
    )


@app.command
def close(match: str, *, reason: Reason = "", place: Where = None) -> None:
    """End a match without a result and close its table.

    Parameters
    ----------
    match
        The match, as `boardwire matches` and `boardwire admin tables` list it.
    """
    from boardwire.moderation.acts import ActKind

    _run_act(place, ActKind.CLOSE, match, reason, message="closed")


@app.command
def drain(node: str = "", *, wait: str = "0s", reason: Reason = "", place: Where = None) -> None:
    """Drain a node: it accepts no new players, and stops when no match is in progress or the time is over.

    Parameters
    ----------
    node
        Name of the node of a cluster [the one that --url leads to].
    wait
        How long to wait for matches in progress, like 30m; those that can resume continue after a restart or on
        another node.
    """
    from boardwire.commands.administration import parse_duration
    from boardwire.moderation.acts import ActKind

    seconds = 0.0 if wait in ("0", "0s") else parse_duration(wait, "--wait")
    _run_act(place, ActKind.DRAIN, node, reason, seconds, message="draining")


@app.command
def announce(text: str = "", *, duration: Duration = "forever", place: Where = None) -> None:
    """Show an announcement to all players; without a text, withdraw it.

    Parameters
    ----------
    text
        The announcement.
    """
    from boardwire.commands.administration import parse_duration
    from boardwire.moderation.acts import ActKind

    message = "announced" if text else "withdrawn"
    _run_act(place, ActKind.ANNOUNCE, "", text, parse_duration(duration), message=message)


@app.command
def reports(*, answered: bool = False, limit: int = 50, place: Where = None) -> None:
    """List the reports of players, newest first.

    Parameters
    ----------
    answered
        List answered reports instead of open ones.
    limit
        Maximum number.
    """
    with _open_administration(place) as server:
        rows = list(server.reports(_valid_limit(limit), answered=answered))
    _print_rows(place, rows, _report_line, "no reports")


@app.command
def resolve(report: int, answer: str, *, place: Where = None) -> None:
    """Answer a report, which closes it.

    Parameters
    ----------
    report
        Number of the report.
    answer
        The answer, for the audit log.
    """
    from boardwire.moderation.acts import ActKind

    if report < 1:
        raise Malformed(f"{report} is not the number of a report; `boardwire admin reports` lists them")
    _run_act(place, ActKind.RESOLVE, str(report), answer, message="resolved")


@app.command
def audit(*, kind: str = "", limit: int = 50, place: Where = None) -> None:
    """List the acts of moderators and admins, newest first.

    Parameters
    ----------
    kind
        Only acts of this kind: ban, unban, mute, unmute, close, announce, drain, resolve, token or role.
    limit
        Maximum number.
    """
    from boardwire.moderation.acts import ActKind

    if kind and kind not in list(ActKind):
        raise Malformed(f"--kind {kind!r} is not a kind of act; the kinds are {', '.join(ActKind)}")
    with _open_administration(place) as server:
        acts = list(server.audit(_valid_limit(limit), kind))
    _print_rows(place, acts, _act_line, "no acts")


@app.command
def players(name: str = "", *, place: Where = None) -> None:
    """List players with an account, newest first.

    Parameters
    ----------
    name
        Only players whose name contains this.
    """
    with _open_administration(place) as server:
        accounts = server.players(name)
    _print_rows(place, accounts, _player_line, "no players")


@app.command
def tables(*, place: Where = None) -> None:
    """List all tables of a running server, with the addresses of their guests."""
    with _open_administration(place) as server:
        rows = server.tables()
    _print_rows(place, rows, _table_line, "no tables")


@app.command
def quotas(*, place: Where = None) -> None:
    """List the quotas of a running server, with the clients that use them most."""
    with _open_administration(place) as server:
        usage = server.quotas()
    rows = [*usage["quotas"], {"quota": "connections", "limit": 0, "used": usage["connections"]}]
    _print_rows(place, rows, _quota_line, "no quotas")


# --- shared -----------------------------------------------------------------------------------------------------------


@contextmanager
def _open_administration(place: ServerLocation | None) -> Iterator[Administration]:
    """Open the administration of a server: over HTTP, or of its data directory or database."""
    from boardwire.commands.administration import RemoteAdministration, local_administration
    from boardwire.commands.arguments import find_store

    place = place or ServerLocation()
    if place.data is not None or place.store is not None:
        if place.url is not None or place.token is not None:
            raise Malformed("--data and --store exclude --url and --token; remove one of the two")
        with local_administration(find_store(place.data, place.store)) as server:
            yield server
    else:
        url = place.url or os.environ.get(URL_VARIABLE, "").strip() or DEFAULT_URL
        yield RemoteAdministration(url, place.token or os.environ.get(TOKEN_VARIABLE, "").strip())


def _run_sanction(
    place: ServerLocation | None, kind: ActKind, subject: str, duration: str, reason: str, message: str
) -> None:
    from boardwire.commands.administration import parse_duration

    _run_act(place, kind, subject, reason, parse_duration(duration), message=message)


def _run_act(
    place: ServerLocation | None,
    kind: ActKind,
    target: str = "",
    reason: str = "",
    seconds: float = 0.0,
    *,
    message: str,
) -> None:
    """Carry out an act and print the stored act, as JSON or as `message` with its fields."""
    with _open_administration(place) as server:
        act = server.act(kind, target, reason, seconds)
    if place is not None and place.json:
        _print_json(act)
    else:
        print(escaped(f"{message} {act['target']}".rstrip() + _until_phrase(act)))


def _print_rows(
    place: ServerLocation | None, rows: list[dict[str, Any]], line: Callable[[dict[str, Any]], str], empty: str
) -> None:
    """Print each row as JSON or as a line of text; without rows, print the text `empty` to standard error."""
    if place is not None and place.json:
        for row in rows:
            _print_json(row)
        return
    for row in rows:
        print(escaped(line(row)))
    if not rows:
        print(empty, file=sys.stderr)


def _print_json(row: dict[str, Any]) -> None:
    import msgspec

    print(msgspec.json.encode(row).decode())


def _valid_limit(limit: int) -> int:
    if not 1 <= limit <= MAX_LISTED:
        raise Malformed(f"--limit {limit}: must be from 1 to {MAX_LISTED:,}")
    return limit


def _format_time(at: float) -> str:
    return datetime.fromtimestamp(at).isoformat(" ", "seconds")


def _until_phrase(act: dict[str, Any]) -> str:
    return f" until {_format_time(act['until'])}" if act["until"] and act["kind"] in ("ban", "mute", "announce") else ""


def _act_line(act: dict[str, Any]) -> str:
    why = f": {act['reason']}" if act["reason"] else ""
    name = f" ({act['name']})" if act.get("name") else ""
    return f"{act['number']:>5}  {_format_time(act['at'])}  {act['by']}  {act['kind']} {act['target']}".rstrip() + (
        f"{name}{_until_phrase(act)}{why}"
    )


def _report_line(report: dict[str, Any]) -> str:
    """Format a report with its answer, if it has one."""
    subject = report["name"] or "the match"
    answer = f"  answered by {report['answered_by']}: {report['answer']}" if report["answered_by"] else ""
    where = f"{report['match']}" if report["seat"] is None else f"{report['match']} seat {report['seat']}"
    statement = f"{report['kind']} {subject} ({where}) by {report['reporter']}: {report['text']}"
    return f"{report['number']:>5}  {_format_time(report['at'])}  {statement}{answer}"


def _player_line(player: dict[str, Any]) -> str:
    marks = "".join(f"  {kind}{_until_phrase(player[kind])}" for kind in ("ban", "mute") if player.get(kind))
    return (
        f"player:{player['number']:<6} {player['role']:<10} {_format_time(player['created'])}  {player['name']}{marks}"
    )


def _table_line(table: dict[str, Any]) -> str:
    """Format a table with its players and spectators, each with bot, address and subject as far as known."""
    people = []
    for player in [*table["players"], *table.get("spectators", ())]:
        if player is not None:
            name = player.get("name") or "a guest"
            details = " ".join(filter(None, (player.get("bot"), player.get("address"), player.get("subject"))))
            people.append(f"{name} ({details})" if details else name)
    private = "  private" if table.get("private") else ""
    return f"{table['match']}  {table['game']:<10} {table['status']:<8}{private}  {', '.join(people)}"


def _quota_line(quota: dict[str, Any]) -> str:
    heaviest = ", ".join(f"{use['who']} {use['used']}" for use in quota["used"][:5])
    return f"{quota['quota']:<18} limit {quota['limit'] or 'none':<8} {heaviest}".rstrip()
