"""Fixture that registers the toy game of the table tests."""

from __future__ import annotations

from ..table.conftest import _toy_is_a_game  # noqa: F401 - a fixture, used by its name
