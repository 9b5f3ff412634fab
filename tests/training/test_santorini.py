"""Training of the Santorini net: rounds continue where the last call stopped, and repeat with the same seed."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardwire.bots.santorini import weights
from boardwire.bots.santorini.core.net import NET_BYTES, Net
from training import c_library, santorini

pytestmark = pytest.mark.skipif(c_library.compiler() is None, reason="there is no C compiler")


def test_samples_have_whole_records_and_a_fitted_net_can_be_used(tmp_path: Path) -> None:
    path = tmp_path / "samples.bin"
    count = santorini.play(None, 100, 0.1, 1, path)
    assert count > 100
    assert path.stat().st_size == count * santorini.SAMPLE_BYTES
    found = santorini.fitted([path], 1, 1)
    assert len(found) == NET_BYTES
    assert Net(found).weights == santorini.fitted([path], 1, 1), "the same seed gives the same net"


def test_a_trained_net_is_stronger_than_the_plain_evaluation() -> None:
    result = santorini.compared(weights.net().weights, None, 300, 200, 1)
    assert result.ratio() > santorini.SPRT_BOUND
    elo, error = result.elo()
    assert elo - error > 0


def test_a_player_is_as_strong_as_itself() -> None:
    result = santorini.Comparison(20, 60, 20)
    assert result.won == result.matches / 2
    assert result.ratio() < 0
    assert abs(result.elo()[0]) < 1e-9


def test_a_second_call_continues_with_the_next_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "train --seconds 0.1 --nodes 50 --epochs 1 --matches 20 --compare-nodes 50 --folder"
    monkeypatch.setattr("sys.argv", [*words.split(), str(tmp_path)])
    for _ in range(2):
        santorini.main()
    printed = capsys.readouterr().out
    assert "round 1\n" in printed
    assert "round 2\n" in printed
    assert {path.name for path in tmp_path.glob("net-*")} == {"net-001.bin", "net-002.bin"}


def test_invalid_weights_are_refused() -> None:
    with pytest.raises(ValueError, match="invalid weights"):
        santorini.compared(b"\x7f" * NET_BYTES, None, 100, 20, 1)
