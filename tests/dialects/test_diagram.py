"""State diagrams of the specifications."""

from boardwire.dialects.diagram import END, START, Arc, first_diagram, mermaid

ARCS = (Arc(START, "connects", "HELLO", "Open"), Arc("Open", "says; nothing\nmuch", "", END))


def test_each_arc_is_a_line_and_an_empty_output_is_omitted() -> None:
    assert mermaid(ARCS) == (
        "stateDiagram-v2\n    [*] --> Open: connects / HELLO\n    Open --> [*]: says, nothing much\n"
    )


def test_the_diagram_of_a_document_is_found() -> None:
    assert first_diagram(f"# page\n```text\nno\n```\n```mermaid\n{mermaid(ARCS)}```\nmore ```x```\n") == mermaid(ARCS)


def test_a_document_without_a_diagram_has_none() -> None:
    assert first_diagram("# page\n```text\nstateDiagram-v2\n```\n") == ""
