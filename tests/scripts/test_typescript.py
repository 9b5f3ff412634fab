"""The page's types are the Python types."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from pathlib import Path
from typing import Any

import msgspec
import pytest
from scripts.typescript import Declarations, main, render

from scripts import typescript

ROOT = Path(__file__).parents[2]


class Fruit(StrEnum):
    """What grows."""

    APPLE = "apple"
    PEAR = "pear"


class Size(IntEnum):
    SMALL = 1
    LARGE = 2


class Leaf(msgspec.Struct, frozen=True, tag="leaf", omit_defaults=True):
    """A leaf.

    Second line.
    """

    name: str
    fruit: Fruit = Fruit.APPLE
    sizes: tuple[Size | None, ...] = ()


class Branch(msgspec.Struct, frozen=True, tag="branch"):
    parts: tuple[Leaf | Branch, ...]
    pair: tuple[int, float]
    note: str | None = None
    extra: Any = None
    counts: dict[str, bool] = {}


def declared(kind: Any) -> str:
    page = Declarations()
    page.union("Tree", kind)
    return page.text()


def test_the_file_of_the_page_is_up_to_date() -> None:
    assert (ROOT / typescript.TARGET).read_text() == render(), "run `make types`"


def test_a_struct_is_an_interface_with_its_tag() -> None:
    text = declared(Leaf | Branch)
    assert 'export interface Branch {\n  type: "branch";\n' in text
    assert "/** A leaf.\n * \n * Second line. */\n" in text


def test_only_a_field_that_may_be_left_out_is_optional() -> None:
    text = declared(Leaf | Branch)
    assert "  name: string;\n  fruit?: Fruit;\n" in text
    assert "  note: string | null;\n" in text


def test_a_union_is_named_where_it_is_met_again() -> None:
    text = declared(Leaf | Branch)
    assert "export type Tree =\n  | Leaf\n  | Branch;\n" in text
    assert "  parts: readonly Tree[];\n" in text


def test_enums_are_values_and_types() -> None:
    text = declared(Leaf | Branch)
    assert (
        'export const Fruit = [\n  "apple",\n  "pear",\n] as const;\nexport type Fruit = (typeof Fruit)[number];\n'
        in text
    )
    assert "export const Size = {\n  SMALL: 1,\n  LARGE: 2,\n} as const;\n" in text
    assert "export type Size = (typeof Size)[keyof typeof Size];\n" in text
    assert "  sizes?: readonly (Size | null)[];\n" in text


def test_plain_types_have_their_names() -> None:
    text = declared(Leaf | Branch)
    assert "  pair: readonly [number, number];\n" in text
    assert "  extra: unknown;\n" in text
    assert "  counts: Readonly<Record<string, boolean>>;\n" in text


def test_a_type_without_a_name_in_typescript_is_refused() -> None:
    with pytest.raises(TypeError, match="no TypeScript"):
        declared(bytes)


def test_names_of_a_game_carry_the_game() -> None:
    text = render()
    assert "export type SantoriniAction =\n" in text
    assert "export type TrisAction = number;\n" in text
    assert "export interface Outcome {\n" in text


def test_checking_tells_when_the_file_is_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(typescript, "TARGET", tmp_path / "types.ts")
    assert main([]) == 0
    assert main(["--check"]) == 0
    (tmp_path / "types.ts").write_text("old")
    assert main(["--check"]) == 1
    assert "make types" in capsys.readouterr().err
