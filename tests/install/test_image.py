"""The image, where there is a container engine. Without one, `python -m scripts.image BASE` runs its steps."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.install

ROOT = Path(__file__).parents[2]


def has_engine() -> bool:
    docker = shutil.which("docker")
    return docker is not None and subprocess.run([docker, "info"], capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not has_engine(), reason="there is no container engine here")
def test_the_image_is_built_and_runs_as_it_is_meant_to() -> None:
    name = "boardwire:test"
    subprocess.run(
        ["docker", "build", "--quiet", "--tag", name, "--file", "deploy/Dockerfile", "."], cwd=ROOT, check=True
    )
    subprocess.run(["deploy/check-image", name], cwd=ROOT, check=True)
