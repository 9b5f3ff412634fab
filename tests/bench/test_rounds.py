"""Contenders by turns."""

from functools import partial

from bench.rounds import order, together


def test_every_second_round_goes_the_other_way() -> None:
    assert [list(order("abc", number)) for number in range(3)] == [["a", "b", "c"], ["c", "b", "a"], ["a", "b", "c"]]


def test_all_contenders_are_measured_in_a_round_before_any_is_measured_again() -> None:
    measured: list[str] = []

    def measure(name: str) -> int:
        measured.append(name)
        return len(measured)

    found = together({name: partial(measure, name) for name in "abc"}, 3)
    assert "".join(measured) == "abccbaabc"
    assert found == {"a": [1, 6, 7], "b": [2, 5, 8], "c": [3, 4, 9]}
