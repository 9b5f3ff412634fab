"""Sockets to conversations and back, with limits."""

__all__: list[str] = []
