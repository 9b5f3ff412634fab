"""Reports of an examination: HTML, JUnit XML, JSON or Markdown.

- Results are in the order of the specification, each with its section.
- The HTML page is self-contained: verdicts by section and, for each failure, the reason, the conversation as a
  sequence diagram and as text, and the command that repeats it.
- An arrow of a diagram shows the name of its message; the text has the whole message.
- A breach of a ruling is marked, and a repeated finding has its count.
- Reports are in English or Italian, as are the findings of monitors (`language.py`).
"""

from __future__ import annotations

import re
import shlex
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import msgspec

from boardwire import __version__
from boardwire.conformance.finding import Finding as Breach
from boardwire.conformance.finding import Kind, Side
from boardwire.conformance.monitor import Closed, MessageRecord, Record
from boardwire.conformance.server.check import CheckResult, ConversationLine, Verdict
from boardwire.errors import ConfigError, Malformed, Unavailable
from boardwire.wire.text import escaped

EXCERPT_LINES: Final = 20
"""Lines of the conversation that a text report shows for each finding."""

MAX_LINE_LENGTH: Final = 400
"""Longest line of an excerpt."""

DIAGRAM_LINES: Final = 60
"""Lines of the conversation in a diagram; the text below the diagram has all."""

MAX_FINDINGS: Final = 1000
"""Limit of the kinds of findings in the report of a proxy."""

_FIRST_LANE_X: Final = 90
_LANE_PIXELS: Final = 230
"""Pixels between two lanes of a diagram."""
_ROW_PIXELS: Final = 26
_VISIBLE_ARROWS: Final = 18
"""Arrows visible without scrolling; a longer diagram repeats the names of its lanes below them."""
_MAX_LABEL_LENGTH: Final = 34
"""Longest text on an arrow."""


class Words(msgspec.Struct, frozen=True):
    """The texts of a report in one language."""

    language: str
    title: dict[str, str]
    verdicts: dict[Verdict, str]
    counts: dict[Verdict, str]
    section: str
    check: str
    verdict: str
    by_section: str
    to_fix: str
    conversation: str
    repeat: str
    because: str
    all_good: str
    nothing: str
    ruling: str
    times: str
    earlier: str
    examined: str
    by: str
    you: dict[str, str]


_ENGLISH: Final = Words(
    "en",
    {"server": "Check of a server", "client": "Check of a client", "proxy": "Conversations with a server",
     "engine": "Check of an engine"},
    {Verdict.PASS: "pass", Verdict.FAIL: "fail", Verdict.NOT_EXAMINED: "not examined", Verdict.SKIPPED: "skipped"},
    {Verdict.PASS: "passed", Verdict.FAIL: "failed", Verdict.NOT_EXAMINED: "not examined", Verdict.SKIPPED: "skipped"},
    "Section", "Check", "Verdict", "By section", "What to fix", "The conversation", "To repeat it",
    "because of", "Everything was examined; no faults found.", "No faults found.",
    "ruling", "{} times",
    "earlier lines are in the text below",
    "examined on", "by boardwire", {"client": "client", "server": "server", "engine": "engine"},
)  # fmt: skip

_ITALIAN: Final = Words(
    "it",
    {"server": "Verifica di un server", "client": "Verifica di un client", "proxy": "Conversazioni con un server",
     "engine": "Verifica di un motore"},
    dict(zip(Verdict, ("superata", "fallita", "non esaminata", "saltata"), strict=True)),
    dict(zip(Verdict, ("superate", "fallite", "non esaminate", "saltate"), strict=True)),
    "Sezione", "Verifica", "Esito", "Per sezione", "Che cosa correggere", "La conversazione", "Per ripeterla",
    "a causa di", "Tutto è stato esaminato e non c'è niente di sbagliato.",
    "Non è passato niente di sbagliato.", "interpretazione", "{} volte",
    "le righe precedenti sono nel testo qui sotto", "esaminato il", "da boardwire",
    {"client": "client", "server": "server", "engine": "motore"},
)  # fmt: skip

