"""Messages between nodes as bytes, also as an earlier version wrote them."""

from __future__ import annotations

import inspect
from typing import get_args

import msgspec
import pytest

from boardwire import games
from boardwire.cluster.edge import edge
from boardwire.cluster.hosting import delegate
from boardwire.cluster.transport import messages
from boardwire.cluster.transport.messages import (
    Ask,
    Attach,
    Attendee,
    Gone,
    Told,
    decode_error,
    decode_request,
    encode_error,
    encode_request,
    expand_summary,
    summarize,
)
from boardwire.dialects.native import tell
from boardwire.errors import Illegal, Malformed, Reason, Refused
from boardwire.lobby import requests
from boardwire.lobby.requests import Advise, Decline, Seek
from boardwire.simulation.luck import ScriptedDealer
from boardwire.table import commands
from boardwire.table import guest as notifications
from boardwire.table.commands import Act, Chat
from boardwire.table.events import Acted, Joined, Left, Opened, Player, Started, encode
from boardwire.table.guest import Tie
from boardwire.table.match import fold, match_of_opening
from boardwire.table.policy import Leaving, Policy

ENVELOPE_1 = (
    "96 01 a5 6e6f727468 02 07 03 91"  # version 1, from generation 2 of `north`, number 7, to our generation 3
    "9a a3 41736b cd1000 02 09 92 a3 416374 83 a4 73656174 01 a7 616374696f6e73 91 04 a4 7365656e 06"
    "a7 6d617463682d31 a0 a0 c2 06"
)
"""An envelope with a move, as version 1 writes it.  Nodes of that version may be running: it must not change."""


def test_an_envelope_of_version_1_is_decoded() -> None:
    envelope = messages.decode(bytes.fromhex(ENVELOPE_1))
    assert (envelope.version, envelope.node, envelope.generation, envelope.number, envelope.to) == (1, "north", 2, 7, 3)
    (message,) = envelope.messages
    assert isinstance(message, Ask)
    assert (message.guest, message.epoch, message.number, message.match, message.seq) == (4096, 2, 9, "match-1", 6)
    assert decode_request(message.request, None) == Act(1, (4,), 6)


def test_fields_of_a_newer_version_are_ignored() -> None:
    message = Attach("match-1", 2, 7, [Attendee(1, 2, 0, Tie.SEAT)])
    newer = [*msgspec.msgpack.decode(msgspec.msgpack.encode(message)), "more"]
    assert messages.decode_message(msgspec.Raw(msgspec.msgpack.encode(newer))) == message


def test_fields_missing_in_an_older_version_have_their_defaults() -> None:
    older = msgspec.msgpack.encode(["Told", [1], "match-1"])
    assert messages.decode_message(msgspec.Raw(older)) == Told([1], "match-1")


def test_a_message_of_an_unknown_type_is_skipped() -> None:
    assert messages.decode_message(msgspec.Raw(msgspec.msgpack.encode(["Telepathy", 1]))) is None


def test_messages_beside_one_of_an_unknown_type_are_decoded() -> None:
    gone = msgspec.msgpack.decode(msgspec.msgpack.encode(Gone(3)))
    data = msgspec.msgpack.encode([1, "north", 2, 7, 3, [["Telepathy", 1], gone]])
    assert messages.decode(data).messages == [None, Gone(3)]


def test_requests_survive_encoding() -> None:
    seek = Seek("tris", 2, Player("ann", "test"), policy=Policy(), terms=("expert", 3), tie=Tie.COMPANY)
    for request in (seek, Act(1, (4,), 7), Chat(0, "hm")):
        assert decode_request(encode_request(request), None) == request


def test_actions_are_decoded_in_the_types_of_the_game() -> None:
    game = games.game("eriantys")
    match = match_of_opening(Opened(1.0, "match-1", "eriantys@1", 2, game.Options(), Policy()))
    pending = game.pending(game.new(game.settle(game.Options(), (None, None)), 2))
    assert pending is not None
    action = ScriptedDealer((), seed=1).deal(pending)
    assert isinstance(action, msgspec.Struct)
    assert decode_request(encode_request(Act(0, (action,))), match) == Act(0, (action,))


def test_every_request_of_a_guest_can_be_encoded() -> None:
    ours = {commands.Deal, commands.Leave, commands.TimeOut, commands.Forfeit}
    """Commands that only a table or an organiser gives."""
    encodable = (set(get_args(commands.Command)) - ours) | (requests.LOBBY_REQUESTS - {Advise, Decline})
    assert set(messages._REQUESTS) == {kind.__name__ for kind in encodable}


def test_every_notification_can_be_sent_to_an_edge() -> None:
    here = {
        notifications.Advised, notifications.Announced, notifications.Challenged, notifications.Corrected,
        notifications.Refusal, notifications.Step,
    }  # fmt: skip
    """The edge advises, announces and reports challenges; steps and refusals are handled apart; only a bridge corrects
    positions."""
    methods = edge.Edge._handle_notice, edge.Edge._deliver_notice, delegate.Delegate._notice
    source = "".join(inspect.getsource(method) for method in methods)
    for kind in set(get_args(notifications.Notification)) - here:
        assert kind.__name__ in source, kind


@pytest.mark.parametrize("error", [Refused("no", reason=Reason.STALE), Illegal("there is a dome"), Malformed("what?")])
def test_errors_survive_encoding(error: Refused | Illegal | Malformed) -> None:
    other = decode_error(encode_error(error))
    assert (type(other), str(other), other.reason) == (type(error), str(error), error.reason)


def test_a_summary_has_what_the_table_list_needs() -> None:
    match = match_of_opening(Opened(1.0, "match-1", "tris@1", 2, {}, Policy(), "test", "code"))
    bare = expand_summary(msgspec.msgpack.decode(msgspec.msgpack.encode(summarize(match)), type=messages.MatchSummary))
    assert (bare.id, bare.status, bare.chairs, bare.setting.code) == ("match-1", match.status, match.chairs, "code")
    assert encode(Opened(1.0, "a", "tris@1", 2, bare.setting.initial_options, Policy()))


def test_a_held_seat_is_announced_alike_from_a_match_and_from_its_summary() -> None:
    match = fold(
        [
            Opened(1.0, "m", "tris@1", 2, {}, Policy(Leaving.HOLDS, 60.0)),
            Joined(1.0, 0, Player("ann", "native")),
            Joined(2.0, 1, Player("bob", "native")),
            Started(2.0, {}),
            Acted(3.0, 0, 4),
            Left(4.0, 0),
        ]
    )
    assert tell.kept_seat(expand_summary(summarize(match)), 0) == tell.kept_seat(match, 0)
