"""The specification of santorini-lobby matches the code."""

import re
from pathlib import Path
from typing import get_args

import pytest
from msgspec import structs

from boardwire.dialects.diagram import first_diagram, mermaid
from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.dialects.santorini_lobby.diagram import conversation
from boardwire.dialects.santorini_lobby.messages import IDENTIFIERS, OFFERED_GODS
from boardwire.games.santorini.kinds import Kind
from boardwire.simulation.server import SimulatedServer

from ..exchange import OneSided, exchanges  # noqa: TID252 - tests are no installed package

SPECIFICATION = (Path(__file__).parents[3] / "docs" / "dialects" / "santorini-lobby.md").read_text()
EXCHANGES = exchanges("santorini-lobby.md")


def test_the_specification_shows_the_diagram_of_the_table() -> None:
    assert first_diagram(SPECIFICATION) == mermaid(conversation())


def test_the_specification_lists_every_message() -> None:
    for message in (*get_args(wire.Request), *get_args(wire.Event), wire.Ping):
        assert f"`{wire.TAGS[message]}`" in SPECIFICATION


def test_the_specification_lists_every_decision() -> None:
    decisions = SPECIFICATION.partition("| Decision |")[2].partition("\n\n")[0]
    named = {name.strip() for row in decisions.splitlines()[2:] for name in row.split("|")[1].split(",")}
    assert named == {kind.value for kind in Kind}


def test_the_specification_lists_the_gods_in_order() -> None:
    assert ", ".join(IDENTIFIERS[god].name for god in OFFERED_GODS) in SPECIFICATION


@pytest.mark.parametrize("number", range(2), ids=["the race", "a whole match"])
def test_the_specified_exchanges_match_the_server(number: int) -> None:
    assert len(EXCHANGES) == 2
    OneSided(SimulatedServer(seed=0)).play(EXCHANGES[number])


def test_the_specification_types_every_member_of_every_message() -> None:
    for message in (*get_args(wire.Request), *get_args(wire.Event)):
        (row,) = re.findall(rf"^\| `{wire.TAGS[message]}` \|([^|]*)\|", SPECIFICATION, re.MULTILINE)
        members = [field.encode_name for field in structs.fields(message)]
        assert [*re.findall(r"`(\w+)` [\w ]+", row)] == members or row.strip() == "the same", row
