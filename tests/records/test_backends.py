"""The registry of backends."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardwire.errors import ConfigError, Refused
from boardwire.records.backends import backend, durable_backend, is_address
from boardwire.records.sqlite import RECORDS_FILE


def test_an_address_is_known_and_other_text_is_refused_without_being_quoted() -> None:
    assert is_address("postgresql://ann:secret@host/name")
    assert durable_backend("postgresql://ann:secret@host/name").label == "the database"
    with pytest.raises(
        ConfigError, match="invalid database address; expected one like postgresql://USER@HOST/NAME"
    ) as refusal:
        durable_backend("mysql://ann:secret@host/name")
    assert "secret" not in str(refusal.value)


def test_a_directory_needs_records_until_they_are_made(tmp_path: Path) -> None:
    place = durable_backend(tmp_path)
    with pytest.raises(Refused, match=f"{tmp_path} has no {RECORDS_FILE}"):
        place.require_records()
    assert place.record_rows("players", "SELECT 1") == ()
    place.records().close()
    place.require_records()
    assert place.record_rows("players", "SELECT 1") == []


def test_a_server_without_a_place_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    place = backend(None)
    place.analyses().put("m1", b"thoughts")
    assert place.analyses().get("m1") is None
    place.records().close()
    assert list(tmp_path.iterdir()) == []
