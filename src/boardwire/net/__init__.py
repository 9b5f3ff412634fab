"""Sockets: listeners, connections, HTTP, WebSocket upgrades and rate limits."""

__all__: list[str] = []
