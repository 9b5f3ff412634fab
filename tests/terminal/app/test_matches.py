"""Whole matches in the terminal client, against bots over real sockets."""

from __future__ import annotations

import pytest

from . import stage as on


def play_by_keyboard(game: str, most: int, **settings: object) -> None:
    async def scenario() -> None:
        async with on.place() as place, on.stage(place.server) as stage:
            await stage.connected()
            await stage.open(game, bots=("", "greedy"), **settings)
            for _ in range(most):
                await stage.until(lambda: stage.is_asked() or stage.is_over())
                if stage.is_over():
                    break
                await stage.choose_first()
            assert stage.is_over()
            assert "F7 plays again" in stage.text()

    on.run(scenario)


def test_a_match_of_tris_is_played_by_keyboard() -> None:
    play_by_keyboard("tris", 9)


def test_a_match_of_forza_is_played_by_keyboard() -> None:
    play_by_keyboard("forza", 60)


def test_a_match_of_santorini_with_drafted_gods_is_played_by_keyboard() -> None:
    play_by_keyboard("santorini", 400, options={"draft": "challenger"})


@pytest.mark.slow
def test_a_match_of_eriantys_is_played_by_keyboard() -> None:
    play_by_keyboard("eriantys", 600, options={"mode": "expert"})
