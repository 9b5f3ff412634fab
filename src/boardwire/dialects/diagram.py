"""The conversation of a dialect as data, and as the state diagram on its page.

A dialect lists its arcs in a table; its page shows `mermaid(table)`, and two tests hold them together: one compares the
page with the table, one walks the server's script along the arcs.  It draws, and runs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

START: Final = "[*]"
"""Before the connection, and after it."""

END: Final = START


class Arc(msgspec.Struct, frozen=True):
    """In state `source`, `heard` happens; the server says `said` (nothing: silence) and is in state `target`."""

    source: str
    heard: str
    said: str
    target: str


def mermaid(arcs: Iterable[Arc]) -> str:
    """The arcs as a Mermaid state diagram, a line for each, in their order."""
    lines = ["stateDiagram-v2"]
    for arc in arcs:
        label = _safe(arc.heard) + (f" / {_safe(arc.said)}" if arc.said else "")
        lines.append(f"    {arc.source} --> {arc.target}: {label}")
    return "\n".join(lines) + "\n"


def drawn(page: str) -> str:
    """The first state diagram of a Markdown page; empty if there is none."""
    _, found, rest = page.partition("```mermaid\n")
    return rest.partition("```")[0] if found else ""


def _safe(text: str) -> str:
    """Mermaid ends a statement at a semicolon and a label at a line's end."""
    return " ".join(text.replace(";", ",").split())
