"""Proxy between clients and a server, its transcripts and inspector; a stored match as a conversation."""

__all__: list[str] = []
