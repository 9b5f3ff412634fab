"""State diagrams of dialects.

- A dialect lists the arcs of its conversation in a table; its specification shows `mermaid(table)`.
- One test compares the specification with the table, another walks the server's script along the arcs.
- Arcs describe a conversation; they do not drive it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

START: Final = "[*]"
"""State before the connection opens and after it closes."""

END: Final = START


class Arc(msgspec.Struct, frozen=True):
    """Transition: in state `source`, `heard` occurs, the server sends `said` (empty: nothing) and enters `target`."""

    source: str
    heard: str
    said: str
    target: str


def mermaid(arcs: Iterable[Arc]) -> str:
    """Return the arcs as a Mermaid state diagram, one line per arc."""
    lines = ["stateDiagram-v2"]
    for arc in arcs:
        label = _safe(arc.heard) + (f" / {_safe(arc.said)}" if arc.said else "")
        lines.append(f"    {arc.source} --> {arc.target}: {label}")
    return "\n".join(lines) + "\n"


def first_diagram(page: str) -> str:
    """Return the first Mermaid diagram of a Markdown text, or "" if there is none."""
    _, found, rest = page.partition("```mermaid\n")
    return rest.partition("```")[0] if found else ""


def _safe(text: str) -> str:
    """Mermaid ends a statement at a semicolon and a label at the end of a line."""
    return " ".join(text.replace(";", ",").split())
