"""Tournaments between people, bots and programs at the server's tables."""

__all__: list[str] = []
