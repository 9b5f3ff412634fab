"""Errors carry a reason beside their words, and nothing is decided by the words."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardwire.errors import (
    BoardwireError,
    ConfigError,
    Illegal,
    Malformed,
    Reason,
    Refused,
    Unavailable,
    validation_message,
)

SOURCE = Path(__file__).parents[1] / "src" / "boardwire"
COMPARES = Path("testing/scenario.py")
"""It tests whether an error has the words that a scenario gives."""


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (Malformed, "malformed"),
        (Illegal, "illegal"),
        (Refused, "refused"),
        (Unavailable, "unavailable"),
        (ConfigError, "refused"),
    ],
    ids=str,
)
def test_an_error_has_a_reason_also_where_none_is_given(kind: type[BoardwireError], reason: str) -> None:
    assert kind("no").reason == reason
    assert kind("no", reason=Reason.OVER).reason is Reason.OVER


def test_a_reason_stays_when_the_player_is_named() -> None:
    error = Refused("it is {}'s turn", 1, Reason.NOT_YOUR_TURN)
    named = error.naming(["ann", "bob"])
    assert (str(error), str(named)) == ("it is player 2's turn", "it is bob's turn")
    assert named.reason is Reason.NOT_YOUR_TURN


def test_every_reason_is_given_somewhere() -> None:
    code = "".join(file.read_text() for file in SOURCE.rglob("*.py"))
    usual = {kind.default_reason for kind in (Malformed, Illegal, Refused)}
    assert [reason for reason in Reason if reason not in usual and f"Reason.{reason.name}" not in code] == []


def decisions_by_words(tree: ast.AST) -> Iterator[ast.AST]:
    """Where the words of an error, or of an end, decide what is done."""
    names = names_of_words(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Compare():
                sides = [node.left, *node.comparators]
            case ast.Call(func=ast.Attribute(attr=test, value=text)) if test in TESTS:
                sides = [text]
            case ast.Match():
                sides = [node.subject]
            case _:
                continue
        if any(is_words(side, names) for side in sides) or is_ending_in_words(sides):
            yield node


TESTS = ("startswith", "endswith", "find", "index", "count", "removeprefix", "removesuffix", "partition", "split")
ERRORS = ("reason", "error", "why", "refusal", "fault")


def names_of_words(tree: ast.AST) -> set[str]:
    """The names that stand for the words of an error."""
    pairs: list[tuple[ast.expr, ast.expr]] = []
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                pairs += zip(names, values, strict=False)
            case ast.Assign(targets=[name], value=value):
                pairs.append((name, value))
    return {name.id for name, value in pairs if isinstance(name, ast.Name) and is_words(value, set())}


def is_words(node: ast.expr, names: set[str]) -> bool:
    match node:
        case ast.Name(id=name):
            return name in names
        case ast.Attribute(value=ast.Name(id=name) | ast.Attribute(attr=name), attr="words"):
            return name in ERRORS
        case ast.Call(func=ast.Name(id="str"), args=[ast.Name(id=name) | ast.Attribute(attr=name)]):
            return name in ERRORS
    return False


def is_ending_in_words(sides: list[ast.expr]) -> bool:
    """Whether how a match ended is compared with a text, and not with one of the terminations."""
    texts = [leaf for side in sides for leaf in ast.walk(side) if isinstance(leaf, ast.Constant) and leaf.value]
    return bool(texts) and any(isinstance(side, ast.Attribute) and side.attr == "termination" for side in sides)


def test_nothing_is_decided_by_the_words_of_a_sentence() -> None:
    found = []
    for file in SOURCE.rglob("*.py"):
        text = file.read_text()
        if any(part in text for part in ("str(", ".words", "termination")) and list(
            decisions_by_words(ast.parse(text))
        ):
            found.append(file.relative_to(SOURCE))
    assert found == [COMPARES]


@pytest.mark.parametrize(
    "code",
    [
        'taken = "called" in str(refusal.reason)',
        'text = str(reason)\nif text.startswith("somebody called"): pass',
        'name, text = chat.name, str(reason)\nif text == "no": pass',
        'if error.words == "no": pass',
        'left = outcome.termination == "abandoned"',
        'if outcome.termination in ("abandoned", "fault"): pass',
        'match str(error):\n    case "no": pass',
    ],
)
def test_a_decision_by_words_is_found(code: str) -> None:
    assert list(decisions_by_words(ast.parse(code)))


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Expected `int`, got `str` - at `$.budget.nodes`", "budget.nodes: expected int, got str"),
        ("Object contains unknown field `comand` - at `$.bots[0]`", "bots[0]: object contains unknown field comand"),
        ("Object missing required field `game`", "Object missing required field `game`"),
    ],
)
def test_a_value_that_does_not_fit_is_named_before_the_reason(said: str, shown: str) -> None:
    assert validation_message(ValueError(said)) == shown
