"""Messages in pieces."""

from __future__ import annotations

from boardwire.cluster.parcels import Parcels, parcelled

MOST = 1000


def message(size: int) -> bytes:
    return bytes(number % 251 for number in range(size))


def test_what_fits_is_sent_as_it_is() -> None:
    assert parcelled("a", message(MOST), MOST) == [message(MOST)]
    assert Parcels().whole(message(MOST)) == message(MOST)


def test_what_does_not_fit_comes_whole_and_no_piece_is_too_long() -> None:
    for size in (MOST + 1, 5 * MOST, 5 * MOST + 7):
        pieces = parcelled("node b", message(size), MOST)
        assert len(pieces) > 1
        assert max(map(len, pieces)) <= MOST
        parcels = Parcels()
        assert [parcels.whole(piece) for piece in pieces] == [*[None] * (len(pieces) - 1), message(size)]


def test_pieces_of_two_nodes_may_come_in_between_each_other() -> None:
    parcels = Parcels()
    one, other = parcelled("a", message(1500), MOST), parcelled("b", message(1600), MOST)
    found = [parcels.whole(piece) for pair in zip(one, other, strict=True) for piece in pair]
    assert found[-2:] == [message(1500), message(1600)]


def test_a_message_whose_piece_is_lost_is_given_up_and_the_next_one_is_whole() -> None:
    parcels = Parcels()
    first, _, *rest = parcelled("a", message(3 * MOST), MOST)
    assert [parcels.whole(piece) for piece in (first, *rest)] == [None] * (1 + len(rest))
    again = parcelled("a", message(2 * MOST), MOST)
    parcels.whole(again[0])  # and then the sender begins once more
    assert [parcels.whole(piece) for piece in again][-1] == message(2 * MOST)
