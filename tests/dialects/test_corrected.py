"""A position replaced without a step is shown to the client, and its question is put again."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from boardwire.dialects.dialect import Ask, ClientOptions
from boardwire.games import eriantys
from boardwire.games.eriantys.piles import ONE
from boardwire.games.eriantys.places import BAG, HALL
from boardwire.games.eriantys.position import changed
from boardwire.simulation.server import SimulatedClient, SimulatedServer, carry
from boardwire.table.guest import Corrected
from boardwire.table.match import Match

SETTINGS = {"eriantys-messages": {}, "eriantys-objects": {}, "native": {"game": "eriantys"}}


def corrected(match: Match) -> Match:
    """Return the match with two pink students in each player's hall and mother nature two tiles on."""
    students = match.position.students
    for seat in range(2):
        students += 2 * (ONE[HALL[seat]][3] - ONE[BAG][3])
    position = changed(match.position, students=students, mother=(match.position.mother + 2) % 12)
    return replace(match, seq=match.seq + 1, moved=match.seq + 1, position=position, pending=eriantys.pending(position))


@pytest.mark.parametrize("dialect", SETTINGS)
def test_a_corrected_position_is_shown_and_asked_again(dialect: str) -> None:
    server = SimulatedServer(seed=3)
    notification: list[list[Any]] = [[], []]
    pairs = []
    for seat, name in enumerate(("ann", "bob")):

        def receive(client: SimulatedClient, one: Any, told: list[Any] = notification[seat]) -> None:
            told.append(one)

        seating = ClientOptions(name, 2, SETTINGS[dialect])
        pairs.append((SimulatedClient(dialect, receive, seating, server.clock), server.connect(dialect)))
        while carry(pairs):
            pass
    for _ in range(3):  # some clients choose a tower, or ask for boards, a second later
        server.clock.pass_time(1.0)
        while carry(pairs):
            pass
    match = server.match()
    assert match.pending is not None
    (seat,) = match.pending.seats
    asked = next(number for number, told in enumerate(notification) if any(isinstance(one, Ask) for one in told))
    before = len([one for one in notification[asked] if isinstance(one, Ask)])
    pairs[asked][1].talk.tell(Corrected(corrected(match)))
    while carry(pairs):
        pass
    questions = [one for one in notification[asked] if isinstance(one, Ask)]
    assert len(questions) == before + 1
    view = questions[-1].view
    assert view.boards[questions[-1].decision.seats[0]].hall[3] == 2
    truth = eriantys.view(corrected(match).position, None)
    assert [one.mother_nature for one in view.islands] == [one.mother_nature for one in truth.islands]
