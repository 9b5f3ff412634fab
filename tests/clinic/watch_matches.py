"""Correct matches of every protocol, each connection watched, and whatever a monitor finds in them.

    .venv/bin/python -m tests.clinic.watch_matches --matches 1000 santorini-lobby eriantys-messages

Without names, all protocols.  The matches of a protocol are spread over its set-ups (numbers of players, modes) and
over mixed tables, where only its own connections and those of the others that can be watched are.  A finding is a
mistake of the monitor's: it is printed, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from .watched import Table

NAMES = ("ann", "bob", "cleo", "dan")
SIZES = {
    "tris-lines": (2,),
    "forza-lines": (2,),
    "santorini-lobby": (1, 2, 3),
    "santorini-actions": (2, 3),
    "santorini-actions/shipped": (2, 3),
    "santorini-objects": (2, 3),
    "santorini-objects/d1": (2, 3),
    "santorini-objects/shipped": (2, 3),
    "eriantys-messages": (2, 3, 4),
    "eriantys-objects": (2, 3, 4),
}
MODES = ("simplified", "expert")


def setups(dialect: str) -> list[tuple[tuple[str, ...], dict[str, str]]]:
    """The tables that a protocol can be played at: who sits there by which protocol, and the settings."""
    game = dialect.partition("-")[0]
    others = [name for name in (*SIZES, "native") if name != dialect and (name == "native" or name.startswith(game))]
    modes = [{"mode": mode} for mode in MODES] if game == "eriantys" else [{}]
    found: list[tuple[tuple[str, ...], dict[str, str]]] = []
    for settings in modes:
        for size in SIZES[dialect]:
            found.append(((dialect,) * size, settings))
            if size > 1 and size in SIZES.get("santorini-actions", ()) + ((4,) if game == "eriantys" else ()):
                found += [((dialect, *[other] * (size - 1)), settings) for other in others if _seats(other, size)]
                found += [((other, *[dialect] * (size - 1)), settings) for other in others if _seats(other, size)]
    return found


def _seats(dialect: str, size: int) -> bool:
    return dialect == "native" or size in SIZES[dialect]


def play(table: Table, seats: tuple[str, ...], settings: dict[str, str], game: str) -> bool:
    """One match; whether it came to an end."""
    for name, dialect in zip(NAMES, seats, strict=False):
        own = {"game": game} if dialect == "native" else settings
        table.join(dialect, name, len(seats), settings=own)
    for _ in range(60):
        if all(person.over is not None for person in table.people):
            return True
        table.house.clock.pass_time(1.0)
        table.carry()
    return False


def main() -> None:
    """Play, and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("dialects", nargs="*", default=list(SIZES))
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    wrong = False
    for dialect in asked.dialects:
        game = dialect.partition("-")[0]
        tables = setups(dialect)
        ended, messages, found, began = 0, 0, Counter[str](), time.process_time()
        for number in range(asked.matches):
            seats, settings = tables[number % len(tables)]
            table = Table(asked.seed + number)
            ended += play(table, seats, settings, game)
            messages += len(table.said)
            for finding in table.findings:
                found[f"{seats} {settings}: {finding.side} {finding.section}: {finding.detail[:150]}"] += 1
        spent = time.process_time() - began
        print(f"{dialect}: {asked.matches} matches at {len(tables)} kinds of table, {ended} to the end, "
              f"{messages} messages, {sum(found.values())} findings, {spent:.0f} s of CPU", flush=True)  # fmt: skip
        for text, count in found.most_common(10):
            print(f"  {count} x {text}", flush=True)
        wrong = wrong or bool(found)
    sys.exit(wrong)


if __name__ == "__main__":
    main()
