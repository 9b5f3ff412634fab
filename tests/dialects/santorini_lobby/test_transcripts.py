"""Transcripts of conversations.

Lines are written as on the wire, or in short form: the type, then the values of the content in their order. A user or
god is a name, a cell `x,y`, a building its level with `^` for a dome, a list is in brackets.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from boardwire.dialects.dialect import Dialect
from boardwire.dialects.santorini_lobby import DIALECTS
from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.simulation.server import SimulatedConnection, SimulatedServer
from boardwire.testing.transcript import Transcript, text_bytes

FILES = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))


class Hall(SimulatedServer):
    """Simulated server that knows this dialect, registered or not."""

    def connect(self, dialect: str | Dialect) -> SimulatedConnection:
        return super().connect(DIALECTS[dialect] if isinstance(dialect, str) and dialect in DIALECTS else dialect)


def short(value: Any) -> str:
    match value:
        case {"type": str(kind), "description": str(text)}:
            return f"{kind} {text}"
        case {"username": str(name)} | {"name": str(name)} | {"description": str(name)}:
            return name
        case {"x": int(x), "y": int(y)}:
            return f"{x},{y}"
        case {"level": str(level), "dome": bool(dome)}:
            return level + "^" * dome
        case dict():
            return " ".join(short(one) for one in value.values())
        case list():
            return f"[{' '.join(short(one) for one in value)}]"
        case bool():
            return "yes" if value else "no"
        case _:
            return str(value)


def read(data: bytes) -> list[str]:
    lines = data.decode("ascii").split("\n")
    assert lines.pop() == "", "the last line has an end"
    return [f"{message['type']} {short(message['content'])}".strip() for message in map(json.loads, lines)]


def write(text: str) -> bytes:
    kind, *words = text.split()
    match kind, words:
        case "SELECT_PLAYER_NUMBER", [size]:
            return wire.encode(wire.SelectPlayerNumber(int(size)))
        case "ADD_USER", [user]:
            return wire.encode(wire.AddUser(wire.User(user)))
        case "SELECT_GODS", [user, *gods]:
            return wire.encode(wire.SelectGods(wire.User(user), tuple(map(wire.GodName, gods))))
        case "CHOOSE_GOD", [user, god]:
            return wire.encode(wire.ChooseGod(wire.User(user), wire.GodName(god)))
        case "CHOOSE_FIRST_PLAYER", [user, first]:
            return wire.encode(wire.ChooseFirstPlayer(wire.User(user), wire.User(first)))
        case "PLACE_PAWNS", [user, one, other]:
            return wire.encode(wire.PlacePawns(wire.User(user), cell(one), cell(other)))
        case ("CHECK_ACTION" | "EXECUTE_ACTION") as kind, [user, pawn, action, at]:
            deed = wire.CheckAction if kind == "CHECK_ACTION" else wire.ExecuteAction
            name = wire.ActionName(action)
            return wire.encode(deed(user=wire.User(user), id=int(pawn), action=name, coordinate=cell(at)))
        case "PING", []:
            return wire.PING
        case _:
            return text_bytes(text)


def cell(text: str) -> wire.Coordinate:
    x, y = map(int, text.split(","))
    return wire.Coordinate(x, y)


@pytest.mark.parametrize("file", [file for file in FILES if not file.stem.startswith("wire-")], ids=lambda f: f.stem)
def test_the_transcript_matches_the_server(file: Path) -> None:
    Transcript(Hall(seed=0), read, write).play_file(file)


@pytest.mark.parametrize("file", [file for file in FILES if file.stem.startswith("wire-")], ids=lambda f: f.stem)
def test_the_short_lines_equal_those_on_the_wire(file: Path) -> None:
    Transcript(Hall(seed=0)).play_file(file)


def test_transcripts_exist() -> None:
    assert len(FILES) >= 12
