"""Pairings, ratings and sequential tests: pure functions over names and results, shared by every kind of tournament."""

__all__: list[str] = []
