"""Time limits that are refused, and terms that need consent."""

from __future__ import annotations

import pytest

from boardwire import games
from boardwire.errors import Refused
from boardwire.games.eriantys import Character, CloudTime, Mode
from boardwire.games.eriantys import Options as Eriantys
from boardwire.games.santorini import Draft, God
from boardwire.games.santorini import Options as Santorini
from boardwire.lobby.requests import Attend, Seek
from boardwire.lobby.terms import check_policy, needs_consent
from boardwire.table.events import Player
from boardwire.table.policy import Leaving, Policy

from .hall import Hall, table_of

TEN = tuple(God)[:10]
POSITION = "0000000000000000000000000/1/mortal:A1,B1/mortal:D5,E5"


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (Policy(per_move=0.000001), "the time per decision must be at least 1 seconds, or 0 for no limit, not 1e-06"),
        (Policy(bank=4.9), "the time for the whole match must be at least 5 seconds"),
        (Policy(Leaving.HOLDS, grace=0.5), "the time to return must be at least 1 seconds"),
    ],
)
def test_times_that_are_too_short_are_refused(policy: Policy, words: str) -> None:
    with pytest.raises(Refused, match=words):
        check_policy(policy)
    assert words in Hall().do(Hall().guest(), Seek("tris", 2, Player(), None, policy))[0]


@pytest.mark.parametrize(
    ("policy", "fair"),
    [
        (Policy(), True),
        (Policy(per_move=10.0, bank=60.0), True),
        (Policy(per_move=9.9), False),
        (Policy(bank=59.0), False),
        (Policy(Leaving.HOLDS, 120.0, undo=True), True),
        (Policy(Leaving.HOLDS, 1.0), False),
        (Policy(Leaving.HOLDS, 86_400.0), False),
        (Policy(Leaving.HOLDS), False),
        (Policy(Leaving.BOT, 60.0), True),
    ],
)
def test_unfair_times_need_consent(policy: Policy, fair: bool) -> None:
    assert needs_consent(games.game("tris"), games.game("tris").Options(), policy) is not fair


@pytest.mark.parametrize(
    ("options", "is_standard"),
    [
        *((Santorini(draft), True) for draft in Draft if draft not in (Draft.GIVEN, Draft.POSITION)),
        (Santorini(Draft.GIVEN, gods=TEN[:2]), False),
        (Santorini(Draft.POSITION, position=POSITION), False),
        (Santorini(Draft.ONLINE, pool=TEN), True),
        (Santorini(Draft.ONLINE, pool=TEN[:9] + TEN[:1]), False),
        (Santorini(ply_cap=10), False),
        *((Eriantys(mode, cloud), True) for mode in Mode for cloud in CloudTime),
        (Eriantys(Mode.EXPERT, characters=tuple(Character)[:3]), False),
        (Eriantys(Mode.EXPERT, catalogue=tuple(Character)[:11]), False),
    ],
)
def test_standard_options_are_those_of_published_set_ups(options: Santorini | Eriantys, is_standard: bool) -> None:
    game = games.game("santorini" if isinstance(options, Santorini) else "eriantys")
    assert game.is_standard(options) is is_standard


def test_a_named_table_is_not_offered() -> None:
    hall = Hall()
    hall.guest(Seek("tris", 2, Player("trap"), fresh=True, named=True))
    victim = hall.guest(Seek("tris", 2, Player("ann")))
    assert table_of(victim) == "match-2"
    assert table_of(hall.guest(Attend("tris", ""))) == "match-2"
    assert [match.id for match in hall.lobby.survey()] == ["match-1", "match-2"], "it is on the list"
