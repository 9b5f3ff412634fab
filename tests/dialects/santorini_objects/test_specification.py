"""The specification of santorini-objects matches the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from boardwire.dialects.protocol import mermaid
from boardwire.dialects.santorini_objects import DIALECTS
from boardwire.dialects.santorini_objects.ask import ASK, MESSAGE_NAMES, default, never, propose_by_lot
from boardwire.dialects.santorini_objects.editions import LIMITS, Edition
from boardwire.dialects.santorini_objects.lobby import MAX_NAME_LENGTH
from boardwire.dialects.santorini_objects.messages.cells import GODS, god_name, god_of
from boardwire.dialects.santorini_objects.messages.classes import (
    Message,
    Position,
    RequestInitializeWorkerPositions,
    RequestMove,
)
from boardwire.dialects.santorini_objects.protocol import PROTOCOLS
from boardwire.games.santorini.actions import DealGod
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.powers.catalogue import God

from ...pages import section
from ..exchange import OneSided, exchanges
from .spoken import Hall, read, write

SPECIFICATION = (Path(__file__).parents[3] / "docs/dialects/santorini-objects.md").read_text()


def test_d1_converses_like_d2_except_for_optional_steps() -> None:
    newer, older = (mermaid(PROTOCOLS[f"santorini-objects{one}"].arcs).splitlines() for one in ("", "/d1"))
    assert [line for line in newer if line not in older and "Optional" not in line] == []


def test_the_specification_lists_every_decision_with_its_request() -> None:
    rows: dict[str, list[str]] = {}
    for line in section(SPECIFICATION, "Decisions, one by one").splitlines():
        if line.startswith("| `"):
            kind, *cells = [cell.strip() for cell in line.strip("|").split("|")]
            rows[kind.strip("`")] = cells
    assert set(rows) == set(Kind)
    for kind, columns in rows.items():
        columns = [columns[0] if text == "as D2" else text for text in columns]
        for edition, text in zip((Edition.D2, Edition.D1, Edition.F), columns, strict=True):
            way = ASK[edition][Kind(kind)]
            named = set(re.findall(r"`Serializable(Request\w+)`", text))
            allowed = (
                set() if way in (default, propose_by_lot, never) else set(re.findall(r"\w+", MESSAGE_NAMES[way][0]))
            )
            assert named <= allowed, (edition, kind)
            assert named or not allowed or "decline" in text, (edition, kind)


def test_the_specification_lists_gods_ports_and_limits() -> None:
    for god in GODS:
        assert god_name(god) in SPECIFICATION
        assert god_of(god_name(god)) is god
    for name, dialect in DIALECTS.items():
        assert f"| `{name}` | {dialect.port} |" in SPECIFICATION
        assert dialect.name == name
        assert dialect.game == "santorini"
    for number in (LIMITS.size, LIMITS.text, LIMITS.elements, MAX_NAME_LENGTH):
        assert str(number) in SPECIFICATION


def named_as_on_the_wire(data: bytes) -> list[str]:
    """F's forms of two messages have another name only in this code."""
    return [line.replace("UpdateShipped", "Update") for line in read(data)]


@pytest.mark.parametrize("number", range(2), ids=["D", "F"])
def test_the_specified_exchanges_match_the_server(number: int) -> None:
    hall = Hall(deals=[DealGod(God.PAN), DealGod(God.DEMETER)])
    OneSided(hall, named_as_on_the_wire, write).play(exchanges("santorini-objects.md")[number])


def test_the_specified_message_bytes_are_sent() -> None:
    (block,) = re.findall(r"```text\n(ac ed .*?)```", SPECIFICATION, re.DOTALL)
    spelled = b""
    for line in block.splitlines():
        code, _, text = line.partition("   ")[0].partition('"')
        spelled += bytes.fromhex(code) + text.strip('"').encode()
    assert spelled == Edition.D2.encode(Message("2 players"))


@pytest.mark.parametrize(("name", "suid"), [("ArrayList", "7881d21d99c7619d"), ("HashSet", "ba44859596b8b734")])
def test_collections_are_encoded_as_specified(name: str, suid: str) -> None:
    (row,) = [line for line in SPECIFICATION.splitlines() if line.startswith(f"| `java.util.{name}`")]
    assert f"`{suid}`" in row
    gods = Edition.F.encode(RequestInitializeWorkerPositions(1, (Position(0, 0, 0),)))
    step = Edition.D2.encode(RequestMove(1, frozenset({Position(0, 0, 0)}), frozenset()))
    written = gods if name == "ArrayList" else step
    block = "770400000001" if name == "ArrayList" else "770c000000103f40000000000001"
    head = f"java.util.{name}".encode().hex() + suid + "03"
    assert head in written.hex()
    assert block in written.hex()
