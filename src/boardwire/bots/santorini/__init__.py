"""Santorini by search: an engine that looks many turns ahead."""

from typing import Final

from boardwire.bots.engine import Engine
from boardwire.bots.santorini.engine import SantoriniEngine

__all__ = ["ENGINE", "SantoriniEngine"]

ENGINE: Final[Engine] = SantoriniEngine()
"""The engine for Santorini."""
