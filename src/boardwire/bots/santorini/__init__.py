"""The Santorini engine."""

from typing import Final

from boardwire.bots.engine import Engine
from boardwire.bots.santorini.engine import SantoriniEngine

__all__ = ["ENGINE", "SantoriniEngine"]

ENGINE: Final[Engine] = SantoriniEngine()
"""The engine for Santorini."""
