"""The files for containers: they can be read, and what they say is the program's own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from boardwire import dialects
from boardwire.api.routes import ROUTES
from boardwire.config import SETTINGS, load

DEPLOY = Path(__file__).parents[1] / "deploy"
PORTS = {dialects.dialect(name).port for name in (*dialects.USUAL, "native")}
COMPOSE = yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text())
BALANCER = (DEPLOY / "compose" / "haproxy.cfg").read_text()
MANIFESTS = list(yaml.safe_load_all((DEPLOY / "kubernetes" / "boardwire.yaml").read_text()))


def manifest(kind: str, name: str) -> Any:
    (found,) = (one for one in MANIFESTS if (one["kind"], one["metadata"]["name"]) == (kind, name))
    return found


def container() -> Any:
    (found,) = manifest("Deployment", "boardwire")["spec"]["template"]["spec"]["containers"]
    return found


@pytest.mark.parametrize(
    "environment",
    [
        COMPOSE["services"]["node"]["environment"],
        {one["name"]: one.get("value", "boardwire-7d9c5b-x2x7q") for one in container()["env"]},
    ],
)
def test_a_node_is_told_settings_that_there_are(environment: dict[str, str], tmp_path: Path) -> None:
    secret = tmp_path / "store"
    secret.write_text(manifest("Secret", "boardwire")["stringData"]["store"])
    assert environment["BOARDWIRE_STORE_FILE"].endswith("/store")
    settings = load({}, environment | {"BOARDWIRE_STORE_FILE": str(secret)})
    assert settings.bus
    assert settings.store
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
    for name in (*dialects.USUAL, "native"):
        port = dialects.dialect(name).port
        assert f"listen {name}\n    bind :{port}\n    server-template node 10 node:{port}\n" in BALANCER


def test_a_node_is_asked_what_it_answers() -> None:
    paths = {endpoint.path for endpoint in ROUTES}
    probes = {container()[probe]["httpGet"]["path"] for probe in ("readinessProbe", "livenessProbe")}
    assert {"/readyz", "/healthz"} == probes <= paths
    assert "option httpchk GET /readyz" in BALANCER


def test_what_files_name_is_there() -> None:
    services = COMPOSE["services"]
    assert (
        DEPLOY / "compose" / services["node"]["build"]["context"] / services["node"]["build"]["dockerfile"]
    ).exists()
    for service in services.values():
        assert set(service.get("secrets", ())) <= COMPOSE["secrets"].keys()
        assert set(service.get("networks", ())) <= COMPOSE["networks"].keys()
        assert set(service.get("depends_on", ())) <= services.keys()
    bus = manifest("Service", "boardwire-bus")["metadata"]["name"]
    addresses = {one["name"]: one.get("value", "") for one in container()["env"]}
    assert addresses["BOARDWIRE_BUS"] == f"nats://{bus}:4222"
    assert services["node"]["environment"]["BOARDWIRE_BUS"] == "nats://bus:4222"


def test_no_secret_has_a_value() -> None:
    assert "PASSWORD@" in manifest("Secret", "boardwire")["stringData"]["store"]
    assert not (DEPLOY / "compose" / "secrets").exists()
    assert {setting.variable for setting in SETTINGS.values()} >= {"BOARDWIRE_STORE", "BOARDWIRE_BUS", "BOARDWIRE_NODE"}
