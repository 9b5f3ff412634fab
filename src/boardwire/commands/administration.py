"""Administration of a server: over HTTP with an access token, or on its data directory or database.

Acts on a directory or database are stored with the author `console`; a running server carries them out within a second.
"""

from __future__ import annotations

import asyncio
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from itertools import chain, count
from pathlib import Path
from typing import Any, Final, Protocol

import msgspec

from boardwire.errors import Malformed, Refused, Unavailable
from boardwire.moderation import act_log
from boardwire.moderation.acts import Act, ActKind
from boardwire.moderation.moderation import CONSOLE, prepare, store
from boardwire.moderation.sanctions import Sanctions
from boardwire.moderation.subjects import SubjectKind, target_names
from boardwire.players.account import ALL_SCOPES, Account, Role
from boardwire.players.accounts import Accounts
from boardwire.records.records import Records

TIMEOUT_SECONDS: Final = 30.0
"""Timeout of a request to the server."""
MAX_RESPONSE_BYTES: Final = 16 * 1024 * 1024
DEFAULT_ADMIN: Final = "admin"
"""Default name of the admin that `boardwire admin token` creates."""
MAX_ROWS: Final = 200
"""Rows of one response from the server."""

Object = dict[str, Any]


class Administration(Protocol):
    """Interface of a server's administration: acts and lists."""

    def act(self, kind: ActKind, target: str = "", reason: str = "", seconds: float = 0.0) -> Object:
        """Carry out an act and return the stored act."""

    def sanctions(self) -> Object:
        """Return the bans, the mutes and the announcement in force."""

    def audit(self, count: int, kind: str) -> Iterator[Object]:
        """Yield up to `count` acts, newest first; only those of a kind unless `kind` is ''."""

    def reports(self, count: int, *, answered: bool) -> Iterator[Object]:
        """Yield up to `count` reports, newest first: only the answered ones, or only the others."""

    def players(self, name: str) -> list[Object]:
        """Return the players whose name contains `name`."""

    def tables(self) -> list[Object]:
        """Return all tables."""

    def quotas(self) -> Object:
        """Return the quotas, with the clients that use them most."""


# --- a running server -------------------------------------------------------------------------------------------------


