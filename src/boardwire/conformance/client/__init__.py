"""Examination of clients: cases, and our own server that plays them."""

__all__: list[str] = []
