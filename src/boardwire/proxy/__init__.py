"""Proxy between a client and a server, its transcripts and its inspector; a stored match as a conversation."""

__all__: list[str] = []
