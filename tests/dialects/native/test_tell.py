"""Steps assembled from shared parts equal the steps encoded for each seat."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from boardwire import games
from boardwire.dialects.native import messages as wire
from boardwire.dialects.native import tell
from boardwire.games.game import CHANCE, Draw
from boardwire.table import events as ev
from boardwire.table.events import Player
from boardwire.table.guest import Step
from boardwire.table.match import Match, Moment, evolve, match_of_opening
from boardwire.table.policy import Policy

SEATS = 2


def options(game: str) -> dict[str, Any]:
    """Return options with secrets or many pieces, if the game has such."""
    return {"santorini": {"draft": "random"}, "eriantys": {"mode": "expert"}}.get(game, {})


def steps(game: str, most: int = 60) -> Iterator[Step]:
    """Yield the steps of a random match; chance draws belong to the step before."""
    luck = Random(game)
    match = match_of_opening(ev.Opened(1.0, "m", game, SEATS, options(game), Policy(undo=True, bank=300.0)))
    for seat in range(SEATS):
        yield (step := Step((evolve(match, ev.Joined(2.0, seat, Player(f"p{seat}", "native"))),)))
        match = step.match
    group: list[Moment] = [evolve(match, ev.Started(3.0, match.setting.options))]
    for number in range(most):
        match = group[-1].match
        if match.pending is None:
            break
        seat, action = _chosen(match, luck)
        if seat != CHANCE:
            yield Step(tuple(group))
            group = []
        event = ev.Dealt(4.0, action) if seat == CHANCE else ev.Acted(4.0 + number, seat, action)
        group.append(evolve(match, event))
    yield Step(tuple(group))
    yield Step((evolve(group[-1].match, ev.Chatted(9.0, None, 'so "what"?', "eve")),))


def _chosen(match: Match, luck: Random) -> tuple[int, Any]:
    assert match.pending is not None
    choices = match.pending.choices
    action = choices.draw(luck.randrange) if isinstance(choices, Draw) else luck.choice(tuple(choices))
    return match.pending.seats[0], action


@pytest.mark.parametrize("game", games.NAMES)
def test_a_shared_step_equals_the_step_encoded_for_each_seat(game: str) -> None:
    fixed = [tell.FixedFields() for _ in range(SEATS + 1)]
    for step in steps(game):
        for reader, seat in zip(fixed, (*range(SEATS), None), strict=True):
            happened = tuple(tell._happening_of(moment, seat) for moment in step.moments)
            whole = wire.encode(wire.Step(events=happened, state=tell.state(step.match, seat)))
            assert msgspec.json.decode(tell.step(step, seat, reader)) == msgspec.json.decode(whole)


@pytest.mark.parametrize("game", games.NAMES)
def test_without_secrets_all_seats_without_a_decision_share_a_frame(game: str) -> None:
    shared = 0
    for step in steps(game):
        pending = step.match.pending
        idle = [seat for seat in (*range(SEATS), None) if pending is None or seat not in pending.seats]
        frames = {id(tell.frame(step, seat, tell.FixedFields())) for seat in idle}
        shared += len(frames) < len(idle)
    assert bool(shared) is not games.game(game).views_differ


@pytest.mark.parametrize("game", games.NAMES)
def test_views_are_the_same_for_all_unless_the_game_says_that_they_differ(game: str) -> None:
    rules = games.game(game)
    for step in steps(game):
        if rules.views_differ or step.match.position is None:
            continue
        views = [rules.view(step.match.position, seat) for seat in (*range(SEATS), None)]
        assert views == views[:1] * len(views)
        for one in (one for moment in step.moments for one in moment.happened):
            assert all(rules.show(one, seat) == one for seat in (*range(SEATS), None))
