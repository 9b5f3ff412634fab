"""Quirks of the wire that the shipped program relies on."""

from __future__ import annotations

from boardwire.dialects.eriantys_objects import DIALECTS
from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.simulation.server import SimulatedServer

from .spoken import OBJECTS, Caller, Hall, kinds, run_until, seat


def test_the_header_is_sent_at_once_and_a_reset_ends_each_message() -> None:
    peer = SimulatedServer().connect(OBJECTS)
    assert peer.take() == bytes.fromhex("aced0005")
    peer.send(bytes.fromhex("aced0005") + wire.encode(wire.LoginRequest(nickname="ann")))
    assert peer.take().endswith(b"\x79")


def test_the_types_of_the_two_student_requests_are_swapped() -> None:
    callers = seat(Hall(seed=0))
    _, island = run_until(callers, wire.StudentToIslandMessage)
    assert island.message_type is wire.MessageType.REQ_ENTRANCE_TO_HALL
    callers = seat(Hall(seed=0))
    _, hall = run_until(callers, wire.StudentToHallMessage)
    assert hall.message_type is wire.MessageType.REQ_ENTRANCE_TO_ISLAND


def test_the_parent_of_a_display_has_no_kind_of_display() -> None:
    callers = seat(Hall(seed=0))
    displays = [one for one in callers[0].told() if isinstance(one, wire.DisplayMessage)]
    assert displays
    assert all(one.parent_display is None for one in displays)
    assert all(getattr(one, "object_display", None) is not None for one in displays)


def test_requests_and_displays_carry_the_addressee_as_nickname() -> None:
    for caller in seat(Hall(seed=0)):
        addressed = [one for one in caller.told() if isinstance(one, wire.DisplayMessage | wire.InitialResMessage)]
        assert {type(one) for one in addressed} & {wire.InitialResMessage}
        assert {one.nickname for one in addressed} == {caller.name}


def test_a_nickname_from_another_alphabet_is_written_like_any_other() -> None:
    caller = Caller(Hall(), "Łucja €😀")
    caller.told()
    (towers,) = caller.answer(kind=wire.PlayerNumberReply, player_number=2)
    assert towers.nickname == "Łucja €😀"


def test_the_java_class_coll_ser_is_accepted_as_a_list() -> None:
    callers = seat(Hall(seed=0))
    caller, _ = run_until(callers, wire.StudentToIslandMessage)
    message = wire.MovedStudentOnIslandMessage(nickname=caller.name, index_island=0, students=())
    data = wire.encode(message)
    # the empty ArrayList is the last object: descriptor, size, block, end, reset
    head, _, _ = data.rpartition(b"\x73\x72\x00\x13java.util.ArrayList")
    assert head
    coll_ser = (
        b"\x73\x72\x00\x11java.util.CollSer" + (6309168927139932177).to_bytes(8, "big") + b"\x03\x00\x01I\x00\x03tag"
        b"\x78\x70\x00\x00\x00\x01\x77\x04\x00\x00\x00\x00\x78"
    )
    caller.peer.send(head + coll_ser + b"\x79")
    assert kinds(caller.told()) == ["StudentToHallMessage"]


def test_two_messages_without_a_reset_between_them_are_understood() -> None:
    caller = Caller(Hall())
    login = wire.encode(wire.LoginRequest(nickname="ann"))
    caller.peer.send(login[:-1] + wire.encode(wire.PingMessage()))
    assert kinds(caller.told()) == ["LoginReply", "PlayerNumberRequest"]


def test_protocol_errors_are_sent_only_before_a_close() -> None:
    errors = {
        wire.InvalidMovementMessage, wire.InvalidNicknameMessage, wire.InvalidTowerMessage,
        wire.InvalidNumberStudentsMovedMessage, wire.ErrorCardMessageResponse, wire.ErrorMessage,
    }  # fmt: skip
    callers = seat(Hall(seed=0))
    caller, _ = run_until(callers, wire.ReqMoveMotherNatureMessage)
    told = caller.answer(kind=wire.MovedMotherNatureMessage, movement=100)
    assert not errors & {type(one) for one in told}


def test_requests_are_exactly_those_of_the_specification() -> None:
    assert len(wire.TYPES) == 23
    assert DIALECTS["eriantys-objects"].port == 16847
