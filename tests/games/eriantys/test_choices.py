"""What a client reads off a view is what the rules offer."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from boardwire.games import eriantys
from boardwire.games.eriantys import (
    Character,
    CloudTime,
    Done,
    Kind,
    Mode,
    Options,
    TakeCloud,
    ToHall,
    UseCharacter,
    View,
    choices,
)
from boardwire.games.game import CHANCE, Draw, Seat


def seen(view: View, seat: Seat, kind: Kind) -> set[Any]:
    """What the seat may choose, as far as the view tells."""
    if kind is Kind.ASSISTANT:
        return {*choices.assistants(view, seat)}
    early = view.cloud is CloudTime.EITHER and not (view.moved or view.took_cloud or view.clouds_closed)
    offered: dict[Kind, tuple[Any, ...]] = {
        Kind.STUDENT: (*choices.students(view, seat), *(choices.clouds(view) if early else ())),
        Kind.STEPS: choices.steps(view),
        Kind.CLOUD: choices.clouds(view),
        Kind.FINISH: (Done(),),
    }
    return {*offered[kind], *choices.uses(view, seat)}


@pytest.mark.parametrize("three", [tuple(Character)[at : at + 3] for at in range(0, 12, 3)], ids=" ".join)
@pytest.mark.parametrize("cloud", [CloudTime.LAST, CloudTime.EITHER])
def test_a_view_offers_what_the_rules_do(three: tuple[Character, ...], cloud: CloudTime) -> None:
    random = Random(len(three[0]))
    position = eriantys.new(Options(Mode.EXPERT, cloud, characters=three), 3)
    offered: set[type | Character] = set()
    while (decision := eriantys.pending(position)) is not None:
        seat, all_of_them = decision.seats[0], decision.choices
        if isinstance(all_of_them, Draw):
            action = all_of_them.draw(random.randrange)
        elif seat == CHANCE:
            action = random.choice(tuple(all_of_them))
        else:
            if decision.kind is not Kind.SWAP:
                assert seen(eriantys.view(position, None), seat, Kind(decision.kind)) == set(all_of_them)
            offered |= {one.character if isinstance(one, UseCharacter) else type(one) for one in all_of_them}
            earning: list[Any] = [one for one in all_of_them if isinstance(one, ToHall)]
            saving = earning or [one for one in all_of_them if not isinstance(one, UseCharacter)]
            action = random.choice(saving if random.random() < 0.9 else tuple(all_of_them))
        position, _ = eriantys.apply(position, seat, action)
    assert {*three, TakeCloud} <= offered
