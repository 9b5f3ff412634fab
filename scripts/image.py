"""Run the steps of deploy/Dockerfile without a container engine: `python -m scripts.image BASE [--bind PATH ...]`.

BASE is the root file system of a Debian with Python and a C compiler, used in place of the Dockerfile's base images:

    debootstrap --variant=minbase --include=python3,python3-venv,python3-dev,gcc,libc6-dev,ca-certificates bookworm BASE

- Each stage is a copy of BASE, in which bubblewrap runs the steps. Files are copied as `.dockerignore` allows.
- The result runs as the Dockerfile specifies, with its user and a volume, and with a read-only root and a private
  network. It must become healthy, serve the page, play a match, write only to the volume, and stop.
- `--bind PATH` makes a folder of this machine visible to the steps, for example that of a package index.

It needs root and bwrap.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
DOCKERFILE: Final = ROOT / "deploy" / "Dockerfile"
SHOWN: Final = ("/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs", "/etc/pip.conf", "/root/.config/pip")
"""Files of this machine with which pip and npm find packages."""


class Step(NamedTuple):
    """An instruction of a Dockerfile."""

    name: str
    text: str


class Stage(NamedTuple):
    """A build stage: the instructions from one FROM to the next."""

    name: str
    image: str
    steps: list[Step]


def stages(text: str) -> list[Stage]:
    """Parse a Dockerfile, and apply the defaults of its arguments."""
    joined = re.sub(r"\\\n\s*", "", re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE))
    parsed: list[Stage] = []
    arguments: dict[str, str] = {}
    for line in filter(None, map(str.strip, joined.splitlines())):
        name, _, rest = line.partition(" ")
        if name == "ARG":
            key, _, value = rest.partition("=")
            arguments[key] = value
        elif name == "FROM":
            image, _, alias = re.sub(r"\$\{(\w+)\}", lambda key: arguments[key[1]], rest).partition(" AS ")
            parsed.append(Stage(alias, image, []))
        else:
            parsed[-1].steps.append(Step(name, rest.strip()))
    return parsed


def settings(stage: Stage) -> dict[str, str]:
    """Return the variables that a stage sets."""
    variables = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
    for step in stage.steps:
        if step.name == "ENV":
            for pair in shlex.split(step.text):
                key, _, value = pair.partition("=")
                variables[key] = value.replace("$PATH", variables["PATH"])
    return variables


def words(stage: Stage, name: str) -> list[str]:
    """Return the JSON list of the last ENTRYPOINT, CMD or HEALTHCHECK."""
    text = [step.text for step in stage.steps if step.name == name][-1]
    arguments: list[str] = json.loads(text[text.index("[") :])
    return arguments


def is_ignored(name: str, patterns: list[str]) -> bool:
    """Whether .dockerignore excludes a file; the last pattern that matches it or one of its folders decides."""
    ignored = False
    paths = [name, *(path.as_posix() for path in Path(name).parents if path.name)]
    for pattern in patterns:
        wanted = pattern.removeprefix("!")
        expression = re.escape(wanted).replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*")
        if any(re.fullmatch(expression, path) for path in paths):
            ignored = not pattern.startswith("!")
    return ignored


def context() -> list[str]:
    """Return the files that `COPY . .` copies: git's files that .dockerignore does not exclude."""
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split("\0")  # fmt: skip
    return [name for name in listed if name and (ROOT / name).is_file() and not is_ignored(name, patterns)]


