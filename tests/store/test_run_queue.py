"""The time that a thread has waited for a processor is read from the system, of each thread apart."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from boardwire.store.run_queue import RunQueueClock


def test_the_time_in_the_run_queue_is_the_second_number_in_nanoseconds(tmp_path: Path) -> None:
    statistics = tmp_path / "schedstat"
    clock = RunQueueClock(str(statistics))
    for text, seconds in (("5000000000 250000000 7\n", 0.25), ("6000000000 1500000000 9\n", 1.5)):
        statistics.write_text(text)
        assert clock.wait_seconds() == seconds
    clock.close()


@pytest.mark.parametrize("text", ["", "17", "a b c"])
def test_statistics_that_say_nothing_are_no_waiting(tmp_path: Path, text: str) -> None:
    statistics = tmp_path / "schedstat"
    statistics.write_text(text)
    clock = RunQueueClock(str(statistics))
    assert clock.wait_seconds() == 0.0
    clock.close()


def test_a_system_without_statistics_reports_no_waiting(tmp_path: Path) -> None:
    clock = RunQueueClock(str(tmp_path / "none"))
    assert clock.wait_seconds() == clock.wait_seconds() == 0.0
    clock.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc/thread-self")
def test_each_thread_reads_its_own_statistics_and_close_closes_the_files() -> None:
    clock = RunQueueClock()
    before = len(list(Path("/proc/self/fd").iterdir()))
    clock.wait_seconds()
    thread = threading.Thread(target=clock.wait_seconds)
    thread.start()
    thread.join()
    assert len(list(Path("/proc/self/fd").iterdir())) == before + 2
    clock.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == before