LANGUAGES: Final = {"en": _ENGLISH, "it": _ITALIAN}


class Examination(msgspec.Struct, frozen=True, kw_only=True):
    """An examination: its subject, its command line and its results."""

    kind: str
    """`server`, `client`, `engine`, or `proxy` for both sides of monitored conversations."""
    dialect: str
    subject: str
    """The address of a server, or the command of a client or an engine."""
    command: tuple[str, ...]
    """The command line of the examination."""
    at: str
    seconds: float
    findings: tuple[CheckResult, ...]

    def repeat(self, finding: CheckResult) -> str:
        """Return the command that repeats this check only."""
        only = () if self.kind == "proxy" else ("--only", finding.because or finding.name)
        return shlex.join([*self.command, *only])

    @property
    def count(self) -> Counter[Verdict]:
        """The number of results of each verdict."""
        return Counter(finding.verdict for finding in self.findings)

    @property
    def to_fix(self) -> list[CheckResult]:
        """Failures, then checks that were not examined although no other check prevented them, each by section."""
        findings = self.sorted_findings
        failed = [finding for finding in findings if finding.verdict is Verdict.FAIL]
        return failed + [
            finding for finding in findings if finding.verdict is Verdict.NOT_EXAMINED and not finding.because
        ]

    @property
    def sorted_findings(self) -> list[CheckResult]:
        """The results in the order of the specification."""
        return sorted(self.findings, key=lambda finding: section_key(finding.section))

    @property
    def sections(self) -> dict[str, list[CheckResult]]:
        """The results by section, in the order of the specification."""
        by_section: dict[str, list[CheckResult]] = {}
        for finding in self.sorted_findings:
            by_section.setdefault(finding.section, []).append(finding)
        return by_section


def section_key(section: str) -> tuple[str, tuple[int, ...], str]:
    """Return the sort key of a section: the document, the numbers of the section, and the rest."""
    document, _, number = section.rpartition(", ")
    return document, tuple(int(part) for part in re.findall(r"\d+", number)), number


Write = Callable[[Examination, Words], str]


class Reporter:
    """Collects a monitor's findings, each kind once with its count and the conversation before it."""

    def __init__(self) -> None:
        self._recent_lines: dict[int, deque[ConversationLine]] = {}
        self._results: dict[Kind, CheckResult] = {}

    def __call__(self, record: Record) -> None:
        """Add a record."""
        match record:
            case MessageRecord(connection=number, side=side, text=text):
                lines = self._recent_lines.setdefault(number, deque(maxlen=DIAGRAM_LINES))
                lines.append(ConversationLine(number, ">" if side is Side.CLIENT else "<", text))
            case Closed(connection=number):
                self._recent_lines.pop(number, None)
            case Breach(kind=kind, count=count) if kind in self._results:
                self._results[kind] = msgspec.structs.replace(self._results[kind], count=count)
            case Breach(kind=kind) if len(self._results) < MAX_FINDINGS:
                self._results[kind] = CheckResult(
                    f"{record.side}: {record.rule}", record.section, Verdict.FAIL, record.detail,
                    conversation=tuple(self._recent_lines.get(record.connection, ())), ruling=record.ruling,
                    count=record.count,
                )  # fmt: skip

    @property
    def findings(self) -> list[CheckResult]:
        """The findings in the order of their first occurrence."""
        return list(self._results.values())


def check(reports: Sequence[tuple[str, Path]], language: str) -> None:
    """Raise `Malformed` for an unknown format or language, `ConfigError` if the directory of a file is missing."""
    if language not in LANGUAGES:
        raise Malformed(f"--language {language}: choose one of {', '.join(LANGUAGES)}")
    for form, path in reports:
        if form not in FORMS:
            raise Malformed(f"--report {form}: choose one of {', '.join(FORMS)}")
        if not path.parent.is_dir():
            raise ConfigError(f"--report {form} {path}: there is no directory {path.parent}")


