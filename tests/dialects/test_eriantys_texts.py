"""Texts that both Eriantys dialects share."""

from __future__ import annotations

import pytest

from boardwire.dialects.eriantys_texts import LastRound, read_last_round


@pytest.mark.parametrize("end", ["", "."])
@pytest.mark.parametrize("clouds", [True, False])
def test_the_announcement_of_the_last_round_round_trips(clouds: bool, end: str) -> None:
    announcement = LastRound("the bag is empty", clouds)
    assert read_last_round(announcement.text() + end) == announcement


def test_the_announcement_may_have_no_reason() -> None:
    assert read_last_round("This is the last round.") == LastRound("", True)


def test_another_text_is_not_the_announcement() -> None:
    assert read_last_round("Your turn is over") is None
