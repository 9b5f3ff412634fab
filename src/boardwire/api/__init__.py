"""HTTP: health, tables, matches, games.  The native dialect's WebSocket has its own way in (`net/http.py`)."""

__all__: list[str] = []