def write(examination: Examination, reports: Sequence[tuple[str, Path]], language: str) -> None:
    """Write the requested reports."""
    for form, path in reports:
        try:
            path.write_text(escaped(FORMS[form](examination, LANGUAGES[language]), keep="\n"), "utf-8")
        except OSError as error:
            raise Unavailable(f"cannot write {path}: {error.strerror}") from None


def _explanation(finding: CheckResult, words: Words) -> str:
    """Return the detail of a finding, or the check because of which it was not examined."""
    return f'{words.because} "{finding.because}"' if finding.because else escaped(finding.detail, keep="\n")


def _notes(finding: CheckResult, words: Words) -> list[str]:
    """Return the notes shown beside a finding's name: whether its rule is a ruling, and how often it occurred."""
    notes = [words.ruling] if finding.ruling else []
    return [*notes, words.times.format(finding.count)] if finding.count > 1 else notes


def _section_number(section: str) -> str:
    """Return the number of a section without the path of its document."""
    return section.rpartition(", ")[2]


def _headline(finding: CheckResult, words: Words) -> str:
    """Return the section, the name and the notes of a finding in one line."""
    notes = _notes(finding, words)
    return f"{_section_number(finding.section)} {finding.name}" + (f" ({', '.join(notes)})" if notes else "")


def _summary(examination: Examination, words: Words) -> str:
    """Return the number of results of each verdict as a sentence."""
    return ", ".join(
        f"{examination.count[verdict]} {words.counts[verdict]}" for verdict in _summary_verdicts(examination)
    )


def _summary_verdicts(examination: Examination) -> list[Verdict]:
    """Return the verdicts in a report's summary: skipped only if it occurs, and for a proxy only failures."""
    if examination.kind == "proxy":
        return [Verdict.FAIL]
    return [verdict for verdict in Verdict if verdict is not Verdict.SKIPPED or examination.count[verdict]]


def _all_good(examination: Examination, words: Words) -> str:
    """Return the sentence for an examination in which every check passed, otherwise ''."""
    if examination.count[Verdict.PASS] < len(examination.findings):
        return ""
    return words.nothing if examination.kind == "proxy" else words.all_good


# --- JSON -------------------------------------------------------------------------------------------------------------


def _json(examination: Examination, words: Words) -> str:
    """Return the report as one JSON object."""
    fields = {
        "kind": examination.kind,
        "dialect": examination.dialect,
        "subject": examination.subject,
        "at": examination.at,
        "seconds": round(examination.seconds, 3),
        "version": __version__,
        "passed": examination.count[Verdict.PASS],
        "failed": examination.count[Verdict.FAIL],
        "not_examined": examination.count[Verdict.NOT_EXAMINED],
        "skipped": examination.count[Verdict.SKIPPED],
        "findings": [
            {
                "name": finding.name,
                "section": finding.section,
                "verdict": finding.verdict,
                "detail": finding.words,
                "ruling": finding.ruling,
                "count": finding.count,
                "conversation": finding.conversation,
                **({} if finding.verdict is Verdict.PASS else {"repeat": examination.repeat(finding)}),
            }
            for finding in examination.sorted_findings
        ],
    }
    return msgspec.json.format(msgspec.json.encode(fields)).decode() + "\n"


# --- JUnit ------------------------------------------------------------------------------------------------------------


def _junit(examination: Examination, words: Words) -> str:
    """Return JUnit XML: a suite for each section, a case for each check.

    A check that was not examined is an error: JUnit would count a skipped one as success.
    """
    root = ElementTree.Element("testsuites", _counts(examination.findings), name=f"boardwire {examination.dialect}")
    for section, findings in examination.sections.items():
        suite = ElementTree.SubElement(root, "testsuite", _counts(findings), name=section, timestamp=examination.at)
        for finding in findings:
            case = ElementTree.SubElement(suite, "testcase", classname=section, name=finding.name)
            if finding.verdict is not Verdict.PASS:
                kind = _JUNIT[finding.verdict]
                text = _clean(_explanation(finding, words))
                first = (text.splitlines() or [words.verdicts[finding.verdict]])[0]
                part = ElementTree.SubElement(case, kind, message=first, type=finding.verdict)
                if examination.kind == "proxy":
                    text = "\n".join([text, *map(_clean, _excerpt(finding.conversation))])
                part.text = f"{_headline(finding, words)}\n{text}\n\n{words.repeat}: {examination.repeat(finding)}"
    ElementTree.indent(root)
    return ElementTree.tostring(root, "unicode", xml_declaration=True) + "\n"


