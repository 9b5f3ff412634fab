"""Where journals are kept: in memory, or in SQLite."""

__all__: list[str] = []
