"""Boards of the games, drawn on a canvas. A module is imported when its game is shown."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from boardwire.terminal.app.boards.board import Board


def board(game: str) -> Board:
    """Return the board module of a game."""
    return cast("Board", import_module(f"boardwire.terminal.app.boards.{game}"))
