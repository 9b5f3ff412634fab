"""Runs a transcript: sends the messages of each client, and records the replies.

`ann > {...}` is sent by ann, who connects when she first says something; `ann < {...}` is what she gets; `ann lost` is
the end of her connection; `wait 5` lets seconds pass; `#` is a remark.  After each line come the replies: those of
the sender, then those of the others.
"""

from __future__ import annotations

from typing import Any

import msgspec

from boardwire.simulation.server import SimulatedServer

from .visitor import Visitor


def run(block: str) -> str:
    """Return the block with the replies of a real run."""
    server = SimulatedServer(seed=0)
    visitors: dict[str, Visitor] = {}
    lines = []
    for line in block.splitlines():
        who, sign, *rest = line.split(" ", 2)
        if who == "wait":
            server.clock.pass_time(float(sign))
        elif who == "#":
            pass
        elif sign == ">":
            visitors.setdefault(who, Visitor(server)).say_text(rest[0])
        elif sign == "lost":
            visitors.pop(who).peer.drop()
        else:
            continue
        lines.append(line)
        order = sorted(visitors, key=lambda name: (name != who, name))
        lines += [f"{name} < {msgspec.json.encode(said).decode()}" for name in order for said in _texts(visitors[name])]
    return "\n".join(lines) + "\n"


def _texts(visitor: Visitor) -> list[Any]:
    return [said for said in visitor.take() if isinstance(said, dict)]