class RemoteAdministration:
    """A running server, over HTTP."""

    def __init__(self, url: str, token: str) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise Malformed(f"--url {url!r} is not an address like http://127.0.0.1:7070")
        if not token:
            raise Malformed(
                "an access token is required: give --token or BOARDWIRE_ADMIN_TOKEN (`boardwire admin token --data DIR`"
                " creates one), or give --data DIR to work without the server"
            )
        if not token.isascii() or not token.isprintable() or " " in token:
            raise Malformed("the access token must consist of printable ASCII characters without spaces; copy it again")
        self._url = url.rstrip("/")
        self._token = token

    def act(self, kind: ActKind, target: str = "", reason: str = "", seconds: float = 0.0) -> Object:
        sanction: Object = {"subject": target, "reason": reason, "seconds": seconds}
        lift = {"subject": target, "reason": reason}
        target_path = urllib.parse.quote(target, safe="")
        match kind:
            case ActKind.BAN:
                return self._request("POST", "bans", sanction)
            case ActKind.MUTE:
                return self._request("POST", "mutes", sanction)
            case ActKind.UNBAN:
                return self._request("DELETE", "bans", query=lift)
            case ActKind.UNMUTE:
                return self._request("DELETE", "mutes", query=lift)
            case ActKind.CLOSE:
                return self._request("POST", f"matches/{target_path}/close", {"reason": reason})
            case ActKind.ANNOUNCE:
                return self._request("POST", "announcement", {"text": reason, "seconds": seconds})
            case ActKind.DRAIN:
                return self._request("POST", "drain", {"node": target, "reason": reason, "seconds": seconds})
            case ActKind.RESOLVE:
                return self._request("POST", f"reports/{target_path}", {"reason": reason})
            case ActKind.ROLE:
                return self._request("POST", f"players/{self._player_number(target)}/role", {"role": reason})
            case _:
                raise Malformed(f"the HTTP API has no request for {kind.value!r}")

    def sanctions(self) -> Object:
        answer = self._request("GET", "sanctions")
        for act in (*answer["bans"], *answer["mutes"]):
            _add_name(act, answer.get("names", {}))
        return answer

    def audit(self, count: int, kind: str) -> Iterator[Object]:
        return self._pages("audit", "acts", count, {"kind": kind} if kind else {})

    def reports(self, count: int, *, answered: bool) -> Iterator[Object]:
        return self._pages("reports", "reports", count, {"answered": str(answered).lower()})

    def players(self, name: str) -> list[Object]:
        rows: list[Object] = self._request("GET", "players", query={"name": name})["players"]
        return rows

    def tables(self) -> list[Object]:
        rows: list[Object] = self._request("GET", "tables")["tables"]
        return rows

    def quotas(self) -> Object:
        return self._request("GET", "quotas")

    def _player_number(self, target: str) -> int:
        """Return the number of the player `player:NUMBER`, `name:NAME` or `NAME`."""
        kind, _, rest = target.partition(":")
        if kind == SubjectKind.PLAYER and rest.isdigit():
            return int(rest)
        name = rest if kind == "name" else target
        for player in self.players(name):
            if player["name"].casefold() == name.casefold():
                return int(player["number"])
        raise Refused(f"there is no player {name!r}; `boardwire admin players` lists all players")

    def _pages(self, route: str, field: str, count: int, query: dict[str, str]) -> Iterator[Object]:
        """Yield up to `count` rows of a list that the server returns page by page, in `field` of each response."""
        before = 0
        while count > 0:
            limit = min(count, MAX_ROWS)
            page = self._request("GET", route, query={**query, "limit": str(limit), "before": str(before)})
            for row in page[field]:
                _add_name(row, page.get("names", {}))
                yield row
            count -= limit
            if not page["next"]:
                return
            before = page["next"]

    def _request(
        self, method: str, route: str, body: Object | None = None, query: dict[str, str] | None = None
    ) -> Object:
        """Send a request with the access token and return the decoded response."""
        url = f"{self._url}/api/admin/{route}" + (f"?{urllib.parse.urlencode(query)}" if query else "")
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        request = urllib.request.Request(url, data, headers, method=method)
        try:
            with _OPENER.open(request, timeout=TIMEOUT_SECONDS) as response:
                answer = msgspec.json.decode(response.read(MAX_RESPONSE_BYTES), type=dict[str, Any])
        except urllib.error.HTTPError as error:
            raise Refused(_error_message(error)) from None
        except (OSError, urllib.error.URLError) as error:
            reason = getattr(error, "reason", None) or error
            raise Unavailable(
                f"cannot reach the server at {self._url}: {reason}; give its address with --url, or --data DIR"
            ) from None
        except (msgspec.MsgspecError, ValueError):
            raise Unavailable(f"{self._url} is not a boardwire server: its response is not JSON") from None
        return answer


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Refuses redirects, which would send the token to another server."""

    def redirect_request(self, *arguments: Any) -> None:
        return None


_OPENER: Final = urllib.request.build_opener(_NoRedirects)


def _error_message(error: urllib.error.HTTPError) -> str:
    """Return the detail of an error response, or a remedy for one without details."""
    if error.code == HTTPStatus.UNAUTHORIZED:
        return (
            "the server does not know this access token; create one with `boardwire admin token --data DIR` and the"
            " data directory of the server"
        )
    try:
        problem = msgspec.json.decode(error.read(MAX_RESPONSE_BYTES), type=dict[str, Any])
        return str(problem["detail"])
    except (msgspec.MsgspecError, KeyError, OSError):
        if error.code == HTTPStatus.FORBIDDEN:
            return "the server responded with status 403: it may have banned this address; use --data on its machine"
        return f"the server responded with status {error.code}; check that --url is the address of a boardwire server"


# --- a data directory or database -------------------------------------------------------------------------------------


class LocalAdministration:
    """A server's data directory or database, without the server."""

    def __init__(self, records: Records, place: Path | str) -> None:
        self.accounts = Accounts(records)
        records.migrate(act_log.COMPONENT, act_log.MIGRATIONS)
        self._records = records
        self._place = place

    def act(self, kind: ActKind, target: str = "", reason: str = "", seconds: float = 0.0) -> Object:
        if kind in _OF_SUBJECTS:
            target = self._resolve_subject(target)
        if kind is ActKind.CLOSE:
            self._check_match(target)
        account = self._find_account(target) if kind is ActKind.ROLE else None
        if account is not None:
            target = f"{SubjectKind.PLAYER}:{account.id}"
        act = prepare(CONSOLE, kind, target, reason, seconds, time.time())
        stored_act = self._records.write_now(lambda db: store(db, act))
        if account is not None:
            asyncio.run(self.accounts.set_role(account.id, Role(reason)))
        return _act_fields(stored_act)

    def make_token(self, name: str, label: str) -> tuple[Account, str]:
        """Return the admin with this name, created if there is none, and a new access token for it.

        Without a name, use the first of `admin`, `admin-2` and so on that is free or belongs to an admin.
        """
        directory = self.accounts.directory
        if not name:
            defaults = chain((DEFAULT_ADMIN,), (f"{DEFAULT_ADMIN}-{number}" for number in count(2)))
            name = next(default for default in defaults if _is_admin_or_free(directory.named(default)))
        account = directory.named(name)
        if not _is_admin_or_free(account):
            raise Refused(f"the name {name!r} belongs to a player who is not an admin; give another --name")
        if account is None:
            account = asyncio.run(self.accounts.claim(name, role=Role.ADMIN)).account
        token = asyncio.run(self.accounts.add_api_token(account.id, label, ALL_SCOPES))
        target = f"{SubjectKind.PLAYER}:{account.id}"
        self._records.write_now(lambda db: act_log.add_act(db, time.time(), CONSOLE, ActKind.TOKEN, target, label))
        return account, token

    def sanctions(self) -> Object:
        now, sanctions = time.time(), Sanctions(self._records.read(act_log.all_acts))
        announcement = sanctions.announcement(now)
        return {
            "bans": [self._named_act(act) for act in sanctions.bans(now)],
            "mutes": [self._named_act(act) for act in sanctions.mutes(now)],
            "announcement": None if announcement is None else _act_fields(announcement),
        }

    def audit(self, count: int, kind: str) -> Iterator[Object]:
        return map(self._named_act, self._records.read(lambda db: act_log.acts_before(db, 0, count, kind)))

    def _named_act(self, act: Act) -> Object:
        row = _act_fields(act)
        _add_name(row, target_names([act], self.accounts.directory))
        return row

    def reports(self, count: int, *, answered: bool) -> Iterator[Object]:
        reports = self._records.read(lambda db: act_log.reports(db, answered=answered, count=count))
        return (msgspec.to_builtins(report) for report in reports)

    def players(self, name: str) -> list[Object]:
        now, sanctions = time.time(), Sanctions(self._records.read(act_log.all_acts))
        rows = []
        for account in self.accounts.directory.search(name, MAX_ROWS):
            subject = f"{SubjectKind.PLAYER}:{account.id}"
            row: Object = {
                "number": account.id, "name": account.name, "role": account.role.value, "created": account.created,
            }  # fmt: skip
            for kind, act in (("ban", sanctions.ban_of(subject, now)), ("mute", sanctions.mute_of(subject, now))):
                if act is not None:
                    row[kind] = _act_fields(act)
            rows.append(row)
        return rows

    def tables(self) -> list[Object]:
        raise Malformed("only a running server can list its tables; give --url and --token instead of --data")

    def quotas(self) -> Object:
        raise Malformed("only a running server can list its quotas; give --url and --token instead of --data")

    def _resolve_subject(self, text: str) -> str:
        """Return a subject as it is stored: `name:NAME` becomes `player:NUMBER`."""
        if text.partition(":")[0] != "name":
            return text
        return f"{SubjectKind.PLAYER}:{self._find_account(text).id}"

    def _find_account(self, text: str) -> Account:
        """Return the account `player:NUMBER`, `name:NAME` or `NAME`; raise `Refused` if there is none."""
        kind, _, rest = text.partition(":")
        directory = self.accounts.directory
        if kind == SubjectKind.PLAYER and rest.isdigit():
            account = directory.account(int(rest))
        else:
            account = directory.named(rest if kind == "name" else text)
        if account is None:
            raise Refused(f"there is no player {text!r}; `boardwire admin players` lists all players")
        return account

    def _check_match(self, match: str) -> None:
        from boardwire.commands.journals import events_of
        from boardwire.table.match import Status
        from boardwire.table.summary import summarize

        if summarize(events_of(match, self._place)).status is Status.OVER:
            raise Refused(f"the match {match!r} is over and has no table to close")


