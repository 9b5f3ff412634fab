"""Reports of a tournament: text, a live table, JSON, CSV, HTML and records of matches.

- All reports are formatted from `Standings` and results; none computes a figure.
- The HTML page is one file without scripts or external resources. It has boards and moves of up to `MAX_BOARDS`
  matches; the others, and animated replays, are links to a server that has the data directory (`--link`).
- Every text is escaped, although names come from the user's file and the output of engines is never shown here.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Final

import msgspec

from boardwire.arena.results import Result, Standing, Standings, sprt_line
from boardwire.competition.sprt import Decision, Sprt
from boardwire.errors import BoardwireError
from boardwire.table.events import Event

if TYPE_CHECKING:
    from rich.table import Table as RichTable

MAX_BOARDS: Final = 200
"""Matches with a board and moves in an HTML report: 200 of Santorini take about 1 MB."""
MAX_CROSS_NAMES: Final = 12
"""Participants in a cross table in a terminal; more do not fit its width."""

EventsOf = Callable[[str], Sequence[Event]]


def format_elo(value: float, sign: bool = True) -> str:
    """Format an Elo figure."""
    if math.isinf(value):
        return ("+∞" if value > 0 else "−∞") if sign else "∞"
    return f"{value:+.0f}" if sign else f"{value:.0f}"


def _losses(row: Standing) -> str:
    return ", ".join(f"{count} {cause}" for cause, count in sorted(row.losses.items()))


# --- text -----------------------------------------------------------------------------------------------------------


def text_lines(table: Standings, *, sprt: Sprt | None = None, decision: Decision = Decision.CONTINUE) -> list[str]:
    """Return the standings, the cross table and the comparison of two participants as lines of text."""
    width = max([len("participant"), *(len(row.name) for row in table.standings)])
    head = f"{'participant':<{width}}{'played':>8}{'won':>6}{'drawn':>7}{'lost':>6}{'points':>8}{'Elo':>7}{'±':>6}"
    lines = [head + ("  forfeits" if any(row.losses for row in table.standings) else "")]
    for row in table.standings:
        line = f"{row.name:<{width}}{row.played:>8}{row.won:>6}{row.drawn:>7}{row.lost:>6}{row.points:>8g}"
        lines.append(f"{line}{format_elo(row.elo):>7}{format_elo(row.error, False):>6}  {_losses(row)}".rstrip())
    if 2 < len(table.standings) <= MAX_CROSS_NAMES:
        lines += ["", *_cross_lines(table, width)]
    lines += comparison_lines(table, sprt, decision)
    return lines


def _cross_lines(table: Standings, width: int) -> list[str]:
    names = [row.name for row in table.standings]
    lines = [" " * (width + 3) + "".join(f"{place:>9}" for place in range(1, len(names) + 1))]
    for place, name in enumerate(names, 1):
        cells = [_cell(table, name, other) for other in names]
        lines.append((f"{place:>2} {name:<{width}}" + "".join(f"{cell:>9}" for cell in cells)).rstrip())
    return lines


def _cell(table: Standings, name: str, other: str) -> str:
    tally = table.cross.get((name, other))
    if name == other:
        return "·"
    return f"{tally.points:g}/{tally.played:g}" if tally else ""


def comparison_lines(table: Standings, sprt: Sprt | None, decision: Decision) -> list[str]:
    """Return the comparison of two participants as lines of text, if there are exactly two."""
    lines = []
    if table.difference is not None:
        first, second = table.compared
        elo, error, los = table.difference
        lines += ["", f"{first} − {second}: {format_elo(elo)} Elo ± {format_elo(error, False)}, LOS {los:.1%}"]
        if table.pairs:
            lines.append(f"pairs with 0, ½, 1, 1½, 2 points: {', '.join(map(str, table.pairs))}")
    if sprt is not None:
        suffix = "" if decision is Decision.CONTINUE else f": {decision}"
        lines.append(f"{sprt_line(sprt, table.pairs)}{suffix}")
    return lines


def match_line(result: Result, played: int, total: int) -> str:
    """Return a finished match as one line."""
    sides = " - ".join(" & ".join(side) for side in result.names)
    points = " - ".join(f"{points:g}" if points in (0, 1) else f"{points:.2g}" for points in result.points)
    faults = "".join(f", {name} forfeits ({cause})" for name, cause in result.faults)
    return f"{played}/{total}  {sides}  {points}  ({result.termination}{faults})"


# --- a terminal -----------------------------------------------------------------------------------------------------


def rich_table(table: Standings, title: str, caption: str) -> RichTable:
    """Return the standings as a table for a terminal that is updated in place."""
    from rich.table import Table as RichTable
    from rich.text import Text

    view = RichTable(title=Text(title), caption=Text(caption), title_justify="left", caption_justify="left")
    view.add_column("participant")
    for name in ("played", "won", "drawn", "lost", "points", "Elo", "±"):
        view.add_column(name, justify="right")
    view.add_column("forfeits")
    for row in table.standings:
        elo, error = format_elo(row.elo), format_elo(row.error, False)
        cells = (row.played, row.won, row.drawn, row.lost, f"{row.points:g}", elo, error)
        view.add_row(Text(row.name), *map(str, cells), Text(_losses(row)))
    return view


# --- files ----------------------------------------------------------------------------------------------------------


def json_rows(table: Standings) -> list[dict[str, Any]]:
    """Return one object per participant, best first."""
    rows: list[dict[str, Any]] = []
    for row in table.standings:
        fields = {**msgspec.to_builtins(row), "losses": row.losses}
        fields |= {key: round(fields[key], 4) for key in ("points", "elo", "error")}
        rows.append(fields)
    return rows


def csv_text(table: Standings) -> str:
    """Return the standings and the cross table as CSV, one row per participant."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [row.name for row in table.standings]
    causes = sorted({cause for row in table.standings for cause in row.losses})
    writer.writerow(
        ["name", "played", "won", "drawn", "lost", "points", "elo", "error"]
        + [f"forfeits {cause}" for cause in causes] + [f"points against {_formula_safe(name)}" for name in names]
    )  # fmt: skip
    for row in table.standings:
        against = [tally.points if (tally := table.cross.get((row.name, name))) else "" for name in names]
        figures = (row.played, row.won, row.drawn, row.lost, row.points, round(row.elo, 4), round(row.error, 4))
        forfeits = [row.losses.get(cause, 0) for cause in causes]
        writer.writerow([_formula_safe(row.name), *figures, *forfeits, *against])
    return out.getvalue()


