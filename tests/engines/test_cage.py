"""Hostile engines: each costs only itself."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

import pytest

from boardwire import games
from boardwire.engines import CageLimits, Choice, EngineFault, EngineProcess, FaultReason, Protection
from boardwire.engines.cage import CageTool, best_cage_tool, cage_command, can_use, has_landlock
from boardwire.engines.command import ResolvedCommand

from .scripts import FIRST, share, write

CAGED = best_cage_tool() is CageTool.BUBBLEWRAP
needs_namespaces = pytest.mark.skipif(
    best_cage_tool() is CageTool.SESSION, reason="this system has no process namespaces"
)
needs_bubblewrap = pytest.mark.skipif(not CAGED, reason="bubblewrap cannot be used here")
SMALL = CageLimits(cpu_seconds=5, memory_bytes=96 << 20, processes=16, open_files=32, file_bytes=1 << 20)
"""Strict limits: what escapes one test must not hurt the machine."""


@pytest.fixture
def shared_path() -> Iterator[Path]:
    """A directory that every user may enter, unlike those above `tmp_path`."""
    with TemporaryDirectory(prefix="boardwire-test-") as directory:
        share(Path(directory))
        yield Path(directory)


def needs(using: CageTool) -> None:
    """Skip the test if this system cannot build such a cage."""
    if using is not CageTool.SESSION and not can_use(using):
        pytest.skip(f"{using} cannot be used here")


def ask(engine: EngineProcess, seconds: float = 3.0) -> Choice:
    game = games.game("tris")
    position = game.new(game.Options(), 2)
    decision = game.pending(position)
    assert decision is not None
    return engine.choose(game.view(position, 0), decision, seconds=seconds)


def fault(tmp_path: Path, body: str, seconds: float = 3.0, limits: CageLimits = SMALL) -> EngineFault:
    """The fault of an engine that runs `body` when it is asked; it leaves no process."""
    with EngineProcess("hostile", write(tmp_path / "hostile", body), limits) as engine:
        engine.start("tris", 0, 2)
        with pytest.raises(EngineFault) as caught:
            ask(engine, seconds)
        assert not engine.is_running
    assert marked(tmp_path / "hostile") == []
    return caught.value


def marked(directory: Path, seconds: float = 2.0) -> list[int]:
    """The processes that run something in a directory; those that are being killed get a moment."""
    end = monotonic() + seconds
    while True:
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if str(directory).encode() in path.read_bytes():
                    found.append(int(path.parent.name))
            except OSError:
                continue
        if not found or monotonic() > end:
            return found
        sleep(0.01)


def info(directory: Path, body: str, using: CageTool | None = None) -> str:
    """What an engine says that sets `text` when it is asked."""
    text = f"{body}\nsay(type='info', text=str(text))\nsay(type='choice', id=question['id'], number=0)"
    indented = "for question in asked():\n" + "\n".join(f"    {line}" for line in text.splitlines())
    with EngineProcess("curious", write(directory / "curious", indented), SMALL, cage_tool=using) as engine:
        engine.start("tris", 0, 2)
        choice = ask(engine)
        return choice.infos[0].text


@needs_namespaces
def test_a_fork_bomb_reaches_its_limit_and_no_process_is_left(tmp_path: Path) -> None:
    bomb = """
    for question in asked():
        for depth in range(3):  # 1,000 processes, if nothing stopped it
            for _ in range(9):
                try:
                    if os.fork() == 0:
                        sys.stdin.close()
                except OSError as error:
                    print(error, file=sys.stderr)
        time.sleep(5)
    """
    found = fault(tmp_path, bomb, seconds=0.5)
    assert found.fault in (FaultReason.TIMED_OUT, FaultReason.MEMORY)
    assert "Resource temporarily unavailable" in found.stderr


@pytest.mark.skipif(shutil.which("prlimit") is None, reason="this system has no prlimit")
def test_processes_of_the_same_user_do_not_use_up_the_limit_of_an_engine() -> None:
    program = ResolvedCommand(("/bin/true",), Path("/usr"))
    others = len(list(Path("/proc/self/task").iterdir()))
    for using, user in ((CageTool.SESSION, None), (CageTool.SESSION, 4711), (CageTool.BUBBLEWRAP, None)):
        argv, _ = cage_command(program, SMALL, using, "/tmp", user)
        limit = int(next(word for word in argv if word.startswith("--nproc=")).removeprefix("--nproc="))
        alone = user is not None or using is CageTool.BUBBLEWRAP
        assert (limit == SMALL.processes) if alone else (limit >= SMALL.processes + others)


def test_a_memory_hog_dies_by_its_limit(tmp_path: Path) -> None:
    hog = """
    for question in asked():
        kept = [bytearray(1 << 20) for _ in range(400)]
    """
    found = fault(tmp_path, hog)
    assert found.fault in (FaultReason.MEMORY, FaultReason.DIED)
    assert "MemoryError" in found.stderr or found.fault is FaultReason.MEMORY


def test_processes_that_are_small_one_by_one_are_summed_up(tmp_path: Path) -> None:
    hogs = """
    for question in asked():
        for _ in range(3):
            if os.fork() == 0:
                break
        kept = [bytearray(1 << 20) for _ in range(50)]
        time.sleep(5)
    """
    assert fault(tmp_path, hogs).fault is FaultReason.MEMORY


def test_an_engine_that_burns_its_cpu_time_is_stopped(tmp_path: Path) -> None:
    burner = """
    for question in asked():
        while True: pass
    """
    limits = CageLimits(cpu_seconds=1, memory_bytes=96 << 20, processes=16)
    assert fault(tmp_path, burner, 60, limits).fault is FaultReason.CPU  # a loaded machine gives it little


def test_endless_output_is_cut(tmp_path: Path) -> None:
    babbler = """
    for question in asked():
        while True: say(type="info", text="so")
    """
    assert fault(tmp_path, babbler).fault is FaultReason.TOO_MUCH_OUTPUT


def test_endless_errors_are_cut_and_their_tail_is_kept(tmp_path: Path) -> None:
    babbler = """
    for question in asked():
        while True: print("no end", file=sys.stderr)
    """
    found = fault(tmp_path, babbler)
    assert found.fault is FaultReason.TOO_MUCH_OUTPUT
    assert "no end" in found.stderr
    assert len(found.stderr) <= 16 * 1024


def test_output_without_a_line_break_is_cut(tmp_path: Path) -> None:
    babbler = """
    for question in asked():
        while True: sys.stdout.write("x" * 4096)
    """
    assert fault(tmp_path, babbler).fault is FaultReason.TOO_MUCH_OUTPUT


def test_a_sleeper_times_out(tmp_path: Path) -> None:
    begun = monotonic()
    assert fault(tmp_path, "for question in asked(): time.sleep(60)", 0.2).fault is FaultReason.TIMED_OUT
    assert monotonic() - begun < 10


def test_an_engine_that_never_says_ready_fails_to_start(tmp_path: Path) -> None:
    with EngineProcess("mute", write(tmp_path / "mute", "time.sleep(60)"), SMALL, start_seconds=0.3) as engine:
        with pytest.raises(EngineFault, match="did not answer hello"):
            engine.start("tris", 0, 2)
        assert not engine.is_running


def test_an_engine_that_does_not_read_is_not_waited_for(tmp_path: Path) -> None:
    deaf = "say(type='ready')\ntime.sleep(60)"
    with EngineProcess("deaf", write(tmp_path / "deaf", deaf), SMALL) as engine:
        engine.start("tris", 0, 2)
        game = games.game("tris")
        decision = game.pending(game.new(game.Options(), 2))
        assert decision is not None
        with pytest.raises(EngineFault, match="does not read") as caught:
            engine.choose("x" * 200_000, decision, seconds=0.2)  # a pipe holds 64 KiB
        assert caught.value.fault is FaultReason.TIMED_OUT


def test_a_liar_is_caught(tmp_path: Path) -> None:
    liar = """
    for question in asked():
        say(type="choice", id=question["id"], action=4)
    """
    game = games.game("tris")
    position, _ = game.apply(game.new(game.Options(), 2), 0, 4)
    decision = game.pending(position)
    assert decision is not None
    with EngineProcess("liar", write(tmp_path / "liar", liar), SMALL) as engine:
        engine.start("tris", 1, 2)
        with pytest.raises(EngineFault, match="4 is not one of the choices") as caught:
            engine.choose(game.view(position, 1), decision, seconds=3)
        assert caught.value.fault is FaultReason.ILLEGAL


def test_a_second_answer_to_a_question_does_not_count(tmp_path: Path) -> None:
    hasty = """
    for question in asked():
        say(type="choice", id=question["id"], number=question["id"])
        say(type="choice", id=question["id"], number=0)
    """
    with EngineProcess("hasty", write(tmp_path / "hasty", hasty), SMALL) as engine:
        engine.start("tris", 0, 2)
        assert [ask(engine).action for _ in range(3)] == [1, 2, 3]
        engine.start("tris", 1, 2)
        assert [ask(engine).action for _ in range(2)] == [4, 5]


@pytest.mark.parametrize("using", CageTool)
def test_an_engine_cannot_read_another_engines_files(using: CageTool, shared_path: Path) -> None:
    needs(using)
    if using is not CageTool.BUBBLEWRAP and not has_landlock():
        pytest.skip("the kernel has no Landlock")
    write(shared_path / "other", FIRST, "secret.py")
    other = shared_path / "other" / "secret.py"
    body = f"""
