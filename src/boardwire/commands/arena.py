"""`boardwire arena`: play a tournament."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import msgspec
from cyclopts import App

from boardwire.errors import Malformed, Refused
from boardwire.wire.text import escaped

if TYPE_CHECKING:
    from boardwire.arena.config import ArenaTournament
    from boardwire.arena.runner import Progress, Runner
    from boardwire.arena.schedule import Schedule

app = App(name="arena", help="Play a tournament between bots, engines and network programs, and rate them.")

REFRESH_SECONDS: Final = 0.5
"""Interval between updates of the table in a terminal."""
PAGE_SECONDS: Final = 10
"""Interval between updates of the HTML report, and of the page in a browser, while the tournament runs."""
EXAMPLE_FILE: Final = "example.toml"


@app.default
def arena(
    file: Path,
    *,
    data: str | None = None,
    sprt: str | None = None,
    concurrency: int | None = None,
    json: bool = False,
    html: Path | None = None,
    csv: Path | None = None,
    records: Path | None = None,
    link: str = "",
) -> None:
    """Play the tournament that FILE describes; `boardwire arena init` writes an example.

    Every finished match is stored. A tournament that was stopped, by Ctrl-C or a crash, continues with the same
    command.

    Parameters
    ----------
    file
        The tournament, a TOML file.
    data
        Data directory of the matches [FILE's `data`, or FILE with the ending .arena].
    sprt
        Stop as soon as a sequential test of the first two participants decides: elo0=0,elo1=5,alpha=0.05,beta=0.05.
    concurrency
        Matches at the same time [FILE's, or the number of cores].
    json
        Print one JSON object for each match, one for each participant at the end, and as the last line all of these.
    html
        Write a report as one HTML file, also while the tournament runs.
    csv
        Write the table as CSV.
    records
        Write all matches in the games' notation.
    link
        Address of a server with the same data directory, for links to replays in the HTML report.
    """
    from boardwire.arena import config
    from boardwire.arena.runner import Runner, check_players
    from boardwire.competition.sprt import parse_sprt

    tournament = config.load(file, data)
    if sprt is not None:
        config.check_sprt(len(tournament.participants), len(tournament.sides))
        tournament = msgspec.structs.replace(tournament, sprt=parse_sprt(sprt))
    if concurrency is not None:
        if not 1 <= concurrency <= config.MAX_CONCURRENCY:
            raise Malformed(f"--concurrency {concurrency}: must be from 1 to {config.MAX_CONCURRENCY}")
        tournament = msgspec.structs.replace(tournament, concurrency=concurrency)
    for path in (html, csv, records):
        if path is not None and not path.absolute().parent.is_dir():
            raise Malformed(f"cannot write {path}: the directory {path.absolute().parent} does not exist")
    check_players(tournament)
    page_writer = _PageWriter(tournament, html, link)
    show = _json_progress() if json else _terminal_progress(tournament) if sys.stdout.isatty() else _plain_progress()
    with Runner(tournament) as runner:
        if runner.resumed and not json:
            count = "1 match is" if runner.resumed == 1 else f"{runner.resumed} matches are"
            print(f"{count} already in {tournament.data}", flush=True)
        with show as draw, _stop_at_signals(runner) as signals:

            def report(progress: Progress) -> None:
                draw(progress)
                page_writer.update(progress.schedule)

            is_over = runner.run(report)
        _write_results(tournament, runner.schedule, json=json, csv=csv, records=records)
        page_writer.write(runner.schedule, is_final=True)
    if not is_over:
        if not json:
            print(f"stopped; the same command continues with the rest ({tournament.data})")
        sys.exit(130 if signal.SIGINT in signals else 0)


@app.command
def init(file: Path = Path("arena.toml")) -> None:
    """Write an example tournament file that explains every key in comments, ready to run.

    Parameters
    ----------
    file
        The file to write, which must not exist.
    """
    text = (files("boardwire.arena") / EXAMPLE_FILE).read_text("utf-8")
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(text)
    except FileExistsError:
        raise Refused(f"{file} already exists; choose another name") from None
    print(f"wrote {file}; run it with: boardwire arena {file}")


# --- progress -------------------------------------------------------------------------------------------------------

Draw = Callable[["Progress"], None]


@contextmanager
def _json_progress() -> Iterator[Draw]:
    """Yield a function that prints a JSON object for each result."""

    def draw(progress: Progress) -> None:
        for result in progress.new:
            print(msgspec.json.encode(msgspec.to_builtins(result)).decode(), flush=True)

    yield draw


@contextmanager
def _plain_progress() -> Iterator[Draw]:
    """Yield a function that prints a line for each result."""
    from boardwire.arena.report import match_line

    def draw(progress: Progress) -> None:
        played, total = progress.schedule.played, len(progress.schedule.jobs)
        for count, result in enumerate(progress.new, played - len(progress.new) + 1):
            print(escaped(match_line(result, count, total)), flush=True)

    yield draw


@contextmanager
def _terminal_progress(tournament: ArenaTournament) -> Iterator[Draw]:
    """Yield a function that redraws the table of results, at most once every `REFRESH_SECONDS`."""
    from rich.console import Console
    from rich.live import Live

    from boardwire import output
    from boardwire.arena.report import comparison_lines, rich_table
    from boardwire.arena.results import table_of

    console = Console(file=output.plain(sys.stdout))
    start, last_draw, earlier_matches = monotonic(), 0.0, 0

    def draw(progress: Progress) -> None:
        nonlocal last_draw, earlier_matches
        schedule = progress.schedule
        if not progress.new:
            earlier_matches = schedule.played
        if progress.new and not schedule.is_over and monotonic() - last_draw < REFRESH_SECONDS:
            return
        table = table_of(schedule.results, tournament.names, tournament.anchor)
        rate = (schedule.played - earlier_matches) / max(0.001, monotonic() - start)
        caption = [f"{schedule.played} of {len(schedule.jobs)} matches, {rate:.1f} a second"]
        caption += [line for line in comparison_lines(table, tournament.sprt, schedule.decision) if line]
        caption += [" - ".join(job.names) for job in progress.running[:4]]
        live.update(rich_table(table, tournament.name, escaped("\n".join(caption), "\n")), refresh=True)
        last_draw = monotonic()

    with Live(console=console, auto_refresh=False, transient=True) as live:
        yield draw


@contextmanager
def _stop_at_signals(runner: Runner) -> Iterator[list[int]]:
    """Stop the tournament at SIGINT and SIGTERM; a second signal has its usual effect."""
    numbers: list[int] = []

    def on_signal(number: int, frame: Any) -> None:
        numbers.append(number)
        runner.stop()
        for other, handler in handlers.items():
            signal.signal(other, handler)

    handlers = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield numbers
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


# --- reports --------------------------------------------------------------------------------------------------------


class _PageWriter:
    """Writes the HTML report while the tournament runs, and at its end."""

    def __init__(self, tournament: ArenaTournament, path: Path | None, link: str) -> None:
        self._tournament = tournament
        self._path = path
        self._link = link
        self._written_at = 0.0

    def update(self, schedule: Schedule) -> None:
        """Write the page if the last one is older than `PAGE_SECONDS`."""
        if self._path is not None and monotonic() - self._written_at > PAGE_SECONDS:
            self.write(schedule, is_final=False)

    def write(self, schedule: Schedule, *, is_final: bool) -> None:
        """Write the page; only the final one has boards."""
        from boardwire.arena.report import html_page
        from boardwire.arena.results import table_of
        from boardwire.store.archive import Archive

        if self._path is None:
            return
        tournament = self._tournament
        results = schedule.results
        state = "complete" if schedule.is_over else "running" if not is_final else "stopped"
        facts = {
            "game": tournament.game, "format": str(tournament.format),
            "matches": f"{len(results)} of {len(schedule.jobs)}", "seed": str(tournament.seed), "state": state,
        }  # fmt: skip
        if schedule.order:
            facts["order"] = ", ".join(schedule.order)
        with Archive(tournament.data) as archive:
            text = html_page(
                table_of(results, tournament.names, tournament.anchor), results, title=tournament.name, facts=facts,
                events_of=archive.events if is_final else None, link=self._link, sprt=tournament.sprt,
                decision=schedule.decision, refresh_seconds=0 if is_final else PAGE_SECONDS,
            )  # fmt: skip
        temporary = self._path.with_name(f".{self._path.name}.new")
        temporary.write_text(text, "utf-8")
        temporary.replace(self._path)
        self._written_at = monotonic()


def _write_results(
    tournament: ArenaTournament, schedule: Schedule, *, json: bool, csv: Path | None, records: Path | None
) -> None:
    """Print the table and write the files."""
    from boardwire.arena.report import csv_text, json_rows, record_text, text_lines
    from boardwire.arena.results import table_of
    from boardwire.store.archive import Archive

    table = table_of(schedule.results, tournament.names, tournament.anchor)
    if json:
        rows = json_rows(table)
        for row in rows:
            print(msgspec.json.encode(row).decode())
        print(msgspec.json.encode(rows).decode(), flush=True)
    else:
        for line in text_lines(table, sprt=tournament.sprt, decision=schedule.decision):
            print(escaped(line))
        if schedule.order:
            places = ", ".join(f"{place} {name}" for place, name in enumerate(schedule.order, 1))
            print()
            print(escaped(f"{tournament.format}: {places}"))
    if csv is not None:
        csv.write_text(csv_text(table), "utf-8")
    if records is not None:
        with Archive(tournament.data) as archive, records.open("w", encoding="utf-8") as out:
            out.writelines(record_text(archive.events(result.match) for result in schedule.results))
