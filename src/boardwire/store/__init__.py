"""Where journals are kept: in memory, or in SQLite."""
