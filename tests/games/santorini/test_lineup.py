"""Powers in play: cards, powers in effect, and what is kept when they change."""

from __future__ import annotations

import copy
import pickle

import pytest

from boardwire.errors import Illegal
from boardwire.games.santorini.ending import change_power
from boardwire.games.santorini.events import Event, PowerChanged
from boardwire.games.santorini.lineup import Lineup, lineup
from boardwire.games.santorini.notation import parse_position
from boardwire.games.santorini.powers.catalogue import BANS, CATALOGUE, God, allowed, banned
from boardwire.games.santorini.powers.registry import POWERS

FLAT = "00000 00000 00000 00000 00000"


def test_a_lineup_is_equal_to_another_of_the_same_gods() -> None:
    one = lineup((God.PAN, God.ATLAS))
    again = Lineup((God.PAN, God.ATLAS), (God.PAN, God.ATLAS), False)
    assert one is lineup((God.PAN, God.ATLAS))
    assert one == again
    assert hash(one) == hash(again)
    assert one != lineup((God.PAN, God.ATLAS), printed=True)
    assert one != lineup((God.ATLAS, God.PAN))


def test_positions_survive_copying_and_pickling() -> None:
    p = parse_position(f"{FLAT}/1/pan:A1,A2/chaos+atlas{{8}}:E1,E2")
    assert pickle.loads(pickle.dumps(p)) == p
    assert copy.deepcopy(p) == p


def test_a_card_that_watches_is_in_play_beside_the_power_it_gave() -> None:
    cast = lineup((God.CHAOS, God.PAN))
    assert cast.gods == (God.MORTAL, God.PAN)
    assert [keeper.god for keeper in cast.keepers] == [God.CHAOS]
    assert cast.changed(0, God.ATLAS).cards == (God.CHAOS, God.PAN)


def test_a_power_that_changes_hands_is_fresh() -> None:
    p = parse_position(f"{FLAT}/1/mortal:A1,A2/athena[^]:E1,E2")
    log: list[Event] = []
    p = change_power(change_power(p, 1, God.MORTAL, log), 1, God.ATHENA, log)
    assert p.memos[1] == ()
    assert log == [PowerChanged(1, God.MORTAL), PowerChanged(1, God.ATHENA)]
    assert change_power(p, 1, God.ATHENA, log) is p


def test_a_lasting_power_remembers_while_its_owner_is_without_it() -> None:
    p = parse_position(f"{FLAT}/1/mortal:A1,A2/medea[x]:E1,E2")
    p = change_power(p, 1, God.MORTAL)
    assert p.memos[1] == ()
    p = change_power(p, 1, God.MEDEA)
    assert p.memos[1] == (1,)
    assert change_power(p, 0, God.MEDEA).memos[0] == ()  # another's is fresh


def test_a_power_without_a_class_cannot_be_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(POWERS, God.PAN)
    with pytest.raises(Illegal, match="Pan is not implemented; choose another god"):
        Lineup((God.PAN, God.MORTAL), (God.PAN, God.MORTAL), False)


def test_the_catalogue_has_67_gods_with_different_texts() -> None:
    assert len(CATALOGUE) == 67
    assert len({entry.text for entry in CATALOGUE.values()}) == 67
    assert set(POWERS) <= {God.MORTAL, *CATALOGUE}
    families = [entry.family for entry in CATALOGUE.values()]
    assert [families.count(family) for family in dict.fromkeys(families)] == [10, 20, 15, 10, 12]


def test_bans_hold_both_ways_and_heroes_are_for_two() -> None:
    assert banned(God.CIRCE, God.MEDEA)
    assert banned(God.MEDEA, God.CIRCE)
    assert not banned(God.PAN, God.HERA)
    assert len(BANS) == 55
    assert allowed(God.MEDEA, 2)
    assert not allowed(God.MEDEA, 3)
    assert not allowed(God.HECATE, 3)
    assert allowed(God.HECATE, 3, printed=True)
    assert allowed(God.MEDEA, 1)