def _counts(findings: Sequence[CheckResult]) -> dict[str, str]:
    count = Counter(finding.verdict for finding in findings)
    return {
        "tests": str(len(findings)),
        "failures": str(count[Verdict.FAIL]),
        "errors": str(count[Verdict.NOT_EXAMINED]),
        **({"skipped": str(count[Verdict.SKIPPED])} if count[Verdict.SKIPPED] else {}),
    }


_JUNIT: Final = {Verdict.FAIL: "failure", Verdict.NOT_EXAMINED: "error", Verdict.SKIPPED: "skipped"}


def _clean(text: str) -> str:
    """Escape characters that XML cannot contain."""
    return escaped(text, keep="\n")


# --- Markdown ---------------------------------------------------------------------------------------------------------


def _markdown(examination: Examination, words: Words) -> str:
    return "\n".join(_markdown_lines(examination, words)) + "\n"


def _markdown_lines(examination: Examination, words: Words) -> Iterator[str]:
    """Yield the lines of a report in Markdown."""
    yield f"# {words.title[examination.kind]}: {examination.dialect}"
    yield ""
    yield f"`{examination.subject}`, {words.examined} {examination.at} {words.by} {__version__}."
    yield f"**{_summary(examination, words)}**"
    yield ""
    if examination.to_fix:
        yield f"## {words.to_fix}"
        yield ""
    elif sentence := _all_good(examination, words):
        yield sentence
        yield ""
    for finding in examination.to_fix:
        yield f"### {_headline(finding, words)}: {words.verdicts[finding.verdict]}"
        yield ""
        yield finding.section
        yield ""
        yield from _code_block(_explanation(finding, words))
        if examination.kind == "proxy" and finding.conversation:  # the detail of a check contains it
            yield f"{words.conversation}:"
            yield ""
            yield from _code_block("\n".join(_excerpt(finding.conversation)))
        yield f"{words.repeat}:"
        yield ""
        yield from _code_block(examination.repeat(finding))
    yield f"## {words.by_section}"
    yield ""
    yield f"| {words.section} | {words.check} | {words.verdict} |"
    yield "|---|---|---|"
    for section, findings in examination.sections.items():
        for finding in findings:
            notes = "".join(f" ({note})" for note in _notes(finding, words))
            has_detail = finding.verdict in (Verdict.SKIPPED, Verdict.PASS) and finding.detail  # a pass after a retry
            why = f": {_cell(_explanation(finding, words))}" if has_detail else ""
            yield f"| {section} | {finding.name}{notes}{why} | {words.verdicts[finding.verdict]} |"


def _excerpt(conversation: Sequence[ConversationLine]) -> Iterator[str]:
    """Yield the end of a conversation as lines: the connection, the direction and the message."""
    if len(conversation) > EXCERPT_LINES:
        yield f"... {len(conversation) - EXCERPT_LINES}"
    for line in conversation[-EXCERPT_LINES:]:
        text = line.text if len(line.text) <= MAX_LINE_LENGTH else f"{line.text[:MAX_LINE_LENGTH]} ..."
        yield f"{line.connection} {line.way} {escaped(text)}"


def _cell(text: str) -> str:
    """Return a text as one line, for a table cell."""
    return " ".join(text.split()).replace("|", "\\|")


def _code_block(text: str) -> Iterator[str]:
    """Yield a code block, with a fence longer than any row of backticks in the text."""
    fence = "`" * max(3, *(len(line) - len(line.lstrip("`")) + 1 for line in text.splitlines() or [""]))
    yield from (fence + "text", *text.splitlines(), fence, "")


# --- HTML -------------------------------------------------------------------------------------------------------------