def _formula_safe(text: str) -> str:
    """Return a name in a form that a spreadsheet does not interpret as a formula."""
    return f"'{text}" if text[:1] in "=+-@" else text


def record_text(matches: Iterable[Sequence[Event]]) -> Iterable[str]:
    """Yield each match in the text format of its game, with a header like PGN's."""
    from boardwire.api.match_file import record_of, write_text

    for events in matches:
        try:
            record = record_of(events)
            text = write_text(record).decode()
        except BoardwireError:
            continue
        won = record.outcome.winners if record.outcome is not None else ()
        facts = {
            "Match": record.id,
            "Game": f"{record.game}@{record.rules}",
            "Date": f"{record.opened:%Y.%m.%d}",
            **{f"Player{seat}": player.name for seat, player in enumerate(record.players, 1)},
            "Result": " ".join(str(int(seat in won)) for seat in range(len(record.players))) if won else "draw",
            "Termination": record.outcome.termination if record.outcome is not None else "",
        }
        head = "\n".join(f"[{key} {msgspec.json.encode(value).decode()}]" for key, value in facts.items())
        yield f"{head}\n\n{text.rstrip()}\n\n"


# --- HTML -----------------------------------------------------------------------------------------------------------

_STYLE: Final = """
:root{color-scheme:light dark;font:16px/1.45 system-ui,sans-serif}body{max-width:72rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;margin:1rem 0}th,td{padding:.3rem .7rem;border-bottom:1px solid #8884;text-align:right}
th:first-child,td:first-child,.left{text-align:left}th{font-weight:600}caption{text-align:left;color:#888}
.bar{position:relative;min-width:14rem;height:1rem}.bar i{position:absolute;top:.4rem;height:.2rem;background:#8888}
.bar b{position:absolute;top:.1rem;width:.35rem;height:.8rem;background:#3a7bd5}
pre{overflow-x:auto;background:#8881;padding:.8rem;font:13px/1.25 ui-monospace,monospace}
details{margin:.2rem 0}summary{cursor:pointer}.scroll{overflow-x:auto}
"""


