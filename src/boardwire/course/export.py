"""Exports of a course's grades as CSV, JSON and HTML, derived from the scoreboard or the grades alone.

The same stored runs and the same file of the course give the same bytes.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from html import escape
from typing import Final

import msgspec

from boardwire.conformance.server.check import Verdict
from boardwire.course.config import Course, Role, Viewer
from boardwire.course.results import (
    CRITERION_TITLES,
    RunResults,
    ScoreCell,
    ScoreRow,
    ShownFinding,
    grade,
    scoreboard,
)
from boardwire.wire.text import escaped

STYLE: Final = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; color: #1c1c1c;
  background: #fff }
table { border-collapse: collapse; margin: 1rem 0 }
th, td { border: 1px solid #c8c8c8; padding: .35rem .6rem; text-align: left }
td.number { text-align: right; font-variant-numeric: tabular-nums }
.good { background: #dff3e0 } .some { background: #fff4d0 } .bad { background: #fbdcd8 } .none { color: #767676 }
details { margin: .4rem 0 } summary { cursor: pointer } h3 { margin-top: 2rem }
pre { background: #f4f4f4; padding: .6rem; overflow-x: auto; white-space: pre-wrap }
@media (prefers-color-scheme: dark) { body { color: #e8e8e8; background: #181818 } th, td { border-color: #4a4a4a }
  pre { background: #242424 } .good { background: #1f3d22 } .some { background: #453a14 } .bad { background: #4a211c } }
"""

_WORDS: Final = {
    "en": {
        "place": "Place", "team": "Team", "points": "Points", "share": "Share", "level": "Level", "section": "Section",
        "hint": "Hint", "repeat": "To repeat it", "log": "Output", "transcript": "Transcript", "replay": "Replay",
        "against": "with", "because": "because of", "tournament": "Tournament", "won": "won",
        "drawn": "drawn", "lost": "lost", "findings": "Findings", "none": "Nothing was judged yet.",
    },
    "it": {
        "place": "Posto", "team": "Squadra", "points": "Punti", "share": "Quota", "level": "Livello",
        "section": "Sezione", "hint": "Suggerimento", "repeat": "Per ripeterlo", "log": "Output",
        "transcript": "Trascrizione", "replay": "Replay", "against": "con", "because": "a causa di",
        "tournament": "Torneo", "won": "vinte", "drawn": "patte", "lost": "perse", "findings": "Che cosa correggere",
        "none": "Non è ancora stato giudicato nulla.",
    },
}  # fmt: skip
_VERDICTS: Final = {
    "en": {verdict: verdict.value for verdict in Verdict},
    "it": dict(zip(Verdict, ("superato", "fallito", "non esaminato", "saltato"), strict=True)),
}


def csv_text(results: Sequence[RunResults], course: Course) -> str:
    """Return the grades as CSV: one row for each team, with score and points of each criterion."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    columns = [
        part for criterion in course.criteria for part in (f"{criterion.name} score", f"{criterion.name} points")
    ]
    writer.writerow(["team", "title", "points", "of", "share", "level", *columns])
    for row in grade(results, course):
        grades = {criterion_grade.criterion: criterion_grade for criterion_grade in row.criteria}
        cells: list[str] = []
        for criterion in course.criteria:
            entry = grades.get(criterion.name)
            value = None if entry is None else entry.score.value
            cells += ["" if value is None else f"{value:.4f}", "" if entry is None else points_text(entry.points)]
        title = _plain(course.team(row.team).title)
        writer.writerow(
            [row.team, title, points_text(row.points), points_text(row.weight), f"{row.share:.4f}", row.level, *cells]
        )
    return out.getvalue()


def points_text(points: float) -> str:
    """Format points with at most one decimal."""
    return f"{points:.1f}".removesuffix(".0")


def _plain(text: str) -> str:
    """Return a text that a spreadsheet does not interpret as a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


def json_bytes(results: Sequence[RunResults], course: Course, viewer: Viewer) -> bytes:
    """Return the scoreboard as JSON, with grades and findings."""
    return msgspec.json.format(msgspec.json.encode(scoreboard(results, course, viewer))) + b"\n"