class Builder:
    """Runs stages in copies of a root file system."""

    def __init__(self, base: Path, folder: Path, binds: list[str]) -> None:
        self._base = base
        self._folder = folder
        self._binds = binds
        self.roots: dict[str, Path] = {}

    def build(self, stage: Stage) -> Path:
        """Run a stage's steps; return its root."""
        root = self._folder / f"stage-{len(self.roots)}"
        subprocess.run(["cp", "--archive", str(self._base), str(root)], check=True)
        self.roots[stage.name] = root
        variables, work = settings(stage), "/"
        for step in stage.steps:
            started = monotonic()
            match step.name:
                case "WORKDIR":
                    work = step.text
                    (root / work.lstrip("/")).mkdir(parents=True, exist_ok=True)
                case "COPY":
                    self._copy(step.text, root, work)
                case "RUN":
                    self._run(root, work, variables, step.text)
                case _:
                    continue
            _say(f"  {step.name} {step.text[:70]} ({monotonic() - started:.0f} s)")
        return root

    def _copy(self, text: str, root: Path, work: str) -> None:
        match text.split():
            case [".", "."]:
                for name in context():
                    target = root / work.lstrip("/") / name
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(ROOT / name, target)
            case [option, source, target] if option.startswith("--from="):
                other = self.roots[option.removeprefix("--from=")]
                shutil.copytree(other / source.lstrip("/"), root / target.lstrip("/"), symlinks=True)
            case _:
                raise SystemExit(f"cannot run COPY {text}")

    def _run(self, root: Path, work: str, variables: dict[str, str], command: str) -> None:
        """Run a command of the Dockerfile in a sandbox with the image's files as root."""
        shown = [path for path in (*SHOWN, *self._binds) if Path(path).exists()]
        for path in shown:  # create the mount points
            inside = root / path.lstrip("/")
            inside.parent.mkdir(parents=True, exist_ok=True)
            if Path(path).is_dir():
                inside.mkdir(exist_ok=True)
            else:
                inside.touch()
        ours = {
            key: value for key, value in os.environ.items() if key.lower().startswith(("pip_", "node_", "npm_", "ssl_"))
        }
        if shutil.which("npm"):
            asked = subprocess.run(["npm", "config", "get", "registry"], capture_output=True, text=True, check=False)
            ours["npm_config_registry"] = asked.stdout.strip()
        subprocess.run(
            ["bwrap", "--bind", str(root), "/", "--proc", "/proc", "--dev", "/dev", "--chdir", work, "--clearenv",
             "--cap-add", "ALL",
             *(word for path in shown for word in ("--ro-bind", path, path)),
             *(word for pair in {"HOME": "/root", **ours, **variables}.items() for word in ("--setenv", *pair)),
             "sh", "-e", "-c", command],
            check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip


TRIAL: Final = """
import os, subprocess, sys
from urllib.request import urlopen

command, health = {command!r}, {health!r}
assert os.getuid() == {uid}, "it runs as another user"
for path in ("/", "/opt/boardwire", "/etc", "/home"):
    assert not os.access(path, os.W_OK) or os.statvfs(path).f_flag & os.ST_RDONLY, path + " is writable"
with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
    for line in server.stdout:
        if line == "ready\\n":
            break
    else:
        sys.exit(server.stderr.read())
    subprocess.run(health, check=True)
    assert b"<html" in urlopen("http://127.0.0.1:7070/").read()
    bot = [command[0], "bot", "tris", "--dialect", "tris-lines", "--connect", "127.0.0.1:7002"]
    with subprocess.Popen(bot, stdout=subprocess.DEVNULL) as first:
        subprocess.run(bot, check=True, stdout=subprocess.DEVNULL)
        assert first.wait() == 0
    server.terminate()
    log = server.communicate(timeout=30)[1]
    assert server.returncode == 0, log
print(subprocess.run([command[0], "matches"], check=True, capture_output=True, text=True).stdout, end="")
print(subprocess.run([command[0], "--version"], check=True, capture_output=True, text=True).stdout, end="")
"""


def try_out(stage: Stage, root: Path, volume: Path) -> str:
    """Run the last stage as a container would, and return the output."""
    (user,) = (step.text for step in stage.steps if step.name == "USER")
    (mount,) = (step.text for step in stage.steps if step.name == "VOLUME")
    uid, gid = user.split(":")
    os.chown(volume, int(uid), int(gid))
    trial = TRIAL.format(
        command=[*words(stage, "ENTRYPOINT"), *words(stage, "CMD")], health=words(stage, "HEALTHCHECK"), uid=uid
    )
    return subprocess.run(
        ["bwrap", "--ro-bind", str(root), "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp",
         "--bind", str(volume), mount, "--unshare-net", "--unshare-pid",
         "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP",
         "--chdir", mount, "--clearenv",
         *(word for pair in settings(stage).items() for word in ("--setenv", *pair)),
         "setpriv", "--reuid", uid, "--regid", gid, "--clear-groups", "--bounding-set=-all", "--no-new-privs",
         "python3", "-c", trial],
        check=True, stdout=subprocess.PIPE, text=True,
    ).stdout  # fmt: skip


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    """Build the stages and try the last one."""
    parser = argparse.ArgumentParser(description="Run the steps of deploy/Dockerfile without a container engine.")
    parser.add_argument("base", type=Path)
    parser.add_argument("--bind", action="append", default=[])
    flags = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="boardwire-image-") as folder:
        builder = Builder(flags.base, Path(folder), flags.bind)
        *_, last = all_stages = stages(DOCKERFILE.read_text())
        for stage in all_stages:
            _say(f"FROM {stage.image}")
            builder.build(stage)
        root = builder.roots[last.name]
        volume = Path(folder, "volume")
        volume.mkdir()
        _say(try_out(last, root, volume).strip())
        packed = subprocess.run(
            f"tar --create --directory {shlex.quote(str(root))} opt/boardwire | gzip | wc --bytes",
            shell=True, check=True, capture_output=True, text=True,
        )  # fmt: skip
        _say(f"/opt/boardwire has {int(packed.stdout) / 1e6:.0f} MB compressed, on top of {last.image}")


if __name__ == "__main__":
    main()
