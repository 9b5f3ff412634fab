"""What the page about running a server says is so: settings, ports, routes, limits, metrics, the back-up."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from boardwire import config, dialects
from boardwire.api import body, context, guard, import_export, match_file, matches, reader_threads, routes, studies
from boardwire.api.metrics import METRICS
from boardwire.config import Settings
from boardwire.dialects.native import session as native
from boardwire.net import connection, http, rate_limit, scheduler
from boardwire.store.archive import DATABASE_FILE, Archive
from boardwire.store.sqlite import SqliteJournal
from boardwire.table import decide
from boardwire.table.events import Opened
from boardwire.table.policy import Policy
from scripts import settings

from ..store.harness import Harness as Owner

PAGE = (Path(__file__).parents[2] / "docs" / "operate.md").read_text()


def rows(section: str) -> list[list[str]]:
    """Return the rows of the table in a section."""
    text = PAGE.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" |")] for line in lines[2:]]


def test_the_page_has_the_settings_as_declared() -> None:
    assert settings.table().written(PAGE) == PAGE, "run `make settings`"
    assert ["`--idle`", "`BOARDWIRE_IDLE`", "`idle`", "`3600`"] in [row[:4] for row in rows("Settings")]
    assert all(row[-1].endswith(".") for row in rows("Settings"))


def test_a_setting_that_changes_makes_the_page_out_of_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(config.SETTINGS, "idle", config.SETTINGS["idle"]._replace(default=1.0))
    assert settings.table().written(PAGE) != PAGE


def test_the_page_has_every_dialect_with_its_port() -> None:
    told = {name: int(port) for name, port in rows("Ports")}
    assert told == {name: dialects.dialect(name).port for name in (*dialects.DEFAULT_DIALECTS, "native")}


def test_the_page_has_every_route() -> None:
    told = [request.strip("`") for request, _ in rows("The HTTP interface")]
    assert told == [f"{endpoint.method} {endpoint.path}" for endpoint in routes.ROUTES]


def test_the_page_has_every_metric_with_its_meaning() -> None:
    told = {name.strip("`"): text for name, text in rows("Metrics")}
    assert told == {name: f"{text[0].upper()}{text[1:]}." for name, text in METRICS.items()}


def test_the_limits_of_the_page_hold() -> None:
    def bounds(kind: type[msgspec.Struct]) -> int:
        return int(msgspec.json.schema(kind)["$defs"][kind.__name__]["properties"]["limit"]["maximum"])

    assert dict(rows("Limits")) == {
        "HTTP requests from one address": f"{guard.REQUEST_BURST} at once, "
        f"then {guard.REQUESTS_PER_SECOND:.0f} a second",
        "imports from one address": f"{context.IMPORT_BURST} at once, then one every two seconds",
        "analyses requested by one address": f"{studies.ANALYSIS_BURST} at once, then one every "
        f"{1 / studies.ANALYSES_PER_SECOND:.0f} seconds; {studies.MAX_ANALYSES} run at a time",
        "position searches requested by one address": f"{studies.SEARCH_BURST} at once, then "
        f"{studies.SEARCHES_PER_SECOND:g} a second; {studies.MAX_SEARCHES_PER_ADDRESS} wait or run at a time",
        "an imported match": f"{import_export.BODY_LIMIT // 2**20} MB, {match_file.STEP_LIMIT} steps, "
        f"{body.BODY_SECONDS:.0f} seconds to arrive",
        "the head of a request": f"{http.MAX_HEAD_BYTES // 1024} KB, {http.HEAD_SECONDS:.0f} seconds to arrive",
        "an idle HTTP connection": f"{http.KEEP_ALIVE_SECONDS:.0f} seconds",
        "reading a response": f"{http.READ_SECONDS:.0f} seconds without progress",
        "requests that wait for a reader thread": f"{reader_threads.ADDRESS_LIMIT} from one address, "
        f"{reader_threads.WAITING_LIMIT} in all; further ones get 503",
        "processor time of one request": f"{reader_threads.BUDGET_SECONDS:.0f} seconds; then it gets 503, and so does "
        f"the same request for {reader_threads.OVER_BUDGET_SECONDS:.0f} seconds",
        "matches in a page of a list": str(bounds(matches.MatchesQuery)),
        "events or steps in a part of a match": str(bounds(matches.PartQuery)),
        "tables in a list": str(routes.TABLE_LIMIT),
        "chat at one table": f"{decide.TALK_LIMIT} lines in a minute, {decide.TALK_LIMIT // 2} of them by spectators",
        "one match": f"{decide.LENGTH_LIMIT:,} events, chat and undone moves included; "
        "after that it accepts only moves",
        "returns to one seat": str(decide.RETURN_LIMIT),
        "messages handled in the read that brought them": f"{connection.INLINE_MESSAGES}, "
        f"in {connection.INLINE_BYTES} bytes",
        "queued work in one iteration of the event loop": f"{scheduler.TURN_SECONDS * 1000:g} ms, "
        f"{scheduler.SLICE_SECONDS * 1000:g} ms for a connection at a time",
        "messages a second from one address": f"{rate_limit.FULL_RATE_CONNECTIONS} times those of one connection",
    }
    assert context.IMPORTS_PER_SECOND == 0.5
    assert f"longer than {native.PING_SECONDS:.0f} seconds" in PAGE


def opened(name: str) -> Opened:
    return Opened(1.0, name, "tris@1", 2, {}, Policy())


@pytest.mark.parametrize("running", [True, False], ids=["while it runs", "while it does not"])
def test_a_back_up_can_be_made_and_restored(tmp_path: Path, running: bool) -> None:
    (script,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    data, backups = tmp_path / "data", tmp_path / "backups"
    owner = Owner()
    journal = SqliteJournal(data, owner.post)
    journal.append("m1", 1, [opened("m1")], lambda stored: None)
    owner.run(journal)
    if not running:
        journal.close()
    for old in range(14):
        (backups / f"2020-01-{old + 10}").mkdir(parents=True)
    for _ in range(2):
        subprocess.run([sys.executable, "-c", script, data, backups], check=True)
    made = sorted(backups.iterdir())
    assert [path.name for path in made][:2] == ["2020-01-12", "2020-01-13"], "the oldest make room"
    assert len(made) == 14
    copy = made[-1]
    if running:
        journal.close()
    with Archive(copy) as archive:
        assert archive.names() == ["m1"]
    for left in data.glob(f"{DATABASE_FILE}*"):
        left.unlink()
    (copy / DATABASE_FILE).rename(data / DATABASE_FILE)
    restored = SqliteJournal(data, lambda call, *arguments: None)
    assert list(restored.unfinished()) == ["m1"]
    restored.append("m2", 1, [opened("m2")], lambda stored: None)
    restored.close()
    assert [name for _, name in restored.newest(None, 9)] == ["m2", "m1"]


def test_the_toml_and_the_environment_of_the_page_are_settings(tmp_path: Path) -> None:
    toml, proxied = re.findall(r"^```toml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    file = tmp_path / "boardwire.toml"
    file.write_text(proxied)
    assert config.load({}, {}, file) == Settings(public_host=("games.example",), trusted_proxy=("127.0.0.1",))
    file.write_text(toml)
    listen = ("tris-lines=7002", "santorini-lobby=7004")
    both = Settings(host="0.0.0.0", data="/var/lib/boardwire", listen=listen, fill=10.0)
    assert config.load({}, {}, file) == both
    shell = next(
        block for block in re.findall(r"^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL) if "LISTEN" in block
    )
    environment = dict(line.split("=", 1) for line in shell.replace('"', "").splitlines())
    assert config.load({}, environment) == Settings(listen=listen, own_tables=True, fill=10.0)


def test_a_sentence_has_its_own_line() -> None:
    blocks = re.sub(r"^```.*?^```", "", PAGE, flags=re.MULTILINE | re.DOTALL)
    prose = [line for line in blocks.splitlines() if line and line[0] not in "#|"]
    assert [line for line in prose if re.search(r"[.?!] [A-Z]", line)] == []
