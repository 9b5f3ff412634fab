"""Mermaid diagrams of the documents as static SVG, so that the site needs no script and no network to show them.

- The three kinds that the documents use are supported: `stateDiagram-v2`, `flowchart` and `sequenceDiagram`.
- States and flowcharts are laid out by Graphviz (`web/diagrams.mjs`); sequence diagrams are drawn here.
- Lines and text have the colour of the surrounding text, so that a diagram is readable on a dark page too.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import Final

INK: Final = "#010203"
"""Placeholder colour in DOT, replaced by `currentColor` in the SVG, which Graphviz does not support."""
STYLE: Final = (
    f'bgcolor="transparent"; node [shape=box, style=rounded, color="{INK}", fontcolor="{INK}", fontname="Arial",'
    f' fontsize=14]; edge [color="{INK}", fontcolor="{INK}", fontname="Arial", fontsize=12]; nodesep=0.4;'
)
FONT_SIZES: Final = {"14.00": "12", "12.00": "10"}
"""Drawn font size by the size used for the layout; smaller, because fonts may be wider than Graphviz assumes."""
LINE_BREAK: Final = r"\n"
"""Line break in a label of DOT."""
LABEL_WIDTH: Final = 28
"""Characters in a line of a label."""

_STATE_ARC: Final = re.compile(r"(\S+) --> ([^:\s]+)(?:\s*:\s*(.*))?$")
_FLOW_ARC: Final = re.compile(r"(\w+)(?:\[\"([^\"]*)\"\])? (<-->|-->)(?:\|([^|]*)\|)? (\w+)(?:\[\"([^\"]*)\"\])?$")
_FLOW_NODE: Final = re.compile(r"(\w+)\[\"([^\"]*)\"\]$")
_MESSAGE: Final = re.compile(r"(\w+)(-?->>)(\w+): (.*)$")
_ROLE: Final = re.compile(r"(?:actor|participant) (\w+)(?: as (.*))?$")
_NOTE: Final = re.compile(r"Note over (\w+): (.*)$")


class UnknownDiagram(ValueError):
    """This module cannot draw a diagram, or a line of it."""


def dot(text: str) -> str | None:
    """Return a state diagram or flowchart in DOT, or None for a sequence diagram."""
    head, *lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    if head == "sequenceDiagram":
        return None
    if head == "stateDiagram-v2":
        return _states(lines)
    if head.startswith("flowchart "):
        return _flowchart(lines, head.split()[1])
    raise UnknownDiagram(f"cannot draw a diagram that begins with {head!r}")


def _states(lines: Sequence[str]) -> str:
    point = f'shape=circle, width=0.16, label="", style=filled, fillcolor="{INK}"'
    labels: dict[tuple[str, str], list[str]] = {}
    for line in lines:
        arc = _STATE_ARC.match(line)
        if arc is None:
            raise UnknownDiagram(f"cannot draw the line {line!r} of a state diagram")
        ends = "start" if arc[1] == "[*]" else arc[1], "end" if arc[2] == "[*]" else arc[2]
        labels.setdefault(ends, []).append(_wrap(arc[3] or ""))
    body = [f'"start" [{point}];']
    if any(target == "end" for _, target in labels):
        body.append(f'"end" [{point}, shape=doublecircle, width=0.12];')
    # One arrow for all arcs between two states: otherwise a state with ten arcs to the end is unreadable.
    for (source, target), words in labels.items():
        body.append(f'"{source}" -> "{target}" [label="{LINE_BREAK.join(words)}"];')
    return f"digraph {{ {STYLE} {' '.join(body)} }}"


def _flowchart(lines: Sequence[str], direction: str) -> str:
    body = []
    for line in lines:
        if node := _FLOW_NODE.match(line):
            body.append(f'"{node[1]}" [label="{_wrap(node[2])}"];')
        elif arc := _FLOW_ARC.match(line):
            body += [f'"{arc[name]}" [label="{_wrap(arc[name + 1])}"];' for name in (1, 5) if arc[name + 1]]
            both = ", dir=both" if arc[3] == "<-->" else ""
            body.append(f'"{arc[1]}" -> "{arc[5]}" [label="{_wrap(arc[4] or "")}"{both}];')
        else:
            raise UnknownDiagram(f"cannot draw the line {line!r} of a flowchart")
    return f"digraph {{ rankdir={direction}; {STYLE} {' '.join(body)} }}"


def _wrap(label: str) -> str:
    """Return a label for DOT, in lines of about `LABEL_WIDTH` characters."""
    lines = [""]
    for word in label.replace("<br/>", " ").split():
        if lines[-1] and len(lines[-1]) + len(word) >= LABEL_WIDTH:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return LINE_BREAK.join(line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)


def inline(svg: str, title: str) -> str:
    """Return an SVG of Graphviz for embedding in a page, with the page's text colour and a title for screen readers."""
    drawing = svg[svg.index("<svg") :].replace(INK, "currentColor")
    drawing = re.sub(r"<title>.*?</title>\n", "", drawing)
    drawing = re.sub(
        r'font-size="([\d.]+)"', lambda matched: f'font-size="{FONT_SIZES.get(matched[1], matched[1])}"', drawing
    )
    drawing = drawing.replace('font-family="Arial"', 'font-family="sans-serif"')
    drawing = re.sub(r'<svg width="[\d.]+pt" height="[\d.]+pt"', "<svg", drawing)
    return _add_title(drawing, title)