_STYLE: Final = """
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5d6b7c; --line: #d8dee6; --paper: #f6f8fa; --sheet: #fff;
  --pass: #12733a; --fail: #b3261e; --open: #8a5a00; --pass-soft: #e1f3e7; --fail-soft: #fbe6e4; --open-soft: #fdf1d8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9f0; --soft: #9aa7b6; --line: #333d49; --paper: #12171d;
  --sheet: #1a2129; --pass: #6fd197; --fail: #ff958c; --open: #f0bd62; --pass-soft: #15301f; --fail-soft: #3b1b19;
  --open-soft: #352812; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.6rem; margin: 0; } h1 small { color: var(--soft); font-weight: 400; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .75rem; } h3 { font-size: 1.05rem; margin: 0; }
p { margin: .4rem 0; } .soft { color: var(--soft); } code, pre { font: .84rem/1.5 ui-monospace, monospace; }
.sums { display: flex; gap: .75rem; margin: 1.25rem 0 0; padding: 0; list-style: none; flex-wrap: wrap; }
.sums li { padding: .6rem 1.1rem; border-radius: .6rem; } .sums b { font-size: 1.4rem; margin-right: .35rem; }
.pass { color: var(--pass); background: var(--pass-soft); } .fail { color: var(--fail); background: var(--fail-soft); }
.open { color: var(--open); background: var(--open-soft); }
.note { color: var(--soft); border: 1px solid var(--line); }
.number { color: var(--soft); margin-right: .6rem; font-variant-numeric: tabular-nums; } .source { font-size: .84rem; }
.mark { border-radius: 1rem; padding: .1rem .65rem; font-size: .82rem; font-weight: 600; white-space: nowrap; }
article { background: var(--sheet); border: 1px solid var(--line); border-radius: .75rem; padding: 1.1rem 1.25rem;
  margin: 0 0 1.25rem; }
article header { display: flex; gap: .75rem; align-items: baseline; flex-wrap: wrap; }
pre { background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; padding: .7rem .9rem;
  overflow: auto; max-height: 26rem; white-space: pre-wrap; overflow-wrap: anywhere; margin: .5rem 0; }
.why { font-size: 1rem; margin: .6rem 0; overflow-wrap: anywhere; }
summary { cursor: pointer; margin-top: .6rem; font-weight: 600; }
.drawing { overflow: auto; max-height: 34rem; margin: .5rem 0; display: flex; flex-direction: column-reverse; }
.drawing svg { flex: none; }
svg text { font: 12px ui-monospace, monospace; fill: var(--ink); } svg .lane { font: 600 13px system-ui, sans-serif; }
svg line, svg path { stroke: var(--soft); stroke-width: 1.3; } svg .life { stroke: var(--line); }
svg .said { fill: none; } svg .head { fill: var(--soft); stroke: none; }
svg .last line { stroke: var(--fail); stroke-width: 2; } svg .last .head { fill: var(--fail); }
svg .last text { fill: var(--fail); font-weight: 700; }
table { border-collapse: collapse; width: 100%; background: var(--sheet); border: 1px solid var(--line); }
th, td { text-align: left; padding: .45rem .75rem; border-top: 1px solid var(--line); vertical-align: top; }
th { color: var(--soft); font-weight: 600; font-size: .85rem; } td:last-child { width: 1%; }
td.section { width: 30%; color: var(--soft); font-size: .88rem; }
"""

_MARKS: Final = {
    Verdict.PASS: "pass",
    Verdict.FAIL: "fail",
    Verdict.NOT_EXAMINED: "open",
    Verdict.SKIPPED: "open",
}


def _html(examination: Examination, words: Words) -> str:
    return "\n".join(_html_lines(examination, words)) + "\n"


