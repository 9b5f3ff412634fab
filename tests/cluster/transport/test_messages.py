"""What nodes write to each other, as bytes: also as a former version wrote it."""

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
    card,
    carded,
    excuse,
    excused,
    read,
    written,
)
from boardwire.errors import Illegal, Malformed, Reason, Refused
from boardwire.lobby import requests
from boardwire.lobby.requests import Advise, Decline, Seek
from boardwire.simulation.luck import ScriptedDealer
from boardwire.table import commands
from boardwire.table import guest as news
from boardwire.table.commands import Act, Chat
from boardwire.table.events import Opened, Player, encode
from boardwire.table.guest import Tie
from boardwire.table.match import opened
from boardwire.table.policy import Policy

ENVELOPE_1 = (
    "96 01 a5 6e6f727468 02 07 03 91"  # version 1, from the second life of `north`, number 7, to the third life of ours
    "9a a3 41736b cd1000 02 09 92 a3 416374 83 a4 73656174 01 a7 616374696f6e73 91 04 a4 7365656e 06"
    "a7 6d617463682d31 a0 a0 c2 06"
)
"""An envelope with a move, as version 1 of the letters writes it.  It stays as it is: so do other nodes."""


def test_what_version_1_wrote_is_read() -> None:
    envelope = messages.decode(bytes.fromhex(ENVELOPE_1))
    assert (envelope.version, envelope.node, envelope.life, envelope.number, envelope.to) == (1, "north", 2, 7, 3)
    (letter,) = envelope.letters
    assert isinstance(letter, Ask)
    assert (letter.guest, letter.fence, letter.number, letter.match, letter.seq) == (4096, 2, 9, "match-1", 6)
    assert read(letter.request, None) == Act(1, (4,), 6)


def test_a_field_that_a_newer_version_added_is_not_read() -> None:
    letter = Attach("match-1", 2, 7, [Attendee(1, 2, 0, Tie.SEAT)])
    newer = [*msgspec.msgpack.decode(msgspec.msgpack.encode(letter)), "more"]
    assert messages.opened(msgspec.Raw(msgspec.msgpack.encode(newer))) == letter


def test_a_field_that_an_older_version_did_not_have_has_its_default() -> None:
    older = msgspec.msgpack.encode(["Told", [1], "match-1"])
    assert messages.opened(msgspec.Raw(older)) == Told([1], "match-1")


def test_a_letter_of_an_unknown_kind_is_left_out() -> None:
    assert messages.opened(msgspec.Raw(msgspec.msgpack.encode(["Telepathy", 1]))) is None


def test_a_letter_of_an_unknown_kind_does_not_keep_those_beside_it_from_being_read() -> None:
    gone = msgspec.msgpack.decode(msgspec.msgpack.encode(Gone(3)))
    data = msgspec.msgpack.encode([1, "north", 2, 7, 3, [["Telepathy", 1], gone]])
    assert messages.decode(data).letters == [None, Gone(3)]


def test_requests_are_read_as_they_were_asked() -> None:
    seek = Seek("tris", 2, Player("ann", "test"), policy=Policy(), terms=("expert", 3), tie=Tie.COMPANY)
    for request in (seek, Act(1, (4,), 7), Chat(0, "hm")):
        assert read(written(request), None) == request


def test_actions_are_read_in_the_types_of_the_game() -> None:
    game = games.game("eriantys")
    match = opened(Opened(1.0, "match-1", "eriantys@1", 2, game.Options(), Policy()))
    pending = game.pending(game.new(game.settle(game.Options(), (None, None)), 2))
    assert pending is not None
    action = ScriptedDealer((), seed=1).deal(pending)
    assert isinstance(action, msgspec.Struct)
    assert read(written(Act(0, (action,))), match) == Act(0, (action,))


def test_every_request_of_a_guest_can_travel() -> None:
    ours = {commands.Deal, commands.Leave, commands.TimeOut}
    """What only a table asks of itself."""
    travelling = (set(get_args(commands.Command)) - ours) | (requests.ERRANDS - {Advise, Decline})
    assert set(messages._REQUESTS) == {kind.__name__ for kind in travelling}


def test_every_kind_of_news_can_travel() -> None:
    here = {news.Advised, news.Corrected, news.Step, news.Refusal}
    """What an edge finds by itself, what only a bridge sends, and what has its own message."""
    source = inspect.getsource(edge.Edge._notice) + inspect.getsource(delegate.Delegate._notice)
    for kind in set(get_args(news.News)) - here:
        assert kind.__name__ in source, kind


@pytest.mark.parametrize("error", [Refused("no", reason=Reason.STALE), Illegal("there is a dome"), Malformed("what?")])
def test_a_refusal_is_the_same_on_the_other_side(error: Refused | Illegal | Malformed) -> None:
    other = excused(excuse(error))
    assert (type(other), str(other), other.reason) == (type(error), str(error), error.reason)


def test_a_card_tells_of_a_match_what_a_list_needs() -> None:
    match = opened(Opened(1.0, "match-1", "tris@1", 2, {}, Policy(), "test", "code"))
    bare = carded(msgspec.msgpack.decode(msgspec.msgpack.encode(card(match)), type=messages.Card))
    assert (bare.id, bare.status, bare.chairs, bare.setting.code) == ("match-1", match.status, match.chairs, "code")
    assert encode(Opened(1.0, "a", "tris@1", 2, bare.setting.asked, Policy()))
