"""Codecs between bytes and values: lines, JSON lines, WebSocket frames, Java object streams, NATS. Sans-I/O."""

__all__: list[str] = []
