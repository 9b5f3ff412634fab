"""Durable records of every kind, for the tests of moderation."""

from __future__ import annotations

from ..records.conftest import reopen

__all__ = ["reopen"]
