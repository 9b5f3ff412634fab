"""How the weights of the Eriantys engine are learned: by seed, step by step."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from boardwire.bots.eriantys import train
from boardwire.bots.eriantys.core.slots import TOWERS
from boardwire.bots.eriantys.core.worth import COUNT, chances, mixed
from boardwire.bots.eriantys.weights import FILE, WEIGHTS, key_of, read
from boardwire.games.eriantys import Mode


def learn(file: Path, generations: int, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    words = ["--seats", "2", "--matches", "1", "--duels", "1", "--nodes", "5", "--into", str(file)]
    monkeypatch.setattr(sys, "argv", ["train", *words, "--generations", str(generations)])
    train.main()
    return dict(read(file)["2 simplified"])


@pytest.mark.slow
def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train, "PASSES", 3)
    start = read(FILE)["2 simplified"]["generation"]
    whole, broken = tmp_path / "whole.json", tmp_path / "broken.json"
    for file in (whole, broken):
        file.write_text(FILE.read_text())
    learn(broken, start + 1, monkeypatch)
    assert learn(broken, start + 2, monkeypatch) == learn(whole, start + 2, monkeypatch)
    assert len(read(whole)["2 simplified"]["figures"]) == len(read(FILE)["2 simplified"]["figures"]) + 2


def test_what_is_fitted_is_less_surprised() -> None:
    weights = [0.01] * (2 * COUNT)
    samples = []
    for number in range(2):
        samples += train.match(2, Mode.SIMPLIFIED, [weights, weights], 0, Random(number))[1]
    assert train.loss(samples, train.fit(samples, weights)) < train.loss(samples, weights)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_chances_are_shares_and_the_side_with_more_towers_has_more(seats: int) -> None:
    weights = mixed(WEIGHTS[key_of(seats, expert=False)], 1)
    state = train.set_up(seats, Mode.SIMPLIFIED, Random(1).randrange)
    before = chances(state, weights)
    assert sum(before) == pytest.approx(1)
    state[TOWERS] -= 3
    assert chances(state, weights)[0] > before[0]
