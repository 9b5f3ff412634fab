"""Tie breaks by hand-computed examples."""

from boardwire.competition.standings import TieBreaks, tie_breaks


def test_buchholz_and_sonneborn_berger_of_four_players() -> None:
    """Round robin of four: A beats B and C, draws D; B beats C and D; C beats D."""
    results = {
        "A": [("B", 1.0), ("C", 1.0), ("D", 0.5)],
        "B": [("A", 0.0), ("C", 1.0), ("D", 1.0)],
        "C": [("A", 0.0), ("B", 0.0), ("D", 1.0)],
        "D": [("A", 0.5), ("B", 0.0), ("C", 0.0)],
    }
    number = {name: place for place, name in enumerate(results)}
    found = tie_breaks({number[name]: [(number[other], got) for other, got in rows] for name, rows in results.items()})
    assert found[0] == TieBreaks(2.5, 3.5, 2.0 + 1.0 + 0.25)  # opponents 2, 1 and 0.5
    assert found[1] == TieBreaks(2.0, 4.0, 1.0 + 0.5)
    assert found[2] == TieBreaks(1.0, 5.0, 0.5)
    assert found[3] == TieBreaks(0.5, 5.5, 1.25)


def test_a_bye_counts_as_an_opponent_with_the_same_points() -> None:
    found = tie_breaks({0: [(None, 1.0), (1, 1.0)], 1: [(0, 0.0)]})
    assert found[0] == TieBreaks(2.0, 2.0, 2.0)