def _html_lines(examination: Examination, words: Words) -> Iterator[str]:
    """Yield the lines of a report in HTML."""
    title = f"{words.title[examination.kind]}: {examination.dialect}"
    yield f'<!doctype html>\n<html lang="{words.language}">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>"
    yield f"<h1>{escape(words.title[examination.kind])} <small>{escape(examination.dialect)}</small></h1>"
    yield (
        f'<p class="soft"><code>{escape(examination.subject)}</code>, {escape(words.examined)} '
        f"{escape(examination.at)} {escape(words.by)} {__version__}</p>"
    )
    yield '<ul class="sums">'
    for verdict in _summary_verdicts(examination):
        count = examination.count[verdict]
        yield f'<li class="{_MARKS[verdict] if count else "soft"}"><b>{count}</b>{escape(words.counts[verdict])}</li>'
    yield "</ul>"
    if examination.to_fix:
        yield f"<h2>{escape(words.to_fix)}</h2>"
        for finding in examination.to_fix:
            yield from _article(examination, finding, words)
    else:
        sentence = _all_good(examination, words)
        yield f"<p>{escape(sentence)}</p>" if sentence else ""
    yield f"<h2>{escape(words.by_section)}</h2>\n<table>\n<thead><tr>"
    yield "".join(f"<th>{escape(head)}</th>" for head in (words.section, words.check, words.verdict))
    yield "</tr></thead>\n<tbody>"
    for section, findings in examination.sections.items():
        for number, finding in enumerate(findings):
            span = f'<td class="section" rowspan="{len(findings)}">{escape(section)}</td>' if not number else ""
            has_explanation = finding.because or (finding.verdict in (Verdict.SKIPPED, Verdict.PASS) and finding.detail)
            why = f'<br><span class="soft">{escape(_explanation(finding, words))}</span>' if has_explanation else ""
            name = f"{escape(finding.name)}{_badges(finding, words)}{why}"
            yield f"<tr>{span}<td>{name}</td><td>{_mark(finding.verdict, words)}</td></tr>"
    yield "</tbody>\n</table>\n</main>\n</body>\n</html>"


def _mark(verdict: Verdict, words: Words) -> str:
    return f'<span class="mark {_MARKS[verdict]}">{escape(words.verdicts[verdict])}</span>'


def _badges(finding: CheckResult, words: Words) -> str:
    return "".join(f' <span class="mark note">{escape(note)}</span>' for note in _notes(finding, words))


def _article(examination: Examination, finding: CheckResult, words: Words) -> Iterator[str]:
    """Yield the HTML of a finding: its explanation, conversation and command."""
    document = finding.section.rpartition(", ")[0]
    yield f'<article>\n<header><h3><span class="number">{escape(_section_number(finding.section))}</span>'
    yield f"{escape(finding.name)}</h3>{_mark(finding.verdict, words)}{_badges(finding, words)}</header>"
    yield f'<p class="soft source">{escape(document)}</p>'
    yield f'<p class="why">{escape((_explanation(finding, words).splitlines() or [""])[0])}</p>'
    if finding.conversation:
        yield f'<div class="drawing">{_diagram(finding.conversation, words, examination.kind)}</div>'
        yield f"<details><summary>{escape(words.conversation)}</summary><pre>"
        yield (
            "\n".join(escape(f"{line.connection} {line.way} {line.text}") for line in finding.conversation)
            + "</pre></details>"
        )
    yield f'<p class="soft">{escape(words.repeat)}:</p><pre>{escape(examination.repeat(finding))}</pre>\n</article>'


def _rows(conversation: Sequence[ConversationLine]) -> list[tuple[ConversationLine, int]]:
    """Return the arrows of a diagram, each with the number of messages that it stands for.

    Consecutive messages of one name share an arrow. The last message has its own: it is the one with the finding.
    """
    rows: list[tuple[ConversationLine, int]] = []
    for line in conversation[:-1]:
        if rows and (rows[-1][0].connection, rows[-1][0].way) == (line.connection, line.way):
            before, times = rows[-1]
            if message_name(before.text) == message_name(line.text):
                rows[-1] = (before, times + 1)
                continue
        rows.append((line, 1))
    return [*rows, *((line, 1) for line in conversation[-1:])]


_TAG: Final = re.compile(r'^\s*\{.{0,200}?"(?:type|action)"\s*:\s*"([^"\\]{1,60})"', re.DOTALL)
_CLASS: Final = re.compile(r"^([A-Za-z_]\w*) \{")


