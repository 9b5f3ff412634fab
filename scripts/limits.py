"""Generator of the table of limits in SECURITY.md; with --check, compare it.

A limit is a field of a struct in `STRUCTS`, or a public numeric constant that has a docstring, which is its description
in the table, or whose name contains LIMIT.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from scripts.page import ROOT, Table

PACKAGES = {
    "net": "connections",
    "wire": "bytes and messages",
    "table": "tables and matches",
    "api": "HTTP",
    "players": "players",
    "records": "records",
    "moderation": "moderation",
    "organise": "organisers",
    "tournaments": "tournaments",
    "push": "push messages",
    "mail": "e-mail",
    "dialects": "dialects",
}
"""Packages with limits and their subjects, in the order of the table."""
STRUCTS = ("ConnectionLimits", "StreamLimits", "Quotas")
CLIENTS = ("client.py", "protocol.py")
NO_LIMITS = {
    "ATTEMPTS", "FULL", "FULL_SECONDS", "GRACE", "MAX_TIMESTAMP", "LEVELS", "MINUTE", "MAX_FORMS", "MAX_UNSENT_BYTES",
    "NETWORK_BITS", "NEVER", "NO_CODE", "REPLY_LIMIT", "REPLY_LIMITS", "RETRY_SECONDS", "APPEND_RETRY_SECONDS",
    "ACCEPT_RETRY_SECONDS", "CONNECT_RETRY_SECONDS", "DELIVERY_RETRY_SECONDS", "MIN_COMPRESSED_BYTES",
    "TICK_SECONDS", "CLEANUP_SECONDS", "WINDOW_SECONDS", "WRITE_LOCK",
}  # fmt: skip
"""Documented constants that are not limits."""


class Row(NamedTuple):
    """A limit."""

    about: str
    name: str
    value: str
    words: str


def rows() -> Iterator[Row]:
    """Yield all limits, in the order of the table."""
    source = ROOT / "src" / "boardwire"
    for package, part in PACKAGES.items():
        for path in sorted((source / package).rglob("*.py")):
            if path.name in CLIENTS:
                continue
            where = path.relative_to(source).with_suffix("").parts
            place = ".".join(where).removesuffix(".__init__")
            module = import_module(f"boardwire.{place}")
            about = where[1].replace("_", "-") if package == "dialects" and len(where) > 2 else part
            for name, value, words in _of(module, _parse(path)):
                if type(value) in (int, float) and (words or "LIMIT" in name):
                    yield Row(about, f"{place}.{name}", f"{value:,}".removesuffix(".0"), words)


@cache
def _parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def _of(module: ModuleType, tree: ast.Module) -> Iterator[tuple[str, Any, str]]:
    """Yield the constants of a module and the fields of its limit structs, with their docstrings."""
    for name, words in _annotated_names(tree.body):
        value = getattr(module, name)
        if not name.isupper() or name.startswith("_") or name in NO_LIMITS:
            continue
        if type(value).__name__ in STRUCTS:
            for field, about in _fields(type(value)):
                yield f"{name}.{field}", getattr(value, field), about
        else:
            yield name, value, words
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name in STRUCTS:
            defaults = getattr(module, node.name)()
            for field, words in _annotated_names(node.body):
                yield f"{node.name}.{field}", getattr(defaults, field), words


def _fields(struct: type) -> Iterator[tuple[str, str]]:
    """Yield the fields of a limit struct, with their docstrings."""
    tree = ast.parse(inspect.getsource(struct))
    assert isinstance(tree.body[0], ast.ClassDef)
    return _annotated_names(tree.body[0].body)


def _annotated_names(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Yield every annotated name with its docstring, or ''."""
    for node, below in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            words = below.value.value if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) else ""
            yield node.target.id, " ".join(str(words).split())


def table() -> Table:
    """Return the current table."""
    lines = ["| About | Limit | Value | Description |", "|---|---|---|---|"]
    lines += [f"| {row.about} | `{row.name}` | {row.value} | {row.words} |" for row in rows()]
    return Table("limits", ROOT / "SECURITY.md", lines)


if __name__ == "__main__":
    sys.exit(table().main())
