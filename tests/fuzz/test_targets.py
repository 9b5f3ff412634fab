"""The fuzz targets: every input of the corpus passes, and a broken decoder fails."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from fuzz.seeds import CORPUS
from fuzz.targets import TARGETS

from boardwire import dialects
from boardwire.errors import Malformed
from fuzz import grammar, targets

MUTATIONS = 20
"""Changed inputs of each target; `make fuzz` tries as many as there is time for."""


def inputs(target: str) -> list[Path]:
    return sorted((CORPUS / target).iterdir())


def test_every_dialect_has_targets_for_both_ends() -> None:
    for name in dialects.DIALECT_PACKAGES:
        place = name.replace("/", ".")
        assert {f"{place}-requests", f"{place}-replies"} <= TARGETS.keys()


def test_every_target_has_a_corpus_and_nothing_else_has() -> None:
    assert {path.name for path in CORPUS.iterdir()} == TARGETS.keys(), "run `make seeds`"
    assert all(inputs(target) for target in TARGETS)


@pytest.mark.parametrize("target", TARGETS)
def test_every_input_of_the_corpus_passes(target: str) -> None:
    for path in inputs(target):
        TARGETS[target](path.read_bytes())


@pytest.mark.parametrize("target", TARGETS)
def test_every_declared_message_passes(target: str) -> None:
    for data in grammar.inputs(target):
        TARGETS[target](data)


@pytest.mark.parametrize("target", TARGETS)
def test_changed_inputs_pass(target: str) -> None:
    luck = Random(target)
    corpus = [path.read_bytes() for path in inputs(target)]
    for _ in range(MUTATIONS):
        TARGETS[target](mutated(luck.choice(corpus), luck.choice(corpus), luck))


def mutated(data: bytes, other: bytes, luck: Random) -> bytes:
    """Change a few bytes, cut some out, and splice another input in."""
    changed = bytearray(data)
    for _ in range(luck.randrange(4)):
        if changed:
            changed[luck.randrange(len(changed))] = luck.randrange(256)
    begin = luck.randrange(len(changed) + 1)
    del changed[begin : begin + luck.choice((0, 0, 1, 4, 40))]
    place, size = luck.randrange(len(changed) + 1), luck.choice((0, 0, 8, 200))
    return bytes(changed[:place] + other[:size] + changed[place:])


class Wrong:
    """A decoder with a fault that a test chooses."""

    overhead = 0
    fault: Malformed | None = None
    buffered = 0

    def __init__(self, error: Exception | None = None) -> None:
        self._error = error

    def feed(self, data: bytes) -> Sequence[Any]:
        if self._error is not None:
            raise self._error
        return [len(data)] if data else []


def test_a_decoder_that_raises_something_else_than_malformed_fails() -> None:
    with pytest.raises(KeyError):
        targets.decode(lambda: Wrong(KeyError("a")), b"hello")
    targets.decode(lambda: Wrong(Malformed("as it should")), b"hello")


def test_a_decoder_that_depends_on_how_its_bytes_are_cut_fails() -> None:
    with pytest.raises(AssertionError, match="in two pieces"):
        targets.decode(Wrong, b"\x02hello")
