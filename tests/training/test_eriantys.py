"""How the weights of the Eriantys engine are tuned: by seed, step by step, and no longer than it takes."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from training.eriantys import Kind, Slope, climb, duel, moved, set_up, verdict

from boardwire.bots.eriantys.core.evaluation import (
    COUNT,
    PROFESSORS,
    PURSE,
    TOWERS_PLACED,
    Features,
    chances,
    weights_for_round,
)
from boardwire.bots.eriantys.core.slots import TOWERS
from boardwire.bots.eriantys.weights import WEIGHTS, WEIGHTS_FILE, read, weights_key
from boardwire.games.eriantys import Mode
from training import eriantys as training

KIND = Kind(2, Mode.SIMPLIFIED, 5, 1)


def tune(folder: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> Any:
    asked = ["--batch", "2", "--pairs", "2", "--nodes", "5", "--folder", str(folder), *words]
    monkeypatch.setattr(sys, "argv", ["tune", *asked])
    training.main()
    return json.loads((folder / "eriantys 2 simplified.json").read_text())


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tune(tmp_path / "broken", monkeypatch, "--generations", "1")
    broken = tune(tmp_path / "broken", monkeypatch, "--generations", "2")
    whole = tune(tmp_path / "whole", monkeypatch, "--generations", "2")
    assert broken == whole
    assert len(whole["ladder"]) == 2 * len(training.STEPS)


def test_what_was_found_is_written_into_the_weights_only_if_fresh_matches_confirm_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "weights.json"
    file.write_text(WEIGHTS_FILE.read_text())
    found = tune(tmp_path, monkeypatch, "--generations", "1")
    found["best"] = [2 * weight for weight in found["best"]]
    (tmp_path / "eriantys 2 simplified.json").write_text(json.dumps(found))
    confirm = ("--into", str(file), "--confirm", "1")
    monkeypatch.setattr(training, "duel", lambda *given: 0.04)
    tune(tmp_path, monkeypatch, *confirm)
    assert read(file) == read(WEIGHTS_FILE)
    monkeypatch.setattr(training, "duel", lambda *given: 0.06)
    tune(tmp_path, monkeypatch, *confirm)
    assert read(file)["2 simplified"]["weights"] == found["best"]
    assert len(read(file)["2 simplified"]["figures"]) > len(read(WEIGHTS_FILE)["2 simplified"]["figures"])


def test_the_way_up_leaves_out_what_noise_explains() -> None:
    slope = Slope([0.0] * (2 * COUNT), squares=100.0, matches=400)
    slope.sums[TOWERS_PLACED], slope.sums[PROFESSORS], slope.sums[PURSE] = 40.0, -20.0, 9.0
    way = climb(slope)
    assert way[TOWERS_PLACED] == 1
    assert -0.5 < way[PROFESSORS] < -0.3
    assert [at for at, one in enumerate(way) if one] == [TOWERS_PLACED, PROFESSORS]


def test_weights_keep_their_sign_however_far_they_are_moved() -> None:
    weights = WEIGHTS["2 simplified"]
    after = moved(weights, [-9.0] * COUNT + [0.0] * COUNT)
    assert [one > 0 for one in after[:COUNT]] == [one > 0 for one in weights[:COUNT]]
    assert after[COUNT:] == weights[COUNT:]


def test_a_trial_ends_as_soon_as_it_is_clear() -> None:
    assert verdict([0.5] * 9) == 0
    assert verdict([0.5, 0.0] * 10) == 1
    assert verdict([-0.5, 0.0] * 10) == -1
    assert verdict([0.5, -0.5, 0.0] * 10) == 0


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_weights_get_their_share_of_matches_against_themselves(seats: int) -> None:
    weights = WEIGHTS[weights_key(seats, expert=False)]
    assert duel(Kind(seats, Mode.SIMPLIFIED, 5, 1), weights, weights, "alike") == pytest.approx(0)


def test_weights_that_see_no_towers_lose() -> None:
    weights = WEIGHTS["2 simplified"]
    blind = [0.0 if at in (TOWERS_PLACED, PROFESSORS) else -weight for at, weight in enumerate(weights)]
    kind = Kind(2, Mode.SIMPLIFIED, 200, 1)
    assert sum(duel(kind, weights, blind, f"blind {number}") for number in range(3)) > 1


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_chances_are_shares_and_the_side_with_more_towers_has_more(seats: int) -> None:
    weights, room = weights_for_round(WEIGHTS[weights_key(seats, expert=False)], 9), Features()
    state = set_up(seats, Mode.SIMPLIFIED, Random(1).randrange)
    before = chances(state, weights, room)
    assert sum(before) == pytest.approx(1)
    state[TOWERS] -= 3
    assert chances(state, weights, room)[0] > before[0]
