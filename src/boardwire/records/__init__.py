"""Relational records beside the journal: players, ratings, tournaments, moderation."""

__all__: list[str] = []
