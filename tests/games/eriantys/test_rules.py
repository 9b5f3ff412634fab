"""What a game promises tables, dialects and pages, beyond the rules themselves."""

from __future__ import annotations

import re
from pathlib import Path
from typing import cast, get_args

import msgspec
import pytest

from boardwire.errors import Illegal, Refused
from boardwire.games import eriantys
from boardwire.games.eriantys import (
    Action,
    Character,
    Choices,
    CloudTime,
    Event,
    Kind,
    Mode,
    Options,
    PlayAssistant,
    Tower,
    UseCharacter,
)
from boardwire.games.eriantys.actions import TO_HALL, TO_ISLAND
from boardwire.games.eriantys.diagram import build_position
from boardwire.games.eriantys.nature import count_range
from boardwire.games.game import CHANCE, AnyGame
from boardwire.testing.scenario import parse as parse_scenarios


def test_eriantys_is_a_game() -> None:
    game = cast("AnyGame", eriantys)
    assert (game.name, game.rules, tuple(game.seat_counts)) == ("eriantys", 1, (2, 3, 4))
    decision = game.pending(game.new(game.Options(), 2))
    assert decision is not None
    assert decision.seats == (CHANCE,)


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_other_numbers_of_players_are_illegal(seats: int) -> None:
    with pytest.raises(Illegal, match="2, 3 or 4 players"):
        eriantys.new(Options(), seats)


@pytest.mark.parametrize(
    ("options", "seats", "reason"),
    [
        (Options(towers=(Tower.WHITE, Tower.WHITE)), 2, "tower colours of 2 players are white, black"),
        (Options(towers=(Tower.WHITE, Tower.GREY)), 2, "tower colours"),
        (Options(towers=(Tower.WHITE,) * 3 + (Tower.BLACK,)), 4, "tower colours"),
        (
            Options(characters=(Character.MONK, Character.THIEF, Character.KNIGHT)),
            2,
            "only the mode expert has characters",
        ),
        (Options(mode=Mode.EXPERT, characters=(Character.MONK,) * 3), 2, "three different characters"),
        (Options(mode=Mode.EXPERT, characters=(Character.MONK,)), 2, "three different characters"),
        (Options(mode=Mode.EXPERT, catalogue=(Character.MONK, Character.THIEF)), 2, "catalogue"),
        (Options(catalogue=(Character.MONK,) * 4), 2, "catalogue"),
    ],
)
def test_options_that_cannot_be_played_are_illegal(options: Options, seats: int, reason: str) -> None:
    with pytest.raises(Illegal, match=reason):
        eriantys.new(options, seats)


def test_options_survive_the_wire() -> None:
    options = Options(Mode.EXPERT, CloudTime.EITHER, (Tower.BLACK, Tower.WHITE), None, tuple(Character)[:5])
    assert msgspec.json.decode(msgspec.json.encode(options), type=Options) == options


def test_characters_are_drawn_from_the_catalogue_only() -> None:
    catalogue = (Character.MONK, Character.THIEF, Character.KNIGHT, Character.FARMER)
    position = eriantys.new(Options(mode=Mode.EXPERT, catalogue=catalogue), 2)
    while (decision := eriantys.pending(position)) is not None and decision.kind != "characters":
        choices = decision.choices
        action = choices.draw(lambda count: 0) if hasattr(choices, "draw") else next(iter(choices))
        position, _ = eriantys.apply(position, CHANCE, action)
    assert decision is not None
    assert len(decision.choices) == 4
    assert eriantys.DrawCharacters((Character.MONK, Character.THIEF, Character.KNIGHT)) in decision.choices
    assert eriantys.DrawCharacters((Character.MONK, Character.THIEF, Character.HERALD)) not in decision.choices


def test_what_is_no_action_is_illegal() -> None:
    with pytest.raises(Illegal, match="not an action of Eriantys"):
        eriantys.apply(build_position([]), 0, "hall red")  # type: ignore[arg-type]  # the mistake under test


