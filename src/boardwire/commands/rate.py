"""`boardwire rate`: rate the players of stored matches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from boardwire.commands.arguments import find_store
from boardwire.errors import BoardwireError, Malformed, Refused
from boardwire.wire.text import escaped

if TYPE_CHECKING:
    from boardwire.arena.results import Result
    from boardwire.table.events import Event


def rate(
    *files: Path,
    data: str | None = None,
    store: str | None = None,
    game: str = "",
    anchor: str = "",
    sprt: str | None = None,
    json: bool = False,
    csv: Path | None = None,
    html: Path | None = None,
    link: str = "",
    players: bool = False,
) -> None:
    """Rate the players of stored matches as `boardwire arena` does.

    Without FILE, the matches of a data directory are rated; players are identified by name.
    With --players, the ratings of a server's accounts are computed anew from all its rated matches.

    Parameters
    ----------
    files
        Exported matches (JSON records), or data directories.
    data
        Data directory of a server or an arena [the user's data directory].
    store
        Address of the server's database, instead of a directory.
    game
        Rate only the matches of this game.
    anchor
        The player with 0 Elo [the average is 0].
    sprt
        Also print the state of a sequential test, if there are two players: elo0=0,elo1=5.
    json
        Print one JSON object for each player, and as the last line all of them.
    csv
        Write the table as CSV.
    html
        Write a report as one HTML file.
    link
        Address of a server with the same data, for links to replays in the HTML report.
    players
        Compute the ratings of the server's accounts anew, and store them.
    """
    if players:
        if files or game or anchor or sprt or csv or html:
            raise Malformed("--players allows only --data, --store and --json; remove all others")
        _rate_accounts(find_store(data, store), json=json)
        return
    from boardwire.arena.report import csv_text, html_page, json_rows, text_lines
    from boardwire.arena.results import table_of
    from boardwire.commands.arguments import check_game
    from boardwire.competition.sprt import Decision, parse_sprt

    if game:
        check_game(game)
    if files and (data is not None or store is not None):
        raise Malformed("files, --data and --store exclude each other; give one of them")
    test = parse_sprt(sprt) if sprt is not None else None
    results, events_by_match = _results_of(files or (find_store(data, store),), game, keep_events=html is not None)
    table = table_of(results, anchor=anchor)
    if anchor and anchor not in [row.name for row in table.standings]:
        raise Malformed(f"--anchor {anchor!r}: no rated match has a player with this name")
    decision = test.decide(table.pairs or (0,) * 5) if test is not None else Decision.CONTINUE
    if json:
        rows = json_rows(table)
        for row in rows:
            print(msgspec.json.encode(row).decode())
        print(msgspec.json.encode(rows).decode())
    else:
        for line in text_lines(table, sprt=test, decision=decision):
            print(escaped(line))
    if csv is not None:
        csv.write_text(csv_text(table), "utf-8")
    if html is not None:
        facts = {"matches": str(len(results))}
        text = html_page(
            table, results, title="Ratings", facts=facts, events_of=events_by_match.__getitem__, link=link, sprt=test,
            decision=decision,
        )  # fmt: skip
        html.write_text(text, "utf-8")


def _results_of(
    places: Sequence[Path | str], game: str, *, keep_events: bool
) -> tuple[list[Result], dict[str, Sequence[Event]]]:
    """Return the results of all matches, or of those of a game, and the events of these matches if requested."""
    from boardwire.arena.results import read_results

    events_by_match: dict[str, Sequence[Event]] = {}
    results: list[Result] = []
    for events in _matches_in(places):
        for result in read_results([events]):
            if game in ("", result.game):
                results.append(result)
                if keep_events:
                    events_by_match[result.match] = events
    if not results:
        raise Refused("no finished match was found, so there is nothing to rate")
    # an arena's matches in the order of its schedule
    results.sort(key=lambda result: result.match if result.set else "")
    return results, events_by_match


def _rate_accounts(place: Path | str, *, json: bool) -> None:
    """Compute the ratings of accounts anew from the journal."""
    from boardwire.commands.journals import open_archive
    from boardwire.players.accounts import Accounts
    from boardwire.players.ratings import all_matches, recompute
    from boardwire.records.backends import durable_backend

    with open_archive(place) as archive:
        records = durable_backend(place).records()
        try:
            accounts = Accounts(records)
            count = recompute(records, all_matches(archive.names(), archive.events))
            if json:
                print(msgspec.json.encode({"matches": count, "accounts": len(accounts.directory)}).decode())
            else:
                print(f"{count} rated matches of {len(accounts.directory)} accounts")
        finally:
            records.close()


def _matches_in(places: Sequence[Path | str]) -> Iterator[Sequence[Event]]:
    """Yield the events of all matches in files, directories and databases."""
    from boardwire.commands.journals import open_archive
    from boardwire.players.pseudonyms import load_deleted, mask_deleted

    for place in places:
        if isinstance(place, Path) and place.is_file():
            yield _read_record(place)
            continue
        is_deleted = load_deleted(place)
        with open_archive(place) as archive:
            for name in archive.names():
                try:
                    yield mask_deleted(archive.events(name), is_deleted)
                except BoardwireError:
                    continue  # `boardwire matches` lists the matches that cannot be read


def _read_record(path: Path) -> Sequence[Event]:
    """Return the events of an exported match; raise `Malformed` if the file has none."""
    from boardwire.api.match_file import decode, events_of

    try:
        data = path.read_bytes()
    except OSError as error:
        raise Malformed(f"cannot read {path}: {error.strerror}") from None
    try:
        return events_of(decode(data))
    except (msgspec.DecodeError, UnicodeDecodeError, BoardwireError) as error:
        raise Malformed(f"{path} is not an exported match: {error}") from None
