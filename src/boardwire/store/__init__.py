"""Journals: in memory, in SQLite and in PostgreSQL."""

__all__: list[str] = []
