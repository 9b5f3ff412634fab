"""The page of the game agrees with the catalogue and the code, and what it shows runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from boardwire.games import santorini
from boardwire.games.santorini.options import Draft, Options
from boardwire.games.santorini.powers.catalogue import BANS, CATALOGUE, Family, PowerFacts
from boardwire.games.santorini.powers.registry import POWERS
from boardwire.games.santorini.record import format_record, parse_record
from boardwire.games.santorini.setup import STAGES

from ...pages import section

PAGE = (Path(__file__).parents[3] / "docs" / "games" / "santorini.md").read_text(encoding="utf-8")
TITLES = {
    Family.SIMPLE: "Simple gods",
    Family.ADVANCED: "Advanced gods",
    Family.FLEECE: "Gods of the Golden Fleece",
    Family.HERO: "Heroes",
    Family.PROMO: "Promo gods",
}


def rows(title: str) -> list[list[str]]:
    """The cells of the table below a heading, without its head."""
    lines = [line for line in section(PAGE, title).split("\n") if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def row(entry: PowerFacts) -> list[str]:
    text = entry.text + (f" *Printed:* {entry.printed}" if entry.printed else "")
    return [entry.name, " ".join(map(str, entry.players)), "yes" if entry.fleece else "", str(entry.order), text]


@pytest.mark.parametrize("family", list(Family))
def test_the_tables_of_powers_are_the_catalogue(family: Family) -> None:
    assert rows(TITLES[family]) == [row(entry) for entry in CATALOGUE.values() if entry.family is family]


def test_the_pairs_that_may_not_meet_are_those_of_the_catalogue() -> None:
    gods = {entry.name: entry.god for entry in CATALOGUE.values()}
    told = [(gods[one], gods[other]) for one, others in rows("Pairs that may not meet") for other in others.split(", ")]
    assert len(told) == len(BANS)
    assert {frozenset(pair) for pair in told} == BANS


def test_every_option_and_every_draft_is_told() -> None:
    assert [name for name, *_ in rows("Options")] == [f"`{field}`" for field in Options.__struct_fields__]
    assert {name for name, *_ in rows("Set-ups")} == {f"`{draft}`" for draft in Draft}
    assert set(STAGES) == set(Draft) - {Draft.POSITION}


def test_every_kind_of_decision_and_every_action_is_told() -> None:
    text = section(PAGE, "Decisions and actions")
    kinds = {name for cells in rows("Decisions and actions") for name in re.findall(r"`(\w+)`", cells[0])}
    assert kinds == {kind.value for kind in santorini.Kind}
    actions = {action.__name__: action.__struct_fields__ for action in santorini.Action.__args__}
    assert set(re.findall(r"`([A-Z]\w+\([^`]*\))`", text)) == {
        f"{name}({', '.join(fields)})" for name, fields in actions.items()
    }


def test_who_places_first_or_last_is_told() -> None:
    names = {rank: {CATALOGUE[god].name for god, power in POWERS.items() if power.rank == rank} for rank in (-1, 1)}
    assert names == {-1: {"Bia", "Tartarus"}, 1: {"Hecate"}}
    assert "Bia and Tartarus place and begin first, Hecate places last" in PAGE


def test_rulings_name_powers_or_points_once() -> None:
    points = [point for point, *_ in rows("Rulings")]
    assert len(set(points)) == len(points)


@pytest.mark.parametrize("code", blocks("python"))
def test_the_code_of_the_page_runs(code: str) -> None:
    exec(compile(code, "docs/games/santorini.md", "exec"), {})


def test_the_record_of_the_page_is_one() -> None:
    (text,) = blocks("text")
    assert format_record(parse_record(text)) == text


def test_no_sentence_shares_its_line() -> None:
    prose = re.sub(r"^```.*?^```$", "", PAGE, flags=re.MULTILINE | re.DOTALL)
    for line in prose.split("\n"):
        if not line.startswith(("|", "#", "-")):
            assert not re.search(r"[.!?] [A-Z]", line), line
