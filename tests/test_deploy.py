"""The files for containers: they can be read, and what they say is the program's own."""

from __future__ import annotations

import asyncio
import base64
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from scripts.nats import secure_nats
from scripts.page import Table

from boardwire import __version__, dialects
from boardwire.api.routes import ROUTES
from boardwire.cluster.transport.authentication import Authenticator
from boardwire.cluster.transport.bus import NatsBus
from boardwire.config import load
from boardwire.errors import BoardwireError
from scripts import default_ports, image

DEPLOY = Path(__file__).parents[1] / "deploy"
PORTS = {dialects.dialect(name).port for name in (*dialects.DEFAULT_DIALECTS, "native")}
COMPOSE = yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text())
ONE_NODE = yaml.safe_load((DEPLOY / "compose" / "one-node.yaml").read_text())
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
STAGES = image.stages((DEPLOY / "Dockerfile").read_text())
BALANCER = (DEPLOY / "compose" / "haproxy.cfg").read_text()
MANIFESTS = list(yaml.safe_load_all((DEPLOY / "kubernetes" / "boardwire.yaml").read_text()))


def manifest(kind: str, name: str) -> Any:
    (found,) = (one for one in MANIFESTS if (one["kind"], one["metadata"]["name"]) == (kind, name))
    return found