def html_page(results: Sequence[RunResults], course: Course, viewer: Viewer, *, style: str = "", base: str = "") -> str:
    """Return the scoreboard as one page. `style` is the URL of the style sheet; without it, the styles are embedded.

    `base` is the path that precedes the names of files, such as transcripts.
    """
    board = scoreboard(results, course, viewer)
    words = _WORDS[course.file.language]
    head = f'<link rel="stylesheet" href="{escape(style)}">' if style else f"<style>{STYLE}</style>"
    titles = [CRITERION_TITLES[name][course.file.language] for name, _ in board.criteria]
    parts = [
        f'<!doctype html><html lang="{course.file.language}"><meta charset="utf-8"><title>{escape(course.name)}</title>'
        f'<meta name="viewport" content="width=device-width">{head}<h1>{escape(course.name)}</h1>'
    ]
    if not board.runs:
        parts.append(f"<p>{words['none']}")
    header = "".join(f"<th>{escape(title)}" for title in (words["place"], words["team"], words["points"],
                                                         words["share"], words["level"], *titles))  # fmt: skip
    parts.append(f"<table><thead><tr>{header}<tbody>")
    parts += [_row(row) for row in board.rows]
    parts.append("</table>")
    if board.tournament:
        names = "".join(f"<th>{escape(words[key])}" for key in ("team", "points", "won", "drawn", "lost"))
        parts.append(f"<h2>{words['tournament']}</h2><table><thead><tr>{names}<tbody>")
        parts += [
            f'<tr><td>{escape(row.title)}<td class="number">{points_text(row.points)}<td class="number">{row.won}'
            f'<td class="number">{row.drawn}<td class="number">{row.lost}' for row in board.tournament
        ]  # fmt: skip
        parts.append("</table>")
    rows_with_findings = [row for row in board.rows if any(cell.findings for cell in row.cells)]
    if rows_with_findings:
        parts.append(f"<h2>{words['findings']}</h2>")
        for row in rows_with_findings:
            parts.append(f"<h3>{escape(row.title)}</h3>")
            for cell in row.cells:
                parts += [_finding(finding, cell, course.file.language, base) for finding in cell.findings]
    return "\n".join(parts) + "\n"


def _row(row: ScoreRow) -> str:
    cells = "".join(_cell(cell) for cell in row.cells)
    return (
        f'<tr><td class="number">{row.place}<td>{escape(row.title)}<td class="number">{points_text(row.points)}'
        f'<td class="number">{row.share:.0%}<td>{escape(row.level)}{cells}'
    )


def _cell(cell: ScoreCell) -> str:
    value = cell.score.value
    if not cell.applies or value is None:
        return '<td class="number none">–'
    kind = "good" if value >= 1 else "some" if value > 0 else "bad"
    numbers = f"{cell.score.passed}/{cell.score.passed + cell.score.failed + cell.score.not_examined}"
    return f'<td class="number {kind}" title="{numbers}">{value:.0%}'


def _finding(finding: ShownFinding, cell: ScoreCell, language: str, base: str) -> str:
    """Return a finding as HTML that can be unfolded."""
    words = _WORDS[language]
    title = CRITERION_TITLES[cell.criterion][language]
    against = f" ({words['against']} {escape(finding.against)})" if finding.against else ""
    because = f"<p>{words['because']} “{escape(finding.because)}”" if finding.because else ""
    verdict = _VERDICTS[language][finding.verdict]
    lines = [f"<details><summary>{escape(title)}: {escape(finding.name)}{against} – {verdict}</summary>"]
    if finding.section:
        lines.append(f"<p>{words['section']}: {escape(finding.section)}")
    if detail := _without_conversation(finding):
        lines.append(f"<pre>{escape(detail)}</pre>")
    lines.append(because)
    lines.append(f"<p>{words['hint']}: {escape(finding.hint[language])}")
    if finding.conversation:
        conversation = "\n".join(f"{line.connection} {line.way} {line.text}" for line in finding.conversation)
        lines.append(f"<pre>{escape(conversation)}</pre>")
    if finding.repeat:
        lines.append(f"<p>{words['repeat']}:<pre>{escape(finding.repeat)}</pre>")
    for key, name in (("transcript", finding.transcript), ("log", finding.log)):
        if name:
            lines.append(f'<p><a href="{escape(base)}{cell.run}/files/{escape(name)}">{words[key]}</a>')
    if finding.replay:
        lines.append(f"<p>{words['replay']}: <code>{escape(finding.replay)}</code>")
    return "".join(lines) + "</details>"


def _without_conversation(finding: ShownFinding) -> str:
    """Return the detail of a finding without the lines of its conversation, which is shown separately."""
    shown = {f"{line.connection} {line.way} {escaped(line.text)}" for line in finding.conversation}
    return "\n".join(line for line in finding.detail.split("\n") if escaped(line) not in shown)


def reasons(results: Sequence[RunResults], course: Course, team: str, part: str) -> list[ShownFinding]:
    """Return the findings of a team whose case or criterion contains `part`, from the runs that count."""
    board = scoreboard(results, course, Viewer(Role.TEAM, team))
    row = next(row for row in board.rows if row.team == team)
    return [
        finding for cell in row.cells for finding in cell.findings if part in finding.name or part in cell.criterion
    ]
