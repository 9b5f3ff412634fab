"""Organiser's tables: tables that one player opens for others, with private events and signed webhooks."""

__all__: list[str] = []
