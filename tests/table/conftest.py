"""Fixture that registers the toy game for tests of tables."""

from __future__ import annotations

import pytest

from boardwire import games
from boardwire.games.game import AnyGame

from . import toy

REGISTERED = games.game


def find(name: str) -> AnyGame:
    """Return a registered game, or the toy."""
    return toy if name == "toy" else REGISTERED(name)


@pytest.fixture(autouse=True)
def _toy_is_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "game", find)
