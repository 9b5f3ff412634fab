"""Choices narrowed by targets."""

from __future__ import annotations

from boardwire.terminal.app.selection import CHOICE, Path, Selection, Target


def squares(*keys: int) -> Path:
    return tuple(Target("square", key) for key in keys)


A, B, C, D = squares(1, 2, 3, 4)


def test_targets_are_offered_one_after_the_other() -> None:
    selection = Selection([((A, C), "ac"), ((A, D), "ad"), ((B, C), "bc")])
    assert selection.targets == (A, B)
    assert selection.choose(A) is None
    assert selection.targets == (C, D)
    assert selection.choose(D) == ("ad",)


def test_a_target_that_all_choices_begin_with_is_skipped() -> None:
    selection = Selection([((A, C), "ac"), ((A, D), "ad")])
    assert selection.prefix == (A,)
    assert selection.targets == (C, D)
    assert selection.choose(C) == ("ac",)


def test_the_only_choice_is_still_chosen_by_the_player() -> None:
    selection = Selection([((A,), "a")])
    assert selection.targets == (A,)
    assert selection.choose(A) == ("a",)


def test_another_first_target_begins_again() -> None:
    selection = Selection([((A, C), "ac"), ((A, D), "ad"), ((B, D), "bd"), ((B, A), "ba")])
    selection.choose(A)
    assert selection.choose(B) is None
    assert selection.chosen == (B,)
    assert selection.targets == (D, A)


def test_choices_of_the_same_targets_are_told_apart_by_number() -> None:
    selection = Selection([((A, B), "block"), ((A, B), "dome"), ((A, C), "other")])
    assert selection.choose(B) is None
    block, dome = selection.targets
    assert (block.kind, dome.kind) == (CHOICE, CHOICE)
    assert selection.choose(dome) == ("dome",)


def test_a_choice_whose_targets_begin_another_one_is_named_too() -> None:
    selection = Selection([((A,), "a"), ((A, B), "ab")])
    assert selection.choose(A) is None
    assert {target.kind for target in selection.targets} == {CHOICE, "square"}
    assert selection.choose(Target(CHOICE, 0)) == ("a",)


def test_a_choice_without_targets_is_offered_by_number() -> None:
    selection = Selection([((), "done"), ((A,), "a")])
    assert selection.choose(Target(CHOICE, 0)) == ("done",)


def test_the_last_target_is_taken_back_with_those_that_were_skipped() -> None:
    selection = Selection([((A, B, C), 1), ((A, B, D), 2), ((B, A), 3)])
    selection.choose(A)
    assert selection.prefix == (A, B)
    assert selection.back()
    assert selection.targets == (A, B)
    assert not selection.back()


def test_input_that_is_not_offered_changes_nothing() -> None:
    selection = Selection([((A, C), "ac"), ((B, C), "bc")])
    assert selection.choose(D) is None
    assert selection.chosen == ()


def test_the_targets_of_an_action_can_be_looked_up() -> None:
    selection = Selection([((A, C), "ac"), ((B, C), "bc")])
    assert selection.path_of("bc") == (B, C)
    assert selection.path_of("xx") == ()
