"""Mermaid diagrams as SVG."""

from __future__ import annotations

import re

import pytest
from scripts.page import ROOT
from scripts.site import pages

from scripts import diagrams

MERMAID = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_arcs_between_two_states_share_an_arrow() -> None:
    dot = diagrams.dot("stateDiagram-v2\n[*] --> A: in\nA --> [*]: one\nA --> [*]: two\nA --> A: again")
    assert dot is not None
    assert '"start" -> "A" [label="in"]' in dot
    assert r'"A" -> "end" [label="one\ntwo"]' in dot
    assert dot.count("->") == 3


def test_a_conversation_without_an_end_has_no_end_point() -> None:
    dot = diagrams.dot("stateDiagram-v2\n[*] --> A: in")
    assert dot is not None
    assert '"end"' not in dot


def test_nodes_and_arrows_of_a_flowchart() -> None:
    dot = diagrams.dot('flowchart LR\n  a["first: one"] -->|goes| b["second"]\n  b <--> c\n  c["third"]')
    assert dot is not None
    assert "rankdir=LR" in dot
    assert '"a" [label="first: one"]' in dot
    assert '"a" -> "b" [label="goes"]' in dot
    assert '"b" -> "c" [label="", dir=both]' in dot
    assert '"c" [label="third"]' in dot


def test_long_labels_are_wrapped_and_quotes_escaped() -> None:
    dot = diagrams.dot('stateDiagram-v2\nA --> B: sends a line that is "too long" for anything')
    assert dot is not None
    label = re.search(r'label="(sends.*?[^\\])"\]', dot)
    assert label is not None
    assert r"\"too" in label[1]
    assert all(len(line) <= diagrams.LABEL_WIDTH + 2 for line in label[1].split(r"\n"))


def test_a_sequence_has_a_lane_for_each_role_and_an_arrow_for_each_message() -> None:
    svg = diagrams.sequence(
        "sequenceDiagram\n actor Ann\n participant A as Node<br/>edge\n Ann->>A: <move>\n Note over A: waits\n"
        " A-->>Ann: ok",
        "t",
    )
    assert svg.count("<rect") == 2
    assert svg.count("<polygon") == 2
    assert svg.count('stroke-dasharray="6 3"') == 1, "an answer is dashed"
    assert "&lt;move&gt;" in svg
    assert "waits" in svg


@pytest.mark.parametrize("text", ["pie\n a: 1", "stateDiagram-v2\n what is this", "flowchart TB\n a ==> b"])
def test_what_cannot_be_drawn_is_named(text: str) -> None:
    with pytest.raises(diagrams.UnknownDiagram, match="cannot draw"):
        diagrams.dot(text)


def test_drawings_take_the_colour_of_the_page() -> None:
    svg = diagrams.inline(f'<?xml?><svg width="9pt" height="8pt" fill="{diagrams.INK}"></svg>', 'a "b"')
    assert svg == '<svg class="diagram" role="img" aria-label="a &quot;b&quot;" fill="currentColor"></svg>'


def test_every_diagram_of_the_documents_can_be_drawn() -> None:
    found = [one[1] for path in pages() for one in MERMAID.finditer((ROOT / path).read_text("utf-8"))]
    assert len(found) > 8
    for text in found:
        assert diagrams.dot(text) or diagrams.sequence(text, "")
