"""Bytes to values and back: lines, JSON lines, Java object streams.  Sans-I/O."""

__all__: list[str] = []
