"""Resources of a server's processes."""

import os
import subprocess
import sys
import time
from pathlib import Path

from bench.machine import SERVER_CORE, cpu_seconds, parse_call_count, pinned, process_tree, resident

BUSY = "import time\nwhile time.process_time() < 0.05: pass\nprint('ready', flush=True)\ninput()"


def test_cpu_time_includes_all_descendants() -> None:
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {BUSY!r}])"
    with subprocess.Popen([sys.executable, "-c", parent], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        family = process_tree(process.pid)
        assert len(family) == 2
        assert family[0] == process.pid
        assert cpu_seconds(process.pid) >= cpu_seconds(family[1]) + 0.001 >= 0.051
        assert resident(process.pid) > 0
        process.communicate(b"\n")
    assert process.pid not in process_tree(os.getpid())


def test_a_process_started_pinned_stays_on_its_core_and_its_parent_does_not() -> None:
    before = os.sched_getaffinity(0)
    if len(before) < 2:
        return  # pinning needs at least two cores
    with pinned(SERVER_CORE):
        sleeper = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        assert os.sched_getaffinity(sleeper.pid) == {SERVER_CORE}
        assert os.sched_getaffinity(0) == before
    finally:
        sleeper.communicate(b"\n")


def test_system_calls_are_parsed_from_the_output_of_perf_and_strace() -> None:
    perf = "# started on Mon\n\n4321,,raw_syscalls:sys_enter,1000,100.00,,\n"
    strace = "    calls syscall\n--------- ---\n       12 read\n        3 write\n--------- ---\n       15 total\n"
    assert parse_call_count(perf) == 4321
    assert parse_call_count(strace) == 15
    assert parse_call_count("<not counted>,,raw_syscalls:sys_enter\n") == 0


def test_a_process_that_has_ended_has_no_cpu_time() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    while Path(f"/proc/{process.pid}").exists():
        time.sleep(0.01)
    assert cpu_seconds(process.pid) == 0.0
