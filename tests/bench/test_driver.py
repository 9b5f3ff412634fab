"""The driver against real servers with a few moves; no test depends on timing."""

import pytest
from bench.contenders import Measurement, drive, print_table, rounds_of
from bench.driver import TIMED_TURNS
from bench.kinds import DRAW, KINDS

from bench import hotloop, servers
from training import c_library

GAMES = 3


@pytest.fixture(autouse=True)
def _compiler() -> None:
    if c_library.compiler() is None:
        pytest.skip("there is no C compiler")


def test_a_round_plays_whole_matches_and_every_move_is_answered_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with servers.boardwire("tris-lines", ":memory:") as (pid, port):
        sample = drive(("bench.driver", "tris-lines"), pid, port, GAMES, 1)
    assert (sample.matches, sample.moves) == (GAMES, GAMES * TIMED_TURNS)
    assert sample.sent == sample.moves * len(b"4\n")
    assert sample.received == sample.moves * (len(b"OK\n") + len(b"         \n") + len(DRAW))
    assert 0 < sample.p50 <= sample.p99
    assert sample.cpu > 0 < sample.shown
    print_table({"tris-lines": Measurement([sample], sample.memory)}, "tris-lines")
    assert "tris-lines" in capsys.readouterr().out


def test_both_seats_of_a_native_match_are_notified_of_every_move() -> None:
    with servers.boardwire("native", ":memory:") as (pid, port):
        sample = drive(("bench.driver", "native"), pid, port, GAMES, 1, "--pace", "0.01")
    assert sample.moves == GAMES * TIMED_TURNS
    assert sample.shown > 0


def test_a_closed_connection_is_reported() -> None:
    kind = KINDS["line-echo"]
    with servers.module("bench.echo") as (_, port):
        seats = kind.seat((port, port), 0)
    with hotloop.HotLoop(seats, kind.marker, kind.framed, kind.echo) as loop, pytest.raises(RuntimeError) as error:
        loop.play([kind.moves(0)], 0, TIMED_TURNS)
    for seat in seats:
        seat.close()
    assert str(error.value) in (hotloop.FAILURES[-1], hotloop.FAILURES[-3])


def test_one_driver_process_plays_several_rounds() -> None:
    with (
        servers.boardwire("tris-lines", ":memory:") as (pid, port),
        rounds_of(("bench.driver", "tris-lines"), pid, port, GAMES, 1) as play,
    ):
        samples = [play(False) for _ in range(2)]
    assert [sample.moves for sample in samples] == [GAMES * TIMED_TURNS] * 2


def test_the_measurement_exits_if_the_server_is_gone() -> None:
    with servers.module("bench.echo") as (pid, port):
        pass
    with rounds_of(("bench.driver", "line-echo"), pid, port, 1, 1) as play, pytest.raises(SystemExit):
        play(False)
