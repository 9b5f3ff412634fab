"""The specification of santorini-lobby matches the code."""

from pathlib import Path

from boardwire.dialects.santorini_lobby.messages import IDENTIFIERS, OFFERED_GODS
from boardwire.games.santorini.kinds import Kind

from ..exchange import exchanges

SPECIFICATION = (Path(__file__).parents[3] / "docs" / "dialects" / "santorini-lobby.md").read_text()
EXCHANGES = exchanges("santorini-lobby.md")


def test_the_specification_lists_every_decision() -> None:
    decisions = SPECIFICATION.partition("| Decision |")[2].partition("\n\n")[0]
    named = {name.strip() for row in decisions.splitlines()[2:] for name in row.split("|")[1].split(",")}
    assert named == {kind.value for kind in Kind}


def test_the_specification_lists_the_gods_in_order() -> None:
    assert ", ".join(IDENTIFIERS[god].name for god in OFFERED_GODS) in SPECIFICATION