def html_page(
    table: Standings,
    results: Sequence[Result],
    *,
    title: str,
    facts: Mapping[str, str],
    events_of: EventsOf | None = None,
    link: str = "",
    sprt: Sprt | None = None,
    decision: Decision = Decision.CONTINUE,
    refresh_seconds: int = 0,
) -> str:
    """Return a report as one HTML page; `link` is the address of a server that shows replays."""
    reload = f'<meta http-equiv="refresh" content="{refresh_seconds}">' if refresh_seconds else ""
    parts = [
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">{reload}',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body><h1>{escape(title)}</h1>",
        "<p>" + " · ".join(f"{escape(key)}: {escape(value)}" for key, value in facts.items()) + "</p>",
        _standings_html(table),
        "".join(f"<p>{escape(line)}</p>" for line in comparison_lines(table, sprt, decision) if line),
        _cross_html(table),
        _ends_html(table),
        _matches_html(results, events_of, link),
        "</body></html>\n",
    ]
    return "\n".join(part for part in parts if part)


def _row(cells: Iterable[str], tag: str = "td") -> str:
    return "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in cells) + "</tr>"


def _standings_html(table: Standings) -> str:
    """Return the standings as an HTML table with a bar for each confidence interval."""
    low = min((row.elo - row.error for row in table.standings), default=0.0)
    high = max((row.elo + row.error for row in table.standings), default=0.0)
    span = (high - low) or 1.0

    def place(value: float) -> float:
        return round(100 * (value - low) / span, 2)

    rows = []
    for row in table.standings:
        left, right = place(row.elo - row.error), place(row.elo + row.error)
        bar = (
            f'<div class="bar" role="img" aria-label="Elo {row.elo:+.0f}, error {row.error:.0f}">'
            f'<i style="left:{left}%;width:{round(right - left, 2)}%"></i>'
            f'<b style="left:calc({place(row.elo)}% - .17rem)"></b></div>'
        )
        elo, error = format_elo(row.elo), format_elo(row.error, False)
        cells = (row.played, row.won, row.drawn, row.lost, f"{row.points:g}", elo, error)
        rows.append(_row([escape(row.name), *map(str, cells), bar, escape(_losses(row))]))
    head = _row(["participant", "played", "won", "drawn", "lost", "points", "Elo", "±", "", "forfeits"], "th")
    return (
        '<div class="scroll"><table><caption>Elo with 95 % confidence intervals</caption>'
        f"<thead>{head}</thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _cross_html(table: Standings) -> str:
    names = [row.name for row in table.standings]
    rows = [_row([escape(name), *(_cross_cell(table, name, other) for other in names)]) for name in names]
    head = _row(["", *map(escape, names)], "th")
    return (
        '<h2>Cross table</h2><div class="scroll"><table><caption>won-drawn-lost of the row against the column</caption>'
        f"<thead>{head}</thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _cross_cell(table: Standings, name: str, other: str) -> str:
    tally = table.cross.get((name, other))
    return "·" if name == other else f"{tally.won:g}-{tally.drawn:g}-{tally.lost:g}" if tally else ""


def _ends_html(table: Standings) -> str:
    ends = ", ".join(f"{escape(end)} {count}" for end, count in table.terminations.items())
    return f"<p>How the {table.matches} matches ended: {ends}.</p>" if ends else ""


def _matches_html(results: Sequence[Result], events_of: EventsOf | None, link: str) -> str:
    """Return the list of matches as HTML, some of them with board and moves."""
    boards = {result.match for result in sorted(results, key=lambda result: not result.faults)[:MAX_BOARDS]}
    lines = ["<h2>Matches</h2>"]
    if events_of is not None and len(results) > len(boards):
        lines.append(f"<p>Boards and moves of {len(boards)} of {len(results)} matches, those with forfeits first.</p>")
    for count, result in enumerate(results, 1):
        text = escape(match_line(result, count, len(results)))
        url = f"{link.rstrip('/')}/#/replay/{result.match}"
        anchor = f' <a href="{escape(url)}">replay</a>' if link else ""
        if events_of is not None and result.match in boards:
            lines.append(f"<details><summary>{text}{anchor}</summary>{_match_html(events_of(result.match))}</details>")
        else:
            lines.append(f"<div>{text}{anchor}</div>")
    return "\n".join(lines)


def _match_html(events: Sequence[Event]) -> str:
    records = list(record_text([events]))
    return "".join(f"<pre>{escape(text)}</pre>" for text in (final_board(events), *records) if text)


def final_board(events: Sequence[Event]) -> str:
    """Return the last position of a match as drawn for a terminal without colours."""
    from boardwire.dialects.dialect import Players
    from boardwire.table.match import fold
    from boardwire.terminal.colours import Paint
    from boardwire.terminal.screens import screen

    match = fold(events)
    game = match.setting.game
    names = tuple(player.name if player is not None else "" for player in match.players)
    return screen(game.name).draw(game.view(match.position, None), None, Players(names), Paint(False))
