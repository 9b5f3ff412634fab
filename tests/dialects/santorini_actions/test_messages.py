"""Caches do not change messages."""

from __future__ import annotations

from random import Random

from boardwire.dialects.santorini_actions.messages.battlefield import BoardEncoder, matrix
from boardwire.dialects.santorini_actions.messages.replies import step_response
from boardwire.dialects.santorini_actions.messages.requests import MAX_CACHED_LINE_BYTES, PlayStep, SelectWorker, read
from boardwire.dialects.santorini_actions.steps import Step
from boardwire.games import santorini
from boardwire.games.santorini import Draft, Options
from boardwire.testing import laws


def test_a_board_is_the_same_whatever_was_written_before_it() -> None:
    names = ("Ann", "Bob", "Zoë")
    board_encoder = BoardEncoder(names)
    boards = set()
    for ply in laws.playthrough(santorini, Options(Draft.NONE), 3, Random(4).randrange):
        p = ply.after
        board = matrix(p, p.workers, board_encoder)
        assert board == matrix(p, p.workers, BoardEncoder(names))
        boards.add(board)
    assert len(boards) > 50  # more than the rows that are remembered


def test_a_repeated_short_line_is_decoded_once() -> None:
    line = b'{"action":"playStep","data":{"x":1,"y":2}}'
    assert read(line) == PlayStep(1, 2)
    assert read(line) is read(bytes(bytearray(line)))


def test_a_long_line_is_not_cached() -> None:
    line = b'{"action":"selectWorker","data":{"playerNickname":"%b","x":1,"y":2}}' % (b"a" * MAX_CACHED_LINE_BYTES)
    assert read(line) == SelectWorker("a" * MAX_CACHED_LINE_BYTES, 1, 2)
    assert read(line) is not read(bytes(bytearray(line)))


def test_the_answer_to_a_step_names_its_cell_and_what_follows() -> None:
    assert step_response(7, Step.BUILD) == b'{"action":"playStepResponse","data":{"x":1,"y":2,"nextStep":"BUILD"}}\n'
    assert step_response(7, Step.END) != step_response(8, Step.END)
