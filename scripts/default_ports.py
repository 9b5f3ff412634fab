"""Generator of the lists of default ports in documents and in deploy/, and of how organised seats are found.

With --check, compare them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from scripts.page import ROOT, Table

from boardwire import dialects
from boardwire.api.previews import TITLES
from boardwire.dialects import Dialect

KUBERNETES = "deploy/kubernetes/boardwire.yaml"


def listeners() -> list[Dialect]:
    """Return the dialects with a default port, in the order of the registry; native, on the HTTP port, is last."""
    return [dialects.dialect(name) for name in (*dialects.DEFAULT_DIALECTS, "native")]


def tables() -> Iterator[Table]:
    """Yield all lists."""
    yield _markdown("README.md", list(_specification_table("docs/dialects", without="native")))
    yield _markdown("docs/start.md", list(_specification_table("dialects")))
    plain = ["| dialect | port |", "|---|---|", *(f"| {dialect.name} | {dialect.port} |" for dialect in listeners())]
    yield _markdown("docs/operate.md", plain)
    yield Table("seats", ROOT / "docs/organise.md", list(_seats()), script="default_ports", target="ports")
    published = [f'      - "{dialect.port}:{dialect.port}" # {dialect.name}' for dialect in listeners()]
    yield _yaml("deploy/compose/compose.yaml", "ports", published)
    yield _yaml("deploy/compose/one-node.yaml", "ports", published)
    yield _yaml(
        "deploy/compose/haproxy.cfg",
        "ports",
        [line for dialect in listeners() for line in _haproxy_listener(dialect)][:-1],
    )
    yield _yaml("deploy/Dockerfile", "ports", ["EXPOSE " + " ".join(str(dialect.port) for dialect in listeners())])
    containers = [
        f"{' ' * 12}- {{name: {_name(dialect)}, containerPort: {dialect.port}}} # {dialect.name}"
        for dialect in listeners()
    ]
    yield _yaml(KUBERNETES, "ports of the container", containers)
    service = [
        f"    - {{name: {_name(dialect)}, port: {dialect.port}, targetPort: {_name(dialect)}}} # {dialect.name}"
        for dialect in listeners()
    ]
    yield _yaml(KUBERNETES, "ports of the service", service)
    allowed = [f"        - {{port: {dialect.port}}} # {dialect.name}" for dialect in listeners()]
    yield _yaml(KUBERNETES, "ports of the policy", allowed)


def _markdown(page: str, lines: list[str]) -> Table:
    return Table("ports", ROOT / page, lines, script="default_ports", target="ports")


def _yaml(page: str, name: str, lines: list[str]) -> Table:
    return Table(name, ROOT / page, lines, script="default_ports", target="ports", comment="# {}")


def _specification_table(folder: str, without: str = "") -> Iterator[str]:
    """Yield a table of the protocols in their default edition, with links to their specifications."""
    yield from ("| dialect | game | port |", "|---|---|---|")
    for name in dialects.PROTOCOLS:
        if name != without:
            dialect = dialects.dialect(name)
            game = TITLES.get(dialect.game, dialect.game) or "all games"
            yield f"| [{name}]({folder}/{name}.md) | {game}, {dialect.encoding} | {dialect.port} |"


def _seats() -> Iterator[str]:
    """Yield a table of how programs of each protocol find an organised seat."""
    yield from ("| Dialect | By name | By port |", "|---|---|---|")
    for dialect in map(dialects.dialect, dialects.PROTOCOLS):
        if dialect.name != "native":
            late = "the seat or the lobby comes before the name" if dialect.has_names else "it has no names"
            yield f"| {dialect.name} | {'yes' if dialect.names_first else f'no: {late}'} | yes |"


def _haproxy_listener(dialect: Dialect) -> list[str]:
    return [
        f"listen {dialect.name}",
        f"    bind :{dialect.port}",
        f"    server-template node 10 node:{dialect.port}",
        "",
    ]


def _name(dialect: Dialect) -> str:
    """Return the name of a port in Kubernetes, which has at most 15 characters."""
    return "http" if dialect.name == "native" else f"tcp-{dialect.port}"


def main() -> int:
    """Write all lists or, with --check, compare them; return the exit code."""
    return max([table.main() for table in tables()])


if __name__ == "__main__":
    sys.exit(main())
