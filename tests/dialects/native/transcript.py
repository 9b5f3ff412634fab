"""Runs a transcript of the page: what each client sends is sent, and what each gets is written down.

`ann > {...}` is sent by ann, who connects when she first says something; `ann < {...}` is what she gets; `ann lost` is
the end of her connection.  After each line come the replies: those of whoever spoke, then those of the others.
"""

from __future__ import annotations

import msgspec

from boardwire.testing.house import House

from .visitor import Visitor


def run(block: str) -> str:
    """The block again, with the replies of a real run."""
    house = House(seed=0)
    visitors: dict[str, Visitor] = {}
    lines = []
    for line in block.splitlines():
        who, sign, *rest = line.split(" ", 2)
        if sign == ">":
            visitors.setdefault(who, Visitor(house)).say_text(rest[0])
        elif sign == "lost":
            visitors.pop(who).peer.drop()
        else:
            continue
        lines.append(line)
        order = sorted(visitors, key=lambda name: (name != who, name))
        lines += [f"{name} < {msgspec.json.encode(said).decode()}" for name in order for said in visitors[name].take()]
    return "\n".join(lines) + "\n"