def test_a_match_can_be_forfeited_before_it_is_set_up() -> None:
    position, events = eriantys.forfeit(eriantys.new(Options(), 2), 1)
    assert eriantys.outcome(position) == eriantys.view(position, 0).outcome
    assert [type(event).__name__ for event in events] == ["Forfeited", "Ended"]
    with pytest.raises(Refused, match="over"):
        eriantys.apply(position, 0, PlayAssistant(1))


def test_all_players_see_the_same() -> None:
    position = build_position([("characters", "monk knight thief")])
    assert eriantys.view(position, 0) == eriantys.view(position, 1) == eriantys.view(position, None)


def test_choices_are_a_sequence_of_listed_and_tabled_actions_and_more() -> None:
    more = Choices((UseCharacter(Character.KNIGHT),))
    choices = Choices((TO_HALL[1],), (0, 3), (2, 5), TO_ISLAND, more)
    expected = [
        TO_HALL[1], TO_ISLAND[0][2], TO_ISLAND[0][5], TO_ISLAND[3][2], TO_ISLAND[3][5], UseCharacter(Character.KNIGHT),
    ]  # fmt: skip
    assert list(choices) == expected
    assert [choices[index] for index in range(-6, 6)] == expected * 2
    assert TO_ISLAND[3][5] in choices
    assert TO_ISLAND[2][5] not in choices
    for index in (6, -7):
        with pytest.raises(IndexError):
            choices[index]


def test_the_examples_of_the_page_run() -> None:
    page = (Path(__file__).parents[3] / "docs" / "games" / "eriantys.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(example, {})
    (text,) = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    (scenario,) = parse_scenarios(text)
    shipped = (Path(__file__).parent / "scenarios" / "students.scenario").read_text(encoding="utf-8")
    assert scenario.title in [known.title for known in parse_scenarios(shipped)]
    assert len(scenario.lines) == 7


def test_the_page_names_every_kind_action_event_and_option() -> None:
    page = (Path(__file__).parents[3] / "docs" / "games" / "eriantys.md").read_text(encoding="utf-8")
    words = {f"`{kind}`" for kind in Kind} | {f"`{option}`" for option in Options.__struct_fields__}
    named = {member.__name__ for union in (Action, Event) for member in get_args(union)}
    assert [word for word in sorted(words) if word not in page] == []
    assert [word for word in sorted(named) if f"`{word}" not in page] == []


def test_after_the_end_the_knight_still_counts_for_who_used_it() -> None:
    position = build_position(
        [("players", "3"), ("characters", "knight monk thief"), ("asked", "steps"), ("turn", "A"), ("coins A", "2")]
    )
    position, _ = eriantys.apply(position, 0, UseCharacter(Character.KNIGHT))
    while_played = eriantys.view(position, None).islands[0].influence
    for seat in (1, 2):
        position, _ = eriantys.forfeit(position, seat)
    assert eriantys.outcome(position) is not None
    assert eriantys.view(position, None).islands[0].influence == while_played == (2, 0, 0)


def test_what_a_seat_with_an_empty_entrance_is_asked_is_not_asked_of_another() -> None:
    for seat, turn in enumerate("AB"):
        position = build_position([("entrance A", "-"), ("entrance B", "-"), ("turn", turn)])
        decision = eriantys.pending(position)
        assert decision is not None
        assert decision.seats == (seat,)


def test_the_sides_are_the_teams_without_those_who_gave_up() -> None:
    position = build_position([("players", "4")])
    assert eriantys.sides(position) == ((0, 2), (1, 3))
    position, _ = eriantys.forfeit(position, 2)
    assert eriantys.sides(position) == ((0,), (1, 3))


def test_how_far_mother_nature_may_go_is_said_for_one_step_too() -> None:
    assert (count_range(1, "step"), count_range(3, "island")) == ("1 step", "1 to 3 islands")
