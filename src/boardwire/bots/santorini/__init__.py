"""Santorini by search: an engine that looks many turns ahead."""

from boardwire.bots.santorini.engine import SantoriniEngine

__all__ = ["SantoriniEngine"]
