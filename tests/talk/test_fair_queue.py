"""A bounded queue that is served round robin between keys."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardwire.talk import FairQueue


def served(queue: FairQueue[str], *, done: bool = True) -> str:
    """The items in the order in which they are served."""
    items = []
    while (found := queue.next()) is not None:
        key, item = found
        items.append(item)
        if done:
            queue.done(key)
    return " ".join(items)


def filled(queue: FairQueue[str], *items: str) -> FairQueue[str]:
    """Offer items whose first letter is their key; none is refused."""
    for item in items:
        assert queue.offer(item[0], item) is None
    return queue


def test_keys_take_turns_however_long_their_lines_are() -> None:
    queue = filled(FairQueue(per_key=10, total=100), "a1", "a2", "a3", "a4", "b1", "c1", "b2")
    assert served(queue) == "a1 b1 c1 a2 b2 a3 a4"
    assert not queue


def test_a_key_that_comes_later_waits_for_one_item_of_every_other_key() -> None:
    queue = filled(FairQueue(per_key=10, total=100), "a1", "a2", "a3", "b1", "b2", "b3")
    queue.next()
    filled(queue, "c1")
    assert served(queue) == "b1 a2 c1 b2 a3 b3"


def test_a_line_that_is_full_refuses_its_own_key_only() -> None:
    queue = filled(FairQueue(per_key=2, total=100), "a1", "a2")
    assert queue.offer("a", "a3") == "a3"
    assert queue.offer("b", "b1") is None
    assert served(queue) == "a1 b1 a2"


def test_in_a_full_queue_the_newest_item_of_the_longest_line_gives_way() -> None:
    queue = filled(FairQueue(per_key=4, total=4), "a1", "a2", "a3", "b1")
    assert queue.offer("c", "c1") == "a3"
    assert queue.offer("b", "b2") == "b2", "the lines would only change places"
    assert queue.offer("d", "d1") == "a2"
    assert queue.offer("e", "e1") == "e1", "every line has one item"
    assert served(queue) == "a1 b1 c1 d1"


def test_a_queue_without_any_place_refuses_everything() -> None:
    queue: FairQueue[str] = FairQueue(per_key=1, total=0)
    assert queue.offer("a", "a1") == "a1"
    assert served(queue) == ""


def test_a_key_at_its_active_limit_is_passed_over_until_an_item_is_done() -> None:
    queue = filled(FairQueue(per_key=10, total=100, active_per_key=2), "a1", "a2", "a3", "b1")
    assert served(queue, done=False) == "a1 b1 a2"
    assert (queue.active("a"), queue.waiting("a")) == (2, 1)
    assert queue.next() is None
    queue.done("b")
    assert queue.next() is None
    queue.done("a")
    assert queue.next() == ("a", "a3")


def test_work_for_a_key_at_its_limit_waits() -> None:
    queue = filled(FairQueue(per_key=10, total=100, active_per_key=1), "a1")
    assert queue.next() == ("a", "a1")
    filled(queue, "a2")
    assert queue.next() is None
    queue.done("a")
    assert queue.next() == ("a", "a2")


def test_an_item_that_is_withdrawn_is_never_served() -> None:
    queue = filled(FairQueue(per_key=10, total=100), "a1", "a2", "b1")
    assert queue.withdraw("a", "a1")
    assert not queue.withdraw("a", "a1")
    assert not queue.withdraw("c", "c1")
    assert queue.withdraw("b", "b1")
    assert len(queue) == 1
    assert served(queue) == "a2"


@pytest.mark.parametrize(("first", "order"), [(True, "b1 c1 a1 a2"), (False, "b1 c1 a2 a1")])
def test_an_item_that_is_put_back_comes_after_all_other_keys(first: bool, order: str) -> None:
    queue = filled(FairQueue(per_key=2, total=3, active_per_key=1), "a1", "a2", "b1")
    assert queue.next() == ("a", "a1")
    filled(queue, "c1")
    queue.put_back("a", "a1", first=first)
    assert len(queue) == 4, "no limit holds for what was started already"
    assert served(queue) == order


def test_draining_returns_what_waits_and_leaves_nothing() -> None:
    queue = filled(FairQueue(per_key=10, total=100, active_per_key=1), "a1", "a2", "b1")
    queue.next()
    assert queue.drain() == ["a2", "b1"]
    assert not queue
    queue.done("a")
    assert queue.next() is None


def test_a_key_without_items_is_forgotten() -> None:
    queue = filled(FairQueue(per_key=10, total=100, active_per_key=1), "a1", "b1")
    assert queue.keys() == 2
    served(queue)
    assert queue.keys() == 0


@given(
    st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from(["offer", "next", "done", "withdraw"])), max_size=60),
    st.integers(1, 4), st.integers(1, 8), st.integers(0, 2),
)  # fmt: skip
def test_limits_hold_and_no_item_is_lost(steps: list[tuple[str, str]], per_key: int, total: int, active: int) -> None:
    queue: FairQueue[int] = FairQueue(per_key=per_key, total=total, active_per_key=active)
    offered, started, refused, withdrawn = 0, [], 0, 0
    running: list[str] = []
    for key, step in steps:
        if step == "offer":
            refused += queue.offer(key, offered) is not None
            offered += 1
        elif step == "next" and (found := queue.next()) is not None:
            running.append(found[0])
            started.append(found[1])
        elif step == "done" and key in running:
            running.remove(key)
            queue.done(key)
        elif step == "withdraw":
            withdrawn += queue.withdraw(key, offered - 1)
        assert all(queue.waiting(key) <= per_key for key in "abcd")
        assert sum(map(queue.waiting, "abcd")) == len(queue) <= total
        assert not active or all(queue.active(key) == running.count(key) <= active for key in "abcd")
    assert offered == len(started) + refused + withdrawn + len(queue)
    assert len(set(started)) == len(started)
    while (rest := queue.next()) is not None:
        queue.done(rest[0])
    waiting = [key for key in "abcd" if queue.waiting(key)]
    assert all(active and queue.active(key) >= active for key in waiting), "what waits is held back by the active limit"


def test_the_cost_of_a_refusal_does_not_grow_with_the_line() -> None:
    class Counting(str):
        __slots__ = ()
        compared = 0

        def __eq__(self, other: object) -> bool:
            Counting.compared += 1
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    queue: FairQueue[Counting] = FairQueue(per_key=1000, total=1000)
    for item in map(Counting, map(str, range(2000))):
        queue.offer("a", item)
    assert (len(queue), Counting.compared) == (1000, 0)


def test_an_item_that_was_put_back_never_gives_way() -> None:
    queue = FairQueue[str](per_key=10, total=3, active_per_key=1)
    for item in ("a1", "a2", "a3"):
        assert queue.offer("a", item) is None
    assert queue.next() == ("a", "a1")
    queue.put_back("a", "a1")
    assert queue.offer("b", "b1") == "a3", "not a1, which was started and is the newest"
    found = []
    while (pair := queue.next()) is not None:
        found.append(pair[1])
        queue.done(pair[0])
    assert "a1" in found


def test_a_line_of_started_items_alone_gives_way_to_nothing() -> None:
    queue = FairQueue[str](per_key=10, total=2)
    for item in ("a1", "a2"):
        queue.offer("a", item)
    for _ in range(2):
        found = queue.next()
        assert found is not None
    queue.put_back("a", "a1")
    queue.put_back("a", "a2")
    assert queue.offer("b", "b1") == "b1"
    assert queue.withdraw("a", "a2")
    assert queue.offer("b", "b1") is None
