"""Conformance of other people's programs: checks of servers, examination of clients, watchers and reports."""

__all__: list[str] = []