def message_name(text: str) -> str:
    """Return the name of a message from its text: the type or action of a JSON object, the class of a Java object.

    Other text, such as a line of a line protocol, is returned unchanged.
    """
    match = _TAG.match(text) or _CLASS.match(text)
    return match.group(1) if match else text


def _diagram(conversation: Sequence[ConversationLine], words: Words, kind: str) -> str:
    """Return the sequence diagram as SVG: a lane for each client and the server; the examined side is underlined."""
    rows = _rows(conversation)
    last_rows = rows[-DIAGRAM_LINES:]
    earlier = len(conversation) - sum(times for _, times in last_rows)
    numbers = sorted({line.connection for line, _ in last_rows})
    lanes = [f"{words.you['client']} {number}" if len(numbers) > 1 else words.you["client"] for number in numbers]
    lanes.append(words.you["server"])
    if kind == "engine":
        lanes = ["boardwire", words.you[kind]]
    at = {number: _FIRST_LANE_X + index * _LANE_PIXELS for index, number in enumerate(numbers)}
    server_x = _FIRST_LANE_X + len(numbers) * _LANE_PIXELS
    top = 34 + (_ROW_PIXELS if earlier else 0)
    bottom = top + len(last_rows) * _ROW_PIXELS + 14
    repeats_names = len(last_rows) > _VISIBLE_ARROWS
    width, height = server_x + _FIRST_LANE_X, bottom + 22 if repeats_names else bottom
    parts = [f'<svg width="{width}" height="{height}" role="img" viewBox="0 0 {width} {height}">']
    for lane, x in zip(lanes, [*at.values(), server_x], strict=True):
        examined = words.you.get(kind)  # a proxy examines both sides
        parts += _lane(
            lane, x, bottom, underlined=examined is not None and lane.startswith(examined), repeated=repeats_names
        )
    if earlier:
        parts.append(f'<text x="10" y="{top - 8}">… {earlier}: {escape(words.earlier)}</text>')
    for row, (line, times) in enumerate(last_rows, 1):
        y = top + row * _ROW_PIXELS
        parts.append(_arrow(line, times, at[line.connection], server_x, y, last=row == len(last_rows)))
    return "".join(parts) + "</svg>"


def _lane(name: str, x: int, bottom: int, *, underlined: bool, repeated: bool) -> Iterator[str]:
    """Yield the name of a lane and its line; `repeated`: also its name below the line."""
    style = ' text-decoration="underline"' if underlined else ""
    yield f'<text class="lane" x="{x}" y="16" text-anchor="middle"{style}>{escape(name)}</text>'
    yield f'<line class="life" x1="{x}" y1="24" x2="{x}" y2="{bottom}"/>'
    if repeated:
        yield f'<text class="lane" x="{x}" y="{bottom + 16}" text-anchor="middle"{style}>{escape(name)}</text>'


def _arrow(line: ConversationLine, times: int, left: int, right: int, y: int, *, last: bool) -> str:
    """Return the arrow of a message between the lanes at `left` and `right`, with its name."""
    start, end, tip = (left, right, right - 7) if line.way == ">" else (right, left, left + 7)
    name = message_name(line.text)
    label = name if len(name) <= _MAX_LABEL_LENGTH else f"{name[: _MAX_LABEL_LENGTH - 1]}…"
    label = label if times == 1 else f"{label} × {times}"
    style = ' class="last"' if last else ""
    return (
        f'<g{style}><title>{escape(line.text)}</title><line x1="{start}" y1="{y}" x2="{end}" y2="{y}"/>'
        f'<path class="head" d="M{end} {y}L{tip} {y - 4}L{tip} {y + 4}Z"/>'
        f'<text x="{left + 10 if line.way == ">" else right - 10}" y="{y - 5}"'
        f' text-anchor="{"start" if line.way == ">" else "end"}">{escape(label)}</text></g>'
    )


FORMS: Final[dict[str, Write]] = {"html": _html, "junit": _junit, "json": _json, "md": _markdown}
