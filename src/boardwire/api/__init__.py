"""HTTP API: health, tables, matches, games. The native WebSocket is in `net/http.py`."""

__all__: list[str] = []
