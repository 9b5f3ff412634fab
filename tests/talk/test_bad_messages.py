from boardwire.talk import BadMessageCount


def test_one_too_many_in_a_row_is_out() -> None:
    strikes = BadMessageCount(3)
    assert [strikes.add() for _ in range(3)] == [False, False, True]
    assert strikes.limit_reached


def test_a_good_message_resets_the_count() -> None:
    strikes = BadMessageCount(2)
    for _ in range(5):
        assert not strikes.add()
        strikes.count = 0
    assert not strikes.limit_reached
