"""Bots: programs that see a view, never a position."""
