"""The lobby: finds or opens a table for each request of a guest."""

__all__: list[str] = []