def _add_title(drawing: str, title: str) -> str:
    words = html.escape(title, quote=True)
    return drawing.replace("<svg", f'<svg class="diagram" role="img" aria-label="{words}"', 1)


LANE: Final = 220
"""Distance between two participants of a sequence diagram."""
ROW: Final = 34
HEAD: Final = 52


def sequence(text: str, title: str) -> str:
    """Return a sequence diagram as SVG."""
    roles: dict[str, str] = {}
    rows: list[re.Match[str]] = []
    for line in (line.strip() for line in text.strip().splitlines()[1:] if line.strip()):
        if role := _ROLE.match(line):
            roles[role[1]] = role[2] or role[1]
        elif row := _MESSAGE.match(line) or _NOTE.match(line):
            rows.append(row)
        else:
            raise UnknownDiagram(f"cannot draw the line {line!r} of a sequence diagram")
    places = {name: LANE * number + LANE // 2 for number, name in enumerate(roles)}
    height = HEAD + ROW * (len(rows) + 1)
    parts = [_lane(places[name], words, height) for name, words in roles.items()]
    parts += [_row(row, places, HEAD + ROW * (number + 1)) for number, row in enumerate(rows)]
    view = f'<svg viewBox="0 0 {LANE * len(roles)} {height}" xmlns="http://www.w3.org/2000/svg" font-size="12">'
    return _add_title(f"{view}{''.join(parts)}</svg>", title)


def _lane(x: int, words: str, height: int) -> str:
    lines = words.split("<br/>")
    text = "".join(
        f'<text x="{x}" y="{22 + 15 * number - 7 * (len(lines) - 1)}" text-anchor="middle">{html.escape(line)}</text>'
        for number, line in enumerate(lines)
    )
    box = f'<rect x="{x - 75}" y="2" width="150" height="38" rx="5" fill="none" stroke="currentColor"/>'
    line = f'<line x1="{x}" y1="40" x2="{x}" y2="{height - 8}" stroke="currentColor" stroke-dasharray="3 4"/>'
    return f'<g fill="currentColor">{text}{box}{line}</g>'


def _row(row: re.Match[str], places: dict[str, int], y: int) -> str:
    if row.re is _NOTE:
        place = f'x="{places[row[1]] + 8}" y="{y}"'
        return f'<text {place} fill="currentColor" font-style="italic">{html.escape(row[2])}</text>'
    source, target = places[row[1]], places[row[3]]
    back = -1 if target < source else 1
    dashes = ' stroke-dasharray="6 3"' if row[2] == "-->>" else ""
    tip = f"{target},{y} {target - 8 * back},{y - 4} {target - 8 * back},{y + 4}"
    return (
        f'<g fill="currentColor"><line x1="{source}" y1="{y}" x2="{target}" y2="{y}" stroke="currentColor"{dashes}/>'
        f'<polygon points="{tip}"/>'
        f'<text x="{(source + target) / 2}" y="{y - 6}" text-anchor="middle" font-size="11">'
        f"{html.escape(row[4])}</text></g>"
    )
