"""Hosting: tables that live on this node, and delegates of guests on other nodes."""

__all__: list[str] = []