try:
    text = open({str(other)!r}).read()
except OSError as error:
    text = type(error).__name__"""
    assert info(shared_path, body, using) in ("FileNotFoundError", "PermissionError")


@needs_bubblewrap
def test_an_engine_sees_no_other_process(tmp_path: Path) -> None:
    assert int(info(tmp_path, "text = sum(name.isdigit() for name in os.listdir('/proc'))")) <= 3


@pytest.mark.parametrize("using", CageTool)
def test_an_engine_writes_only_to_its_own_directory_for_files(using: CageTool, shared_path: Path) -> None:
    needs(using)
    if using is not CageTool.BUBBLEWRAP and not has_landlock():
        pytest.skip("the kernel has no Landlock")
    body = """
text = []
for path in ("beside", "/usr/beside", "/beside", "/dev/shm/beside", "/etc/beside", os.environ["TMPDIR"] + "/own"):
    try:
        open(path, "w").close()
        text.append(os.path.basename(path))
    except OSError:
        pass"""
    assert info(shared_path, body, using) == "['own']"
    assert not (shared_path / "curious" / "beside").exists()


@needs_bubblewrap
def test_an_engine_has_an_empty_directory_for_its_files_with_a_bound(tmp_path: Path) -> None:
    body = """
text = str([name for name in os.listdir("/tmp") if f"/tmp/{name}/" not in os.getcwd() + "/"])
with open("/tmp/note", "wb") as note:
    note.write(bytes(1000))
