"""Examination of clients: cases, and our own server playing its part in them."""

__all__: list[str] = []