def _is_admin_or_free(owner: Account | None) -> bool:
    return owner is None or owner.role is Role.ADMIN


_OF_SUBJECTS: Final = frozenset({ActKind.BAN, ActKind.UNBAN, ActKind.MUTE, ActKind.UNMUTE})


@contextmanager
def local_administration(place: Path | str, *, create: bool = False) -> Iterator[LocalAdministration]:
    """Open the records of a data directory or database; a missing directory is an error unless `create`."""
    from boardwire.records.backends import durable_backend

    backend = durable_backend(place)
    if not create:
        backend.require_records()
    records = backend.records()
    try:
        yield LocalAdministration(records, place)
    finally:
        records.close()


def _add_name(row: Object, names: dict[str, str]) -> None:
    """Add the name of the player who is the target of an act."""
    if name := names.get(row.get("target", "")):
        row["name"] = name


def _act_fields(act: Act) -> Object:
    fields: Object = msgspec.to_builtins(act)
    return fields


# --- arguments --------------------------------------------------------------------------------------------------------

_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400}
FOREVER: Final = "forever"
MAX_DURATION_SECONDS: Final = 10 * 365 * 86_400


def parse_duration(text: str, flag: str = "--for") -> float:
    """Return the seconds of a duration like 30m, 12h or 7d; `forever` is 0."""
    if text == FOREVER:
        return 0.0
    number, unit = text[:-1], text[-1:]
    if unit not in _UNITS or not number.isascii() or not number.isdigit() or len(number) > 9 or not int(number):
        raise Malformed(
            f"{flag} {text!r} is not a duration; write a number with s, m, h, d or w like 30m, or {FOREVER}"
        )
    seconds = int(number) * _UNITS[unit]
    if seconds > MAX_DURATION_SECONDS:
        raise Malformed(f"{flag} {text!r} is more than ten years; write {FOREVER}")
    return float(seconds)
