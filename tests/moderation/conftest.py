"""Durable records of every kind, for the tests of moderation."""

from __future__ import annotations

from ..records.conftest import reopen, server  # noqa: TID252 - tests are no installed package

__all__ = ["reopen", "server"]
