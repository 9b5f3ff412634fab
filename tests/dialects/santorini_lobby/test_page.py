"""The page of santorini-lobby says what the tables say."""

from pathlib import Path
from typing import get_args

from boardwire.dialects.diagram import drawn, mermaid
from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.dialects.santorini_lobby.gods import IDENTIFIERS, SIXTEEN
from boardwire.dialects.santorini_lobby.phases import conversation, tag
from boardwire.games.santorini.kinds import Kind

PAGE = (Path(__file__).parents[3] / "docs" / "dialects" / "santorini-lobby.md").read_text()


def test_the_diagram_is_drawn_from_the_tables() -> None:
    assert drawn(PAGE) == mermaid(conversation())


def test_every_message_is_on_the_page() -> None:
    for message in (*get_args(wire.Request), *get_args(wire.Event), wire.Ping):
        assert f"`{tag(message)}`" in PAGE


def test_every_decision_is_on_the_page() -> None:
    decisions = PAGE.partition("| Decision |")[2].partition("\n\n")[0]
    named = {name.strip() for row in decisions.splitlines()[2:] for name in row.split("|")[1].split(",")}
    assert named == {kind.value for kind in Kind}


def test_the_gods_are_on_the_page_in_their_order() -> None:
    assert ", ".join(IDENTIFIERS[god].name for god in SIXTEEN) in PAGE
