"""Conformance of third-party programs: server checks, client examination, watchers and reports."""

__all__: list[str] = []