def container() -> Any:
    (found,) = manifest("Deployment", "boardwire")["spec"]["template"]["spec"]["containers"]
    return found


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the first start makes."""
    made = tmp_path_factory.mktemp("deploy") / "secrets"
    subprocess.run((DEPLOY / "make-secrets", made, "bus"), check=True)
    return made


@pytest.mark.parametrize(
    "environment",
    [
        COMPOSE["services"]["node"]["environment"],
        {one["name"]: one.get("value", "boardwire-7d9c5b-x2x7q") for one in container()["env"]},
    ],
)
def test_the_settings_of_a_node_exist(environment: dict[str, str], secrets: Path) -> None:
    found = {name: value.replace("/secrets/", f"{secrets}/") for name, value in environment.items()}
    settings = load({}, found)
    assert settings.bus.startswith("tls://boardwire:")
    assert settings.store.startswith("postgresql://boardwire:")
    assert Path(settings.bus_ca).read_text().startswith("-----BEGIN CERTIFICATE-----")
    assert settings.host == "0.0.0.0"
    assert settings.per_address == 0, "to a node everybody behind the balancer has its address"


def test_every_dialect_has_its_port_everywhere() -> None:
    assert {port["containerPort"] for port in container()["ports"]} == PORTS
    service = manifest("Service", "boardwire")["spec"]["ports"]
    assert {port["port"] for port in service} == PORTS
    names = {port["name"]: port["containerPort"] for port in container()["ports"]}
    assert {port["port"]: names[port["targetPort"]] for port in service} == {port: port for port in PORTS}
    assert all(re.fullmatch("[a-z0-9-]{1,15}", name) for name in names)
    assert {int(pair.split(":")[0]) for pair in COMPOSE["services"]["balancer"]["ports"]} == PORTS
    assert {int(pair.split(":")[0]) for pair in ONE_NODE["services"]["node"]["ports"]} == PORTS
    (exposed,) = (step.text for step in STAGES[-1].steps if step.name == "EXPOSE")
    assert set(map(int, exposed.split())) == PORTS
    for name in (*dialects.DEFAULT_DIALECTS, "native"):
        port = dialects.dialect(name).port
        assert f"listen {name}\n    bind :{port}\n    server-template node 10 node:{port}\n" in BALANCER


@pytest.mark.parametrize("table", list(default_ports.tables()), ids=lambda table: f"{table.page.name}, {table.name}")
def test_every_list_of_ports_is_current(table: Table) -> None:
    page = table.page.read_text("utf-8")
    assert page == table.written(page), "run `make ports`"


def test_the_health_checks_use_existing_routes() -> None:
    paths = {endpoint.path for endpoint in ROUTES}
    probes = {container()[probe]["httpGet"]["path"] for probe in ("readinessProbe", "livenessProbe")}
    assert {"/readyz", "/healthz"} == probes <= paths
    assert "option httpchk GET /readyz" in BALANCER


@pytest.mark.parametrize("compose", [COMPOSE, ONE_NODE], ids=["cluster", "one node"])
def test_the_files_that_are_named_exist(compose: Any) -> None:
    services = compose["services"]
    for build in (service["build"] for service in services.values() if "build" in service):
        assert (DEPLOY / "compose" / build["context"] / build["dockerfile"]).exists()
    for service in services.values():
        assert set(service.get("networks", ())) <= compose.get("networks", {}).keys()
        for source in (volume.partition(":")[0] for volume in service.get("volumes", ())):
            assert source in compose["volumes"] or (DEPLOY / "compose" / source).exists()
        assert set(service.get("depends_on", ())) <= services.keys()


def test_the_kustomization_has_these_files_and_this_version() -> None:
    found = yaml.safe_load((DEPLOY / "kubernetes" / "kustomization.yaml").read_text())
    assert all((DEPLOY / "kubernetes" / name).exists() for name in found["resources"])
    assert [one["newTag"] for one in found["images"]] == [__version__]


# --- the image ------------------------------------------------------------------------------------------------------


def test_the_image_runs_unprivileged_and_its_health_check_uses_an_existing_route() -> None:
    last = STAGES[-1]
    (user,) = (step.text for step in last.steps if step.name == "USER")
    pod = manifest("Deployment", "boardwire")["spec"]["template"]["spec"]["securityContext"]
    assert user == f"{pod['runAsUser']}:{pod['runAsGroup']}" == "10001:10001"
    assert "/healthz" in image.words(last, "HEALTHCHECK")[-1]
    assert [*image.words(last, "ENTRYPOINT"), *image.words(last, "CMD")] == ["boardwire", "serve"]
    assert last.image.endswith("-slim-bookworm")


def test_the_image_stores_matches_in_its_volume_and_nothing_elsewhere() -> None:
    variables = image.settings(STAGES[-1])
    found = load({}, {key: value for key, value in variables.items() if key.startswith("BOARDWIRE_")})
    (volume,) = (step.text for step in STAGES[-1].steps if step.name == "VOLUME")
    assert str(found.directory) == volume
    assert found.host == "0.0.0.0"
    for service in (ONE_NODE["services"]["node"], COMPOSE["services"]["node"]):
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
    assert container()["securityContext"]["readOnlyRootFilesystem"]


def test_the_image_is_built_from_exactly_the_files_that_a_wheel_needs() -> None:
    files = image.context()
    assert {name.partition("/")[0] for name in files} == {
        "LICENSE", "README.md", "docs", "hatch_build.py", "pyproject.toml", "src", "web",
    }  # fmt: skip
    assert "src/boardwire/node.py" in files
    assert "docs/dialects/tris-lines.md" in files
    assert not [name for name in files if name.startswith(("docs/pictures/", "web/node_modules/"))]


@pytest.mark.parametrize(
    ("name", "ignored"),
    [("a/b.py", True), ("src/b.py", False), ("src/x/_built/b.so", True), ("b", True), ("src/pictures/b", True)],
)
def test_the_last_pattern_that_matches_a_file_or_a_folder_above_it_decides(name: str, ignored: bool) -> None:
    assert image.is_ignored(name, ["*", "!src", "src/pictures", "**/_built"]) == ignored


# --- services -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.stem)
def test_systemd_accepts_a_unit(unit: Path, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd here")
    program = tmp_path / "boardwire"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (tmp_path / unit.name).write_text(unit.read_text().replace("/opt/boardwire/bin/boardwire", str(program)))
    command = ("systemd-analyze", "verify", "--man=no", "--recursive-errors=no", tmp_path / unit.name)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_units_tell_a_server_settings_that_there_are(secrets: Path) -> None:
    for unit in UNITS:
        text = unit.read_text()
        (start,) = re.findall(r"^ExecStart=\S+/boardwire serve (.*)$", text, re.MULTILINE)
        words = start.replace("%i", "north").split()
        flags = {key.removeprefix("--"): value for key, value in zip(words[::2], words[1::2], strict=True)}
        pairs = re.findall(r"(BOARDWIRE_\w+)=(\S+)", "".join(re.findall("^Environment=(.*)$", text, re.MULTILINE)))
        found = load(flags, {key: value.replace("%d/", f"{secrets}/") for key, value in pairs})
        assert found.node == "north" or str(found.directory) == "/var/lib/boardwire"
        assert ("boardwire-node" in unit.name) == bool(found.bus)


def test_no_shipped_file_holds_a_secret() -> None:
    assert not [one for one in MANIFESTS if one["kind"] == "Secret"]
    for path in DEPLOY.rglob("*"):
        assert path.is_dir() or not re.search(r"://\w+:(?!PASSWORD@|%s@)[^$@]*@", path.read_text()), path


def test_every_secret_is_made_once(secrets: Path) -> None:
    files = {path.name: path.read_bytes() for path in secrets.iterdir()}
    assert files.keys() == {"database", "store", "bus", "ca.pem", "bus.pem", "bus-key.pem", "nats.conf"}
    assert all(path.stat().st_mode & 0o077 == 0 for path in secrets.iterdir()), "for their owner alone"
    subprocess.run((DEPLOY / "make-secrets", secrets, "bus"), check=True)
    assert {path.name: path.read_bytes() for path in secrets.iterdir()} == files
    assert files["database"] in files["store"]
    assert len(files["database"]) == 48


def test_kubernetes_gets_the_secrets_that_its_pods_mount() -> None:
    store = "postgresql://boardwire:x@database/boardwire"
    command = (DEPLOY / "kubernetes" / "make-secrets", store)
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    made = {one["metadata"]["name"]: one["data"] for one in yaml.safe_load_all(printed) if one is not None}
    for deployment in ("boardwire", "boardwire-bus"):
        volume, *_ = manifest("Deployment", deployment)["spec"]["template"]["spec"]["volumes"]
        assert volume["secret"]["secretName"] in made
    assert made["boardwire"].keys() == {"store", "bus", "ca.pem"}
    assert base64.b64decode(made["boardwire"]["store"]).decode() == store
    assert base64.b64decode(made["boardwire"]["bus"]).decode().endswith("@boardwire-bus:4222")
    assert b'"/secrets/bus.pem"' in base64.b64decode(made["boardwire-bus"]["nats.conf"])
    assert manifest("Service", "boardwire-bus")


def test_only_nodes_reach_nats_and_players_reach_only_their_ports() -> None:
    (rule,) = manifest("NetworkPolicy", "boardwire-bus")["spec"]["ingress"]
    assert rule == {"from": [{"podSelector": {"matchLabels": {"app": "boardwire"}}}], "ports": [{"port": 4222}]}
    (rule,) = manifest("NetworkPolicy", "boardwire")["spec"]["ingress"]
    assert {one["port"] for one in rule["ports"]} == PORTS
    assert "ports" not in COMPOSE["services"]["bus"]


@pytest.mark.cluster
def test_nats_with_the_generated_secrets_accepts_only_nodes() -> None:
    with secure_nats() as bus:
        address, ca_file = bus.bus_file.read_text(), str(bus.ca_file)

        async def come(address: str, ca_file: str) -> str:
            node = NatsBus(address, "c", Authenticator(bytes(32), "one"), "one", lambda data: None, ca_file)
            try:
                await node.connect()
            except BoardwireError as refused:
                return str(refused)
            await node.close()
            return ""

        assert asyncio.run(come(address, ca_file)) == ""
        assert "certificate verify failed" in asyncio.run(come(address, ""))
        assert "Authorization Violation" in asyncio.run(come(address.replace("//boardwire:", "//boardwire:x"), ca_file))
        assert "Authorization Violation" in asyncio.run(come(f"tls://127.0.0.1:{bus.server.port}", ca_file))
