"""Generator of the table of queues, pools, threads and rate limits in SECURITY.md; with --check, compare it.

`places` finds every call of one of `KINDS` in the server's code: queues, caches, rate limits, threads and processes.
`ROWS` documents each place: its users, the share of one client address, and the effect of a full resource; a name in
braces is a constant of the module. A place without a row, or a row without a place, fails `tests/test_security.py`.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final, NamedTuple

from scripts.page import ROOT, Table

KINDS: Final = {
    "deque": "queue", "SimpleQueue": "queue", "Queue": "queue", "OrderedDict": "queue", "FairQueue": "queue",
    "ThreadPoolExecutor": "threads", "Thread": "thread", "Popen": "process", "Semaphore": "slots",
    "TokenBuckets": "rate", "RateLimit": "rate", "MessageBudget": "rate", "WeightedCache": "cache",
    "to_thread": "thread", "run_in_executor": "thread", "Timer": "thread", "PriorityQueue": "queue",
    "LifoQueue": "queue", "BoundedSemaphore": "slots", "ProcessPoolExecutor": "processes", "Process": "process",
    "create_subprocess_exec": "process",
}  # fmt: skip
"""Constructors to find, and the kind of resource."""
SERVER: Final = (
    "api", "bots", "cluster", "components.py", "conformance/monitor.py", "conformance/watchers", "course/site.py",
    "dialects", "engines",
    "lobby", "mail", "moderation", "net", "node.py", "organise", "players", "proxy/faults.py", "proxy/history.py",
    "proxy/inspector.py", "proxy/proxy.py", "proxy/stored_match.py", "proxy/tap.py", "push", "records", "store",
    "table", "talk", "tournaments", "wire",
)  # fmt: skip
"""Packages and modules that run in a server."""
CLIENT_FILES: Final = ("client.py", "client_upgrade.py", "caller.py")
"""Files of a dialect that run in a client."""


class Row(NamedTuple):
    """A row of the table: the users of a resource, the share of one client address, and the effect when it is full."""

    filled_by: str
    share: str
    when_full: str


_OUTSIDE: Final = "any client"
_NATIVE: Final = "any native client"
_SELF: Final = "the server itself"
_READERS: Final = "any client that reads matches"
_LEAST_RECENT: Final = "the least recently used entry is dropped"
_NEVER: Final = "never"
_ONE_READ: Final = "none: one read at a time"

ROWS: Final = {
    "api.context.ApiContext.imports": Row(
        _OUTSIDE, "{IMPORT_BURST} imports at once, then {IMPORTS_PER_SECOND} a second", "429 with Retry-After"
    ),
    "api.context.ApiContext.reports": Row(
        _OUTSIDE, "{REPORT_BURST} reports at once, then {REPORTS_PER_SECOND} a second", "429 with Retry-After"
    ),
    "api.context.ApiContext.new_tournaments": Row(
        _OUTSIDE,
        "{TOURNAMENT_BURST} tournaments at once, then one in ten minutes",
        "429 with Retry-After",
    ),
    "api.context.ApiContext.pictures": Row(_READERS, "none: {PICTURE_BYTES} bytes in all", _LEAST_RECENT),
    "api.conversations.Conversations.cache": Row(_READERS, "none: {CACHE_BYTES} bytes in all", _LEAST_RECENT),
    "api.match_cache.MatchReader._digests": Row(_READERS, "none: {DIGEST_BYTES} bytes in all", _LEAST_RECENT),
    "api.match_cache.MatchReader._steps": Row(_READERS, "none: {STEP_BYTES} bytes in all", _LEAST_RECENT),
    "api.match_cache.MatchReader._event_logs": Row(_READERS, "none: {EVENT_BYTES} bytes in all", _LEAST_RECENT),
    "cluster.runtime.ClusterRuntime.close": Row(_SELF, "none: once, at the end", _NEVER),
    "conformance.watchers.watcher.Watcher.pending_replies": Row(
        "one connection of an inspected server",
        "{MAX_PENDING_REPLIES} replies of a connection",
        "further requests are not judged",
    ),
    "moderation.moderation.Moderation.follow": Row(_SELF, _ONE_READ, _NEVER),
    "node.Node._follow_records": Row(_SELF, _ONE_READ, _NEVER),
    "organise.delivery.post": Row(_SELF, "none: one timer for each attempt, {SENDERS} in all", _NEVER),
    "players.accounts.Accounts.refresh": Row(_SELF, _ONE_READ, _NEVER),
    "players.accounts.Accounts.passkey": Row(
        "players who sign in", "one read for each attempt (see `api.context.ApiContext.sign_ins`)", "the read waits"
    ),
    "tournaments.runner.Tournaments._reload": Row(_SELF, "none: one read for each live tournament", "the read waits"),
    "tournaments.runner.Tournaments._refresh": Row(_SELF, _ONE_READ, _NEVER),
    "tournaments.runner.Tournaments._verify": Row(_SELF, "none: one match at a time of a tournament", "the read waits"),
    "api.context.ApiContext.entries": Row(
        _OUTSIDE,
        "{ENTRY_BURST} entries, withdrawals and check-ins of tournaments at once, then {ENTRIES_PER_SECOND} a second",
        "429 with Retry-After",
    ),
    "api.context.ApiContext.claims": Row(
        _OUTSIDE, "{CLAIM_BURST} claims of a name at once, then {CLAIMS_PER_SECOND} a second", "429 with Retry-After"
    ),
    "api.context.ApiContext.claim_attempts": Row(
        _OUTSIDE,
        "{CLAIM_ATTEMPT_BURST} attempts to claim a name at once, then {CLAIM_ATTEMPTS_PER_SECOND} a second",
        "429 with Retry-After",
    ),
    "api.context.ApiContext.sign_ins": Row(
        _OUTSIDE, "{SIGN_IN_BURST} attempts at once, then {SIGN_INS_PER_SECOND} a second", "429 with Retry-After"
    ),
    "api.context.ApiContext.changes": Row(
        "players who change their account",
        "{CHANGE_BURST} changes at once, then {CHANGES_PER_SECOND} a second",
        "429 with Retry-After",
    ),
    "api.context.ApiContext.mail_codes": Row(
        "players who give an e-mail address",
        "{MAIL_CODE_BURST} codes at once, then one in two minutes",
        "429 with Retry-After",
    ),
    "api.guard.Guard._allowances": Row(
        _OUTSIDE, "{REQUEST_BURST} requests at once, then {REQUESTS_PER_SECOND} a second", "429 with Retry-After"
    ),
    "api.reader_threads._Job.resume_signal": Row(
        _SELF,
        "one for each request that is started: {ADDRESS_STARTED_LIMIT} of an address",
        "never: it holds one permit",
    ),
    "api.reader_threads.Readers._queue": Row(
        _OUTSIDE, "{ADDRESS_LIMIT} waiting requests of {WAITING_LIMIT}; addresses take turns", "503 with Retry-After"
    ),
    "api.reader_threads.Readers._internal_jobs": Row(
        _SELF, "none: finished analyses, a few at a time", "never: it is that short"
    ),
    "api.reader_threads.Readers._inbox": Row(
        _SELF, "none: {MAX_RUNNING} requests run at a time", "never: it is that short"
    ),
    "api.reader_threads.Readers._hand_over": Row(
        _SELF, "{ADDRESS_STARTED_LIMIT} of about {STARTED_LIMIT} threads", "the request waits in the queue"
    ),
    "api.studies.Studies.allowances": Row(
        _OUTSIDE, "{ANALYSIS_BURST} analyses at once, then {ANALYSES_PER_SECOND} a second", "429 with Retry-After"
    ),
    "api.studies.Studies.search_allowances": Row(
        _OUTSIDE, "{SEARCH_BURST} searches at once, then {SEARCHES_PER_SECOND} a second", "429 with Retry-After"
    ),
    "api.conversations.Conversations.allowances": Row(
        _OUTSIDE,
        "{CONVERSATION_BURST} conversations at once, then {CONVERSATIONS_PER_SECOND} a second",
        "429 with Retry-After",
    ),
    "course.site.CourseSite.pushes": Row(
        "teams of a course (`course serve`)",
        "of a team: {PUSH_BURST} runs at once, then one a minute",
        "429 with Retry-After",
    ),
    "bots.pool.Pool._queues": Row(
        "players against search bots, hints, analyses",
        "{WAITING_PER_ADDRESS} waiting questions of {WAITING_LIMIT}; addresses take turns, people come before bots",
        "the greedy bot moves; a hint is refused with the code `server-full`",
    ),
    "bots.pool.Pool.ask": Row(_SELF, "none: one thread for each worker process", "the question waits in the queue"),
    "bots.pool._Process._process": Row(
        _SELF, "none: `--thinkers` processes, one fewer than cores", "the question waits in the queue"
    ),
    "bots.pool._Process._replies": Row(_SELF, "none: one reply at a time", "never: the pool asks one"),
    "bots.pool._Process._reader": Row(_SELF, "none: one thread for each worker process", "never"),
    "bots.worker.Worker._questions": Row(_SELF, "none: one question at a time", "never: the pool asks one"),
    "bots.worker.Worker.run": Row(_SELF, "none: one thread in each worker process", "never"),
    "engines.caged_process._start_process": Row(
        _SELF,
        "none: `--thinkers` engines that think and twice as many idle ones, one fewer than cores",
        "the question waits in the queue",
    ),
    "engines.caged_process.Warden._requests": Row(_SELF, "none: one request for each engine that is started", "never"),
    "engines.network_program.NetworkProgram._reading": Row(
        "an organiser: arenas and courses start network programs, servers none", "none: one for each program", "never"
    ),
    "engines.network_program.NetworkProgram.__init__": Row(
        "an organiser: a program whose standard input is a file", "none: one for each program", "never"
    ),
    "engines.process.EngineProcess._lines": Row(
        "an engine that the operator lists",
        "none: `output_bytes` of the engine's limits for one decision",
        "the engine is killed, and the greedy bot moves",
    ),
    "engines.process.EngineProcess.choose": Row(
        "an engine that the operator lists", "none: {KEPT_INFOS} lines for one decision", "the oldest are dropped"
    ),
    "engines.process.EngineProcess._request_answer": Row(
        "an engine that the operator lists", "none: nothing is kept", "never"
    ),
    "engines.service.EngineService._queue": Row(
        "players against bots that the operator lists",
        "{WAITING_PER_ADDRESS} waiting questions of {WAITING_LIMIT}; addresses take turns",
        "the greedy bot moves",
    ),
    "engines.service.EngineService.ask": Row(
        _SELF, "none: one thread for each engine that thinks", "the question waits in the queue"
    ),
    "records.records.Records._writer": Row(
        "players who change their account, matches that end",
        "none: {MAX_WAITING_WRITES} waiting changes; the routes that write are limited by address",
        "503 with Retry-After",
    ),
    "proxy.history._Connection.numbers": Row(
        "one connection of an inspected server", "{CONNECTION_BYTES} bytes of a connection", "the oldest are dropped"
    ),
    "proxy.history._Address.numbers": Row(
        "the connections of one address to an inspected server",
        "an equal share of {TOTAL_BYTES} bytes if all addresses want one",
        "the address that uses most loses its oldest record",
    ),
    "proxy.history.History._records": Row(
        "connections of an inspected server",
        "{TOTAL_BYTES} bytes in all, shared equally",
        "the oldest of the address that uses most are dropped, and counted",
    ),
    "proxy.proxy.End.delayed": Row(
        "a client of a proxy with --faults", "the data that it sends while the faults delay it", "never"
    ),
    "proxy.proxy.Inspection.pieces": Row(
        "one connection to an inspected server",
        "{MAX_CONNECTION_BACKLOG_BYTES} bytes of a connection",
        "the connection is no longer inspected; its bytes are counted as unseen",
    ),
    "proxy.proxy.MonitorQueue._steps": Row(
        "connections to an inspected server",
        "{MAX_BACKLOG_BYTES} bytes in all, shared equally",
        "the address that uses most loses its largest backlogs; their bytes are counted as unseen",
    ),
    "proxy.stored_match.Reconstruction._remaining": Row(
        _SELF,
        "the events of one match that a reader converts",
        "503 when the reader's budget is used up",
    ),
    "cluster.hosting.delegate.Delegate._requests": Row(
        "one guest of another node", "{MAX_REMEMBERED_REQUESTS} requests of a guest", "the oldest is forgotten"
    ),
    "cluster.metrics.ClusterMetrics._outstanding": Row(
        _SELF, "none: {OUTSTANDING_PROBES} probes", "the oldest is forgotten"
    ),
    "cluster.leases.PostgresLeases._queue": Row(_SELF, "none: requests are merged into statements", "never"),
    "cluster.leases.PostgresLeases._thread": Row(_SELF, "none: one thread", "never"),
    "cluster.leases.JournalReader._threads": Row(_SELF, "none: two threads", "the replica waits"),
    "dialects.eriantys_objects.session.ClientSession.read_ahead": Row(
        "one connection", "messages that could not be answered yet", "the socket is not read"
    ),
    "dialects.native.session.LINES": Row(_NATIVE, "of a connection", "`error` with the code `limit`"),
    "dialects.native.session.HINTS": Row(_NATIVE, "of a connection", "`error` with the code `limit`"),
    "dialects.native.session.LISTS": Row(_NATIVE, "of a connection", "`error` with the code `limit`"),
    "dialects.native.session.WHYS": Row(_NATIVE, "of a connection", "`error` with the code `limit`"),
    "net.connection.Connection._backlog": Row(
        _OUTSIDE, "the data of one read of a connection", "the socket is not read until it is handled"
    ),
    "net.deferred.DeferredNotifications.waiting": Row(
        "tables with many guests from one address",
        "{MAX_UNDELIVERED} notifications of one connection; they are delivered in turns of its address",
        "a client with more is dropped as too slow",
    ),
    "net.connections.Connections.message_budget": Row(
        _OUTSIDE, "messages a second of all connections of an address", "the sockets of the address are not read"
    ),
    "net.scheduler.Scheduler.join": Row(
        _OUTSIDE,
        "one line for each address that has work; the next turn is that of the address that has used the least time",
        "the socket is not read until its turn",
    ),
    "organise.delivery.Deliverer._thread": Row(
        _SELF, "none: one thread, which takes the oldest due delivery of each webhook", "never"
    ),
    "organise.delivery.Deliverer._attempt_all": Row(
        "webhooks of organisers",
        "one delivery of a webhook at a time, {SENDERS} in all",
        "the delivery stays in the outbox",
    ),
    "mail.mailer.Mailer._thread_loop": Row(_SELF, "none: one thread", "messages wait"),
    "push.notifier.Notifier._queue": Row(
        "turns of absent players in correspondence matches, and tournament matches that are ready",
        "none: {MAX_WAITING_ALERTS} alerts in all",
        "the alert is dropped and logged; the page shows whose turn it is",
    ),
    "push.notifier.Notifier._threads": Row(_SELF, "none: {SENDER_THREADS} threads", "alerts wait"),
    "store.group_commit.StoreJournal._queue": Row(
        "every table", "none: appends are gathered into one commit at a time", "the table waits; nothing is shown"
    ),
    "store.group_commit.StoreJournal._thread": Row(_SELF, "none: one thread", "never"),
    "table.table.Table._inbox": Row("the guests of a table", "emptied in the same turn of the loop", "never"),
    "talk.fair_queue.FairQueue.offer": Row(
        "its owner: the readers, the pool of bots", "that of its owner", "an item of the longest line gives way"
    ),
    "talk.fair_queue.FairQueue.put_back": Row("its owner", "that of its owner", "never: the item had its place"),
    "talk.talk.Talk.messages": Row(
        _OUTSIDE, "`net.connections.ConnectionLimits.waiting` messages of a connection", "the socket is not read"
    ),
    "talk.talk.Talk._notifications": Row(
        "the table of a connection",
        "notifications of one connection while its script waits",
        "a slow reader is dropped",
    ),
    "tournaments.runner.LiveTournament.inbox": Row(
        "requests to a tournament", "none: {MAX_WAITING_REQUESTS} requests of a tournament", "429"
    ),
    "tournaments.runner.Tournaments._finished": Row(
        _SELF, "none: the {MAX_REMEMBERED} finished tournaments that were read last", "the oldest is dropped"
    ),
}


class Place(NamedTuple):
    """A place in the code where a resource is created."""

    name: str
    kind: str


def places() -> Iterator[Place]:
    """Find every resource of the server."""
    source = ROOT / "src" / "boardwire"
    paths = {path for place in SERVER for path in (source / place).rglob("*.py")}
    paths |= {source / place for place in SERVER if place.endswith(".py")}
    names: dict[str, str] = {}
    for path in sorted(paths):
        if path.name not in CLIENT_FILES and "_built" not in path.parts:
            module = ".".join(path.relative_to(source).with_suffix("").parts)
            for name, kind in made(ast.parse(path.read_text()), ()):
                names[f"{module}.{name}"] = kind
    yield from (Place(name, kind) for name, kind in names.items())


def made(node: ast.AST, scope: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Yield the resources constructed below a node: the name of its attribute or function, and its kind."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from made(child, (*scope, child.name))
            continue
        if isinstance(child, ast.Assign | ast.AnnAssign) and child.value is not None:
            kinds = [kind for call in ast.walk(child.value) if (kind := _kind(call))]
            if kinds:
                yield ".".join(_assigned(child, scope)), kinds[0]
                continue
        if kind := _kind(child):
            yield ".".join(scope), kind
        yield from made(child, scope)


def _assigned(node: ast.Assign | ast.AnnAssign, scope: tuple[str, ...]) -> tuple[str, ...]:
    """Return the name of an assigned resource: class and attribute, the constant, or else the function."""
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    if isinstance(target, ast.Attribute) and scope:
        return scope[0], target.attr
    return scope or (getattr(target, "id", ""),)


def _kind(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    function = node.func.value if isinstance(node.func, ast.Subscript) else node.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return KINDS.get(name, "")


def table() -> Table:
    """Return the current table."""
    lines = ["| Resource | Kind | Filled by | Share of an address | When it is full |", "|---|---|---|---|---|"]
    for name, kind in places():
        values = [_with_values(words, import_module(f"boardwire.{_module(name)}")) for words in ROWS[name]]
        lines.append(f"| `{name}` | {kind} | {' | '.join(values)} |")
    return Table("resources", ROOT / "SECURITY.md", lines)


def _with_values(words: str, module: ModuleType) -> str:
    text = re.sub(r"\{(\w+)\}", lambda placeholder: f"{getattr(module, placeholder[1]):,}", words)
    assert "{" not in text, f"a placeholder is left in {text!r}"
    return text


def _module(name: str) -> str:
    """Return the module part of a place."""
    parts = name.split(".")
    source = ROOT / "src" / "boardwire"
    counts = range(len(parts), 0, -1)
    return next(".".join(parts[:count]) for count in counts if Path(source, *parts[:count]).with_suffix(".py").exists())


if __name__ == "__main__":
    sys.exit(table().main())