signal_ignored = __import__("signal").signal(25, 1)  # SIGXFSZ
try:
    with open("/tmp/large", "wb") as large:
        large.write(bytes(2 << 20))
        text += " large"
except OSError:
    pass"""
    assert info(tmp_path, body) == "[]"


@needs_namespaces
def test_an_engine_has_no_network(tmp_path: Path) -> None:
    body = """
import socket
try:
    socket.create_connection(("127.0.0.1", 22), 1).close()
    text = "connected"
except OSError as error:
    text = error.strerror"""
    # Landlock (from Linux 6.7 on) refuses before there is a network to look for
    assert info(tmp_path, body) in ("Network is unreachable", "Connection refused", "Permission denied")
    assert info(tmp_path, "text = open('/proc/net/dev').read().count(':')") == "1"  # the loopback of its namespace


def test_an_engine_inherits_no_descriptor_and_no_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDWIRE_STORE", "postgresql://secret")
    with open(os.devnull) as opened:
        os.set_inheritable(opened.fileno(), True)
        assert info(tmp_path, "text = os.environ.get('BOARDWIRE_STORE'), sorted(os.listdir('/proc/self/fd'))") == str(
            (None, ["0", "1", "2", "3"])
        )  # 3 is the directory that is being listed


@pytest.mark.skipif(os.geteuid() != 0 or not CAGED, reason="only root can give an engine a user id of its own")
def test_an_engine_of_root_is_not_root(tmp_path: Path) -> None:
    user, effective, rights = info(
        tmp_path,
        "text = f'{os.getuid()} {os.geteuid()} ' + open('/proc/self/status').read().split('CapEff:')[1].split()[0]",
    ).split()
    assert user == effective != "0"
    assert int(rights, 16) == 0


@pytest.mark.parametrize("using", CageTool)
def test_an_engine_that_ignores_signals_is_killed(using: CageTool, shared_path: Path) -> None:
    needs(using)
    stubborn = """
    import signal
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)
    for question in asked(): pass
    while True: time.sleep(1)
    """
    engine = EngineProcess("stubborn", write(shared_path / "hostile", stubborn), SMALL, cage_tool=using)
    engine.start("tris", 0, 2)
    engine.close()
    assert marked(shared_path / "hostile") == []


@pytest.mark.parametrize("using", CageTool)
def test_grandchildren_in_their_own_sessions_are_killed(using: CageTool, shared_path: Path) -> None:
    needs(using)
    leaver = """
    import subprocess
    for question in asked():
        code = "import time; print(1, flush=True); time.sleep(60)"
        child = subprocess.Popen([sys.executable, "-c", code, sys.argv[0]], start_new_session=True, stdout=-1)
        child.stdout.readline()
        say(type="choice", id=question["id"], number=0)
    """
    engine = EngineProcess("leaver", write(shared_path / "hostile", leaver), SMALL, cage_tool=using)
    engine.start("tris", 0, 2)
    ask(engine)
    assert len(marked(shared_path / "hostile", 0)) > 1
    engine.close()
    assert marked(shared_path / "hostile") == []


@pytest.mark.parametrize("using", CageTool)
def test_grandchildren_of_an_engine_that_died_are_killed(using: CageTool, shared_path: Path) -> None:
    needs(using)
    leaver = """
    import subprocess
    for question in asked():
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", sys.argv[0]], start_new_session=True)
        os._exit(1)
    """
    with EngineProcess("leaver", write(shared_path / "hostile", leaver), SMALL, cage_tool=using) as engine:
        engine.start("tris", 0, 2)
        with pytest.raises(EngineFault, match="exited with code 1"):
            ask(engine)
        assert marked(shared_path / "hostile") == []


@needs_bubblewrap
def test_engines_die_with_a_server_that_is_killed(tmp_path: Path) -> None:
    import subprocess
    import sys

    stubborn = "say(type='ready')\nwhile True: time.sleep(1)"
    command = write(tmp_path / "hostile", stubborn)
    program = f"""
from boardwire.engines import EngineProcess
engine = EngineProcess("stubborn", {command!r})
engine.start("tris", 0, 2)
print("started", flush=True)
input()
"""
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"started\n"
        server.send_signal(signal.SIGKILL)
    assert [pid for pid in marked(tmp_path / "hostile") if pid != server.pid] == []


@pytest.mark.skipif(os.geteuid() != 0 or not CAGED, reason="only root can give an engine a user id of its own")
def test_root_gets_the_files_that_the_engine_cannot_read(tmp_path: Path) -> None:
    command = write(tmp_path / "e", FIRST)
    (tmp_path / "e" / "engine.py").chmod(0o600)
    with pytest.raises(EngineFault, match=r"engine.py: run chmod -R o\+rX on it"):
        EngineProcess("private", command).start("tris", 0, 2)


def test_the_protections_are_told(tmp_path: Path) -> None:
    with EngineProcess("first", write(tmp_path / "e", FIRST)) as engine:
        engine.start("tris", 0, 2)
        assert Protection.SESSION in engine.protections
        assert not CAGED or {Protection.NO_NETWORK, Protection.FILES, Protection.LIMITS} <= set(engine.protections)
