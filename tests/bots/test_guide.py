"""docs/bots.md: its code runs, and what it says about commands is so."""

from __future__ import annotations

import asyncio
import re
import shlex
from pathlib import Path
from typing import Any

from boardwire.bots.bot import BUDGET
from boardwire.bots.server_bots import BOTS
from boardwire.commands.app import app
from boardwire.dialects.dialect import Result
from boardwire.games.santorini import View

from ..net.harbour import harbour, run

PAGE = (Path(__file__).parents[2] / "docs" / "bots.md").read_text("utf-8")


def test_its_code_runs_in_process_and_over_the_wire() -> None:
    names: dict[str, Any] = {}
    code = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert len(code) == 4
    for block in code:
        exec(compile(block, "docs/bots.md", "exec"), names)

    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open("tris-lines")
            one, other = await asyncio.gather(names["one_match"](port, 1), names["one_match"](port, 2))
            assert Result.BROKEN_OFF not in (one.result, other.result)
            assert {one.result, other.result} in ({Result.WON, Result.LOST}, {Result.DRAWN})

    run(scenario)


def test_its_commands_can_be_read() -> None:
    commands = [shlex.split(line, comments=True) for line in re.findall(r"^boardwire (.*)$", PAGE, re.MULTILINE)]
    assert len(commands) == 11
    for command in commands:
        app.parse_args(command, exit_on_error=False, print_error=False)


def test_it_names_every_bot_and_the_budget() -> None:
    bots = PAGE.partition("## How the greedy bot evaluates")[0]
    assert re.findall(r"^\| `(\w+)` \|", bots, re.MULTILINE) == list(BOTS)
    assert f"a server gives {BUDGET:,}" in PAGE


def test_it_names_every_field_of_a_santorini_view() -> None:
    table = PAGE.partition("A Santorini view")[2].partition("A choice is")[0]
    named = [name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)]
    in_json = dict(zip(View.__struct_fields__, View.__struct_encode_fields__, strict=True))
    assert sorted(named) == sorted(in_json)
    renamed = [f"(`{name}` in JSON)" for field, name in in_json.items() if field != name]
    assert re.findall(r"\(`\w+` in JSON\)", table) == renamed != []
