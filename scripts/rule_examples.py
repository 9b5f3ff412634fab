"""Generate the examples of the page's rules: `python -m scripts.rule_examples [--check]`.

`web/src/rules/examples/GAME.txt` has positions and steps in notation. This script plays them by the rules and writes
the frames that the page draws to `GAME.json` beside it: a list of frames per example. A frame has the view (after the
first frame, only its changed fields), the events of the step, the legal actions if the text says `light`, and for a
`refuse` the action and the rule that forbids it. A step that the rules do not accept is an error.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from scripts.page import ROOT

from boardwire.errors import BoardwireError
from boardwire.games import eriantys, forza, santorini, tris
from boardwire.games.eriantys import diagram
from boardwire.games.game import AnyGame
from boardwire.games.santorini.line import Line

EXAMPLES: Final = ROOT / "web" / "src" / "rules" / "examples"


class Example(NamedTuple):
    """An example: its name, the seat whose view is shown (None for a spectator), the position and the steps."""

    name: str
    seat: int | None
    given: tuple[str, ...]
    steps: tuple[tuple[str, str], ...]


class Rules(NamedTuple):
    """A game with the parsers of its positions and actions."""

    game: AnyGame
    start: Callable[[tuple[str, ...]], Any]
    action: Callable[[str], Any]


def _santorini(given: tuple[str, ...]) -> Any:
    (text,) = given
    return Line(text).position


GAMES: Final = {
    "santorini": Rules(santorini, _santorini, santorini.parse_action),
    "eriantys": Rules(eriantys, lambda given: diagram.parse_position(";".join(given)), eriantys.parse_action),
    "forza": Rules(forza, lambda given: forza.new(forza.Options(), 2), forza.parse_action),
    "tris": Rules(tris, lambda given: tris.new(tris.Options(), 2), tris.parse_action),
}


def read(path: Path) -> Iterator[Example]:
    """Parse the examples of a file."""
    name, seat, given, steps = "", None, list[str](), list[tuple[str, str]]()
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        word, _, rest = line.strip().partition(" ")
        match word:
            case "" | "#":
                continue
            case "example:":
                if name:
                    yield Example(name, seat, tuple(given), tuple(steps))
                name, seat, given, steps = rest, None, [], []
            case "as":
                seat = int(rest) - 1
            case "given":
                given.append(rest)
            case "do" | "refuse" | "light":
                steps.append((word, rest))
            case _:
                raise ValueError(f"{path.name}:{number}: {word!r} is not example:, as, given, light, do or refuse")
    yield Example(name, seat, tuple(given), tuple(steps))


def frames(rules: Rules, example: Example) -> list[dict[str, Any]]:
    """Play an example; raise `ValueError` for a step that is illegal, or for a `refuse` that is legal."""
    game, position = rules.game, rules.start(example.given)
    view: dict[str, Any] = msgspec.to_builtins(game.view(position, example.seat))
    frames_so_far: list[dict[str, Any]] = [{"view": view}]
    for word, text in example.steps:
        decision = game.pending(position)
        where = f"{game.name}, example {example.name}, {word} {text}"
        if decision is None:
            raise ValueError(f"{where}: the match is over")
        if word == "light":
            frames_so_far[-1]["choices"] = msgspec.to_builtins(list(decision.choices))
            continue
        seat, action = decision.seats[0], rules.action(text)
        try:
            objection = game.objection(position, seat, action) if seat >= 0 else None
        except BoardwireError as error:
            raise ValueError(f"{where}: {error}") from None
        if (objection is not None) is not (word == "refuse"):
            choices = " ".join(sorted(map(game.format_action, decision.choices)))
            raise ValueError(f"{where}: {'legal' if objection is None else objection.rule}; legal are {choices}")
        if objection is not None:
            frames_so_far.append(
                {"refused": {"action": msgspec.to_builtins(action), "objection": msgspec.to_builtins(objection)}}
            )
            continue
        position, events = game.apply(position, seat, action)
        seen = [shown for event in events if (shown := game.show(event, example.seat)) is not None]
        now = msgspec.to_builtins(game.view(position, example.seat))
        frames_so_far.append(
            {
                "view": {key: value for key, value in now.items() if value != view.get(key)},
                "happened": msgspec.to_builtins(seen),
            }
        )
        view = now
    return frames_so_far


def written(name: str) -> str:
    """Return the contents of a game's file of frames, with one example per line."""
    rules = GAMES[name]
    rows = []
    for example in read(EXAMPLES / f"{name}.txt"):
        body = msgspec.json.encode(frames(rules, example)).decode()
        rows.append(f'"{example.name}":{body}')
    return "{" + ",\n".join(rows) + "}\n"


def main() -> int:
    """Write the files or, with --check, compare them; return the exit code."""
    stale = []
    for name in GAMES:
        place, now = EXAMPLES / f"{name}.json", written(name)
        if sys.argv[1:] != ["--check"]:
            place.write_text(now, "utf-8")
        elif not place.exists() or place.read_text("utf-8") != now:
            stale.append(place.name)
    if stale:
        print(f"{', '.join(stale)}: out of date; run `make types`", file=sys.stderr)
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main())
