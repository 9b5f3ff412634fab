"""Seats at native tables: private tables, other dialects, rematches, spectators, returning players."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from boardwire import games
from boardwire.bots.server_bots import ServerBots
from boardwire.dialects.native import messages as wire
from boardwire.dialects.native import tell
from boardwire.dialects.native.fold import fold
from boardwire.simulation.server import SimulatedServer
from boardwire.table import guest as notifications
from boardwire.table.table import AUDIENCE_SECONDS, MAX_AUDIENCE_NAMES

from .visitor import Visitor, kinds, opened, pass_time


class Patient:
    """Bots that choose on demand."""

    def __init__(self) -> None:
        self.calls: list[Any] = []
        self.bots = ServerBots(lambda n: 0, self.calls.append, lambda seconds, call: self.calls.append(call))

    def think(self) -> None:
        while self.calls:
            self.calls.pop(0)()


# --- private tables -------------------------------------------------------------------------------------------------


def test_a_private_table_is_watched_by_its_code_which_spectators_receive() -> None:
    server = SimulatedServer(seed=0)
    ann, bob, eve = Visitor(server, "ann"), Visitor(server, "bob"), Visitor(server, "eve")
    seated = ann.say("open", game="tris", private=True)[0]
    match, code = seated["state"]["match"], seated["code"]
    assert eve.ask("watch", match=match)["reason"] == "this table is private: a code is required"
    assert code not in str(eve.ask("list"))
    assert eve.ask("watch", match=match, code=code)["code"] == code
    assert bob.say("join", match=match, code=code)[0]["code"] == code


def test_a_spectator_of_a_private_match_gets_the_code_of_the_rematch() -> None:
    server = SimulatedServer(seed=0)
    ann, bob, eve = Visitor(server, "ann"), Visitor(server, "bob"), Visitor(server, "eve")
    code = ann.say("open", game="tris", private=True)[0]["code"]
    eve.ask("watch", match="match-1", code=code)
    bob.say("join", match="match-1", code=code)
    bob.say("resign")
    ann.say("rematch")
    bob.say("rematch")
    watching = next(told for told in eve.take() if told["type"] == "watching")
    assert (watching["type"], watching["state"]["match"]) == ("watching", "match-2")
    assert Visitor(server, "zoe").ask("watch", match="match-2", code=watching["code"])["type"] == "watching"


def test_a_spectator_of_a_waiting_table_may_take_a_seat_there() -> None:
    server = SimulatedServer(seed=0)
    ann, bob = Visitor(server, "ann"), Visitor(server, "bob")
    code = ann.say("open", game="tris", private=True)[0]["code"]
    bob.ask("watch", match="match-1", code=code)
    assert bob.ask("join", match="match-1")["reason"] == "this table is private: a code is required"
    assert kinds(bob.say("join", match="match-1", code=code)) == ["seated", "step"]
    assert bob.ask("join", match="match-1", code=code)["reason"] == "you are already at a table; leave it first"


def test_find_does_not_lead_to_a_private_table() -> None:
    server = SimulatedServer(seed=0)
    Visitor(server, "ann").say("open", game="tris", private=True)
    assert Visitor(server, "bob").say("find", game="tris")[0]["state"]["match"] == "match-2"


def test_a_player_comes_back_to_a_private_table_without_its_code() -> None:
    server = SimulatedServer(seed=0)
    ann, bob = Visitor(server, "ann"), Visitor(server, "bob")
    seated = ann.say("open", game="tris", private=True)[0]
    bob.say("join", match="match-1", code=seated["code"])
    ann.peer.drop()
    back = Visitor(server, "ann", ann.token).say("resume", match="match-1", seat=0)[0]
    assert (back["type"], back["code"]) == ("seated", seated["code"])


# --- rematch --------------------------------------------------------------------------------------------------------


def test_a_rematch_with_a_bot_begins_at_once_and_the_bot_begins() -> None:
    patient = Patient()
    server = SimulatedServer(seed=0, bots=patient.bots)
    ann = Visitor(server, "ann")
    ann.say("open", game="tris", bots=["", "random"])
    ann.say("resign")
    patient.think()
    replies = ann.say("rematch")
    assert kinds(replies) == ["seated", "step"]
    assert (replies[0]["seat"], replies[0]["state"]["match"]) == (1, "match-2")
    patient.think()
    assert ann.take()[-1]["state"]["asked"]["seats"] == [1]


def test_after_a_match_with_another_dialect_a_rematch_is_only_wanted_because_the_other_has_gone() -> None:
    server = SimulatedServer(seed=0)
    line_client = server.connect("tris-lines")
    ann = Visitor(server, "ann")
    ann.say("find", game="tris")
    ann.say("resign")
    assert line_client.closed
    assert ann.ask("rematch") == {"type": "wanted", "seats": [1], "gone": [0]}
    assert ann.ask("leave")["type"] == "gone"
    assert len(server.lobby) == 0


def test_a_rematch_of_a_private_table_has_a_new_code() -> None:
    server = SimulatedServer(seed=0)
    ann, bob = Visitor(server, "ann"), Visitor(server, "bob")
    first = ann.say("open", game="tris", private=True, per_move=9.0, undo=False)[0]
    bob.say("join", match="match-1", code=first["code"])
    bob.say("resign")
    ann.say("rematch")
    bob.take()
    second = bob.say("rematch")[0]
    assert second["type"] == "seated"
    assert second["code"] not in ("", first["code"])
    assert second["state"]["per_move"] == 9.0
    assert "undo" not in second["state"]
    assert [table["match"] for table in Visitor(server, "eve").ask("list")["tables"]] == []


# --- coming back ----------------------------------------------------------------------------------------------------


def test_a_second_connection_with_the_same_token_may_watch_and_the_first_keeps_its_seat() -> None:
    server = SimulatedServer(seed=0)
    ann, bob, match = opened(server)
    again = Visitor(server, "ann", ann.token)
    assert again.ask("watch", match=match)["type"] == "watching"
    assert ann.take() == bob.take() == []
    assert ann.ask("act", seq=4, action=0)["type"] == "step"
    assert "choices" not in again.take()[0]["state"]["asked"]


def test_the_connection_that_lost_its_seat_is_free_and_can_take_it_back() -> None:
    server = SimulatedServer(seed=0)
    ann, bob, match = opened(server)
    again = Visitor(server, "ann", ann.token)
    assert kinds(again.say("resume", match=match, seat=0)) == ["seated"]
    assert kinds(ann.take()) == ["gone"]
    assert bob.take() == []  # no one left, no one came
    assert kinds(ann.say("resume", match=match, seat=0)) == ["seated"]
    assert kinds(again.take()) == ["gone"]


def test_a_returning_player_sees_the_current_match() -> None:
    server = SimulatedServer(seed=0)
    ann, bob, match = opened(server)
    ann.say("act", seq=4, action=0)
    ann.peer.drop()
    bob.say("act", seq=6, action=4)
    bob.say("say", text="hurry")
    back = Visitor(server, "ann", ann.token)
    seated, returned = back.say("resume", match=match, seat=0)
    assert seated["state"]["view"]["cells"][:5] == [0, None, None, None, 1]
    assert seated["state"]["asked"]["choices"] == [1, 2, 3, 5, 6, 7, 8]
    assert [event["event"] for event in returned["events"]] == ["returned"]
    assert back.ask("act", seq=returned["state"]["seq"], action=8)["type"] == "step"


def test_the_end_of_a_held_seat_is_announced_and_reported() -> None:
    server = SimulatedServer(seed=0)
    ann, bob, _ = opened(server, grace=60.0)
    left = server.clock.now()
    ann.peer.drop()
    told = bob.take()[-1]
    assert told["events"][0] == {"event": "left", "at": left, "seat": 0}
    assert told["state"]["players"][0] == {"name": "ann", "dialect": "native", "away": True, "until": left + 60.0}
    server.clock.pass_time(60.0)
    ended, wanted = [reply for reply in bob.take() if isinstance(reply, dict)][-2:]
    assert (wanted["type"], wanted["gone"]) == ("wanted", [0])
    assert [(event["event"], event.get("seat")) for event in ended["events"]] == [("timedout", 0), ("ended", None)]


def test_a_player_calls_the_time_of_absent_players_when_it_is_due() -> None:
    server = SimulatedServer(seed=0)
    ann, bob, _ = opened(server, patience=20.0)
    ann.peer.hang_up()
    left = server.clock.now()
    (told,) = bob.take()
    absent = {"name": "ann", "dialect": "native", "away": True, "until": left + 120.0, "due": left + 20.0}
    assert told["state"]["players"][0] == absent
    assert told["state"]["patience"] == 20.0
    refused = bob.ask("calltime")
    assert (refused["type"], refused["code"]) == ("refused", "not-due")
    pass_time(server, 20.0, bob)
    bob.take()
    ended, _ = bob.say("calltime")
    called = {"event": "timedout", "at": left + 20.0, "seat": 0, "called": 1}
    assert {**ended["events"][0], "happened": None} == {**called, "happened": None}
    assert ended["state"]["outcome"] == {"termination": "stayed away", "winners": [1], "by": 0}
    assert bob.ask("ping") == {"type": "pong"}, "it was answered once, and the next request is"


def test_a_spectator_cannot_call_time() -> None:
    server = SimulatedServer(seed=0)
    _, _, match = opened(server)
    cyd = Visitor(server, "cyd")
    cyd.say("watch", match=match)
    assert cyd.ask("calltime")["code"] == "no-seat"


def test_banks_are_reported_and_run_down() -> None:
    server = SimulatedServer(seed=0)
    ann, bob, _ = opened(server, bank=100.0)
    start = server.clock.now()
    server.clock.pass_time(10.0)
    state = ann.ask("act", seq=4, action=0)["state"]
    assert (state["banks"], state["since"]) == ([90.0, 100.0], start + 10.0)
    bob.take()
    pass_time(server, 100.0, ann, bob)
    ended = [reply for reply in ann.take() if isinstance(reply, dict)][-1]
    assert ended["events"][0]["event"] == "timedout"
    assert ended["state"]["outcome"] == {"termination": "timed out", "winners": [0], "by": 1}


# --- while the journal works ----------------------------------------------------------------------------------------


class Slow:
    """Journal that stores on demand."""

    def __init__(self, server: SimulatedServer) -> None:
        self._append = server.journal.append
        self.waiting: list[Any] = []
        server.journal.append = lambda *append: self.waiting.append(append)  # type: ignore[method-assign]  # the journal has no delays

    def store(self) -> None:
        while self.waiting:
            self._append(*self.waiting.pop(0))


def test_answers_come_in_the_order_of_the_requests() -> None:
    server = SimulatedServer(seed=0)
    ann = Visitor(server, "ann")
    slow = Slow(server)
    requests = [
        ("open", {"game": "tris"}),
        ("say", {"text": "hello"}),
        ("list", {}),
        ("open", {"game": "tris"}),
        ("sync", {}),
        ("leave", {}),
        ("sync", {}),
    ]
    for kind, fields in requests:
        assert ann.say(kind, **fields) == []
    slow.store()
    answers = ann.take()
    assert kinds(answers) == ["seated", "step", "step", "tables", "refused", "state", "gone", "refused"]
    assert answers[2]["events"][0]["text"] == "hello"
    assert answers[5]["state"]["seq"] == 3, "the line of talk is in it"
    assert len(server.lobby) == 0


def test_the_chat_line_of_another_spectator_does_not_answer_the_own_one() -> None:
    server = SimulatedServer(seed=0)
    _, _, match = opened(server)
    cleo, dan = Visitor(server, "cleo"), Visitor(server, "dan")
    for spectator in (cleo, dan):
        spectator.say("watch", match=match)
    slow = Slow(server)
    cleo.say("say", text="first")
    dan.say("say", text=" second ")
    dan.say("sync")
    slow.store()
    told = dan.take()
    assert [one["type"] for one in told] == ["step", "step", "state"]
    assert told[2]["state"]["seq"] == told[1]["state"]["seq"]


def test_requests_during_a_pending_move_are_answered_after_it() -> None:
    server = SimulatedServer(seed=0)
    ann, bob, _ = opened(server)
    slow = Slow(server)
    for kind, fields in (
        ("act", {"seq": 4, "action": 0}),
        ("act", {"seq": 4, "action": 1}),
        ("sync", {}),
        ("resign", {}),
    ):
        assert ann.say(kind, **fields) == []
    assert bob.say("say", text="hm") == []
    slow.store()
    answers = ann.take()
    assert kinds(answers)[:2] == ["step", "step"], "the move, and what bob said meanwhile"
    assert [one["code"] for one in answers if one["type"] == "refused"] == ["stale"]
    assert kinds([one for one in answers if one["type"] != "step"]) == ["refused", "state", "state"]
    assert answers[-1]["state"]["outcome"] == {"termination": "resigned", "winners": [1], "by": 0}


def test_resuming_from_another_connection_leaves_no_request_unanswered() -> None:
    server = SimulatedServer(seed=0)
    ann, _, match = opened(server)
    slow = Slow(server)
    assert ann.say("say", text="hm") == []
    again = Visitor(server, "ann", ann.token)
    assert again.say("resume", match=match, seat=0) == []
    slow.store()
    assert kinds(again.take()) == ["seated"], "nobody was away"
    assert again.ask("sync")["type"] == "state"
    assert kinds(ann.take()) == ["step", "gone"]
    assert ann.ask("list")["type"] == "tables"


def test_a_token_is_from_the_server_or_long_enough() -> None:
    server = SimulatedServer()
    one = Visitor(server)
    for token in ("1", "x" * 23):
        answer = one.ask("hello", name="ann", token=token)
        assert answer["code"] == "bad-token"
        assert answer["reason"] == "invalid token: use the one from `welcome`, or choose one of at least 24 characters"
        assert one.ask("list")["reason"] == "send hello first"
    assert one.ask("hello", name="ann", token="x" * 24)["token"] == "x" * 24


def test_a_client_refused_a_seat_may_ask_for_another() -> None:
    server = SimulatedServer(seed=0)
    opened(server)
    cyd = Visitor(server, "cyd")
    begun = {"type": "refused", "code": "begun", "reason": "the match has already begun"}
    assert cyd.ask("join", match="match-1") == begun
    assert cyd.ask("resume", match="match-1", seat=0)["code"] == "not-your-seat"
    assert cyd.ask("watch", match="nowhere")["code"] == "no-such-table"
    assert cyd.ask("open", game="tris", seats=3)["code"] == "refused"
    assert cyd.say("find", game="tris")[0]["type"] == "seated"


# --- what is stale --------------------------------------------------------------------------------------------------


def test_chat_makes_no_act_stale() -> None:
    ann, bob, _ = opened(SimulatedServer(seed=0))
    bob.say("say", text="take your time")
    assert ann.take()[0]["state"]["moved"] == 4
    assert ann.ask("act", seq=4, action=9)["code"] == "illegal"
    assert ann.ask("act", seq=4, action=0)["type"] == "step"


@pytest.mark.parametrize("seq", [0, 3, 6, 10**9, -1])
def test_an_act_for_an_earlier_or_unknown_state_is_stale(seq: int) -> None:
    ann, _, _ = opened(SimulatedServer(seed=0))
    ann.say("say", text="hm")
    refused, state = ann.say("act", seq=seq, action=0)
    assert (refused["code"], state["type"], state["state"]["seq"]) == ("stale", "state", 5)


# --- spectators -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["tris", "santorini", "eriantys"])
def test_a_spectator_receives_exactly_the_public_information(game: str) -> None:
    patient = Patient()
    server = SimulatedServer(seed=3, bots=patient.bots)
    ann, eve = Visitor(server, "ann"), Visitor(server, "eve")
    steps: list[notifications.Step] = []
    match = ann.say("open", game=game, bots=["", "random"], private=True)[0]
    table = server.lobby.table("match-1")
    eve.say("watch", match="match-1", code=match["code"])
    table.watch(notifications.Guest(lambda told: steps.append(told) if isinstance(told, notifications.Step) else None))
    for _ in range(12):
        patient.think()
        ann.take()
        asked = ann.ask("sync")["state"].get("asked")
        if asked is None:
            break
        ann.say("act", seq=table.match.seq, action=asked["choices"][0])
    told = [one for one in eve.take() if one["type"] == "step"]
    rules = games.game(game)
    assert len(told) == len(steps) > 6
    view: Any = None
    for reply, step in zip(told, steps, strict=True):
        if "changes" in reply["state"]:
            reply["state"]["view"] = fold(view, reply["state"].pop("changes"))
        view = reply["state"].get("view")
        plain = wire.Step(
            events=tuple(
                wire.Happening(event["event"], event["at"], event.get("seat"), tuple(event.get("happened", ())))
                for event in reply["events"]
            ),
            state=tell.state(step.match, None),
        )
        assert reply == msgspec.json.decode(wire.encode(plain))
        happened = [msgspec.to_builtins(rules.show(one, None)) for moment in step.moments for one in moment.happened]
        seen = [one for event in reply["events"] for one in event.get("happened", ())]
        assert seen == msgspec.json.decode(msgspec.json.encode([one for one in happened if one is not None]))
        assert "choices" not in (reply["state"].get("asked") or {})
        key = server.match().chairs[0].player
        assert key is not None
        assert key.key not in str(reply)
        assert match["code"] not in str(reply)


def test_the_start_position_of_a_match_does_not_reveal_the_secrets_of_a_seat() -> None:
    server = SimulatedServer(seed=0)
    ann, bob, eve = (Visitor(server, name) for name in ("ann", "bob", "eve"))
    secret = "0000000000000000000000000/1/tartarus[A2]:B4,D5/apollo:C2,A5"
    heard = ann.say("open", game="santorini", options={"draft": "position", "position": secret})
    heard += bob.say("join", match="match-1") + eve.say("watch", match="match-1")
    heard += ann.take() + bob.say("sync")
    assert ann.ask("sync")["state"]["view"]["memos"][0] != []
    assert [one["state"]["options"]["draft"] for one in heard] == ["position"] * len(heard)
    assert "tartarus[" not in str(heard)
    assert all(not one["state"]["options"]["position"] for one in heard)
    assert server.lobby.table("match-1").match.setting.options.position == secret


def test_hidden_information_is_not_shared_between_seats() -> None:
    """Two readers of one step: a game that hides an event from seat 1 must not have it encoded once for both."""
    server = SimulatedServer(seed=0)
    ann, _, match = opened(server)
    steps: list[notifications.Step] = []
    server.lobby.table(match).watch(
        notifications.Guest(lambda told: steps.append(told) if isinstance(told, notifications.Step) else None)
    )
    ann.say("act", seq=4, action=0)
    (real,) = steps
    secret = _secretive(real)
    full = msgspec.json.decode(tell.step(secret, 0, tell.FixedFields()))
    assert full["events"][0]["happened"][0]["cell"] == 0
    assert "happened" not in msgspec.json.decode(tell.step(secret, 1, tell.FixedFields()))["events"][0]
    assert msgspec.json.decode(tell.step(secret, 0, tell.FixedFields())) == full


def _secretive(step: notifications.Step) -> notifications.Step:
    """Return the same step of a game that shows events only to seat 0."""

    class Secretive:
        views_differ = True

        def __getattr__(self, name: str) -> Any:
            return getattr(step.match.setting.game, name)

        def show(self, event: Any, seat: int | None) -> Any:
            return event if seat == 0 else None

    setting = msgspec.structs.replace(step.match.setting, game=Secretive())
    moments = tuple(
        msgspec.structs.replace(moment, match=msgspec.structs.replace(moment.match, setting=setting))
        for moment in step.moments
    )
    return notifications.Step(moments)


# --- absent players -------------------------------------------------------------------------------------------------


def test_an_absent_players_turns_pass_and_it_comes_back_with_its_token() -> None:
    server = SimulatedServer(seed=1)
    ann, bob, cyd = (Visitor(server, name) for name in ("ann", "bob", "cyd"))
    ann.say("open", game="santorini", seats=3, leaving="skips", grace=30)
    for one in (bob, cyd):
        one.say("join", match="match-1")
    bob.take()
    ann.peer.drop()
    (step,) = bob.take()
    assert [event["event"] for event in step["events"]][:2] == ["left", "skipped"]
    assert step["events"][1]["happened"][0] == {"type": "turn_skipped", "seat": 0}
    assert step["state"]["players"][0] == {"name": "ann", "dialect": "native", "away": True}
    assert step["state"]["asked"]["seats"] == [1]
    again = Visitor(server, "ann", ann.token)
    assert kinds(again.say("resume", match="match-1", seat=0)) == ["seated", "step"]


def test_the_last_player_present_sees_the_countdown() -> None:
    server = SimulatedServer(seed=1)
    ann, bob, _ = opened(server, leaving="skips", grace=30)
    bob.peer.drop()
    (step,) = ann.take()
    until = server.clock.now() + 30
    assert step["state"]["players"][1]["until"] == until
    pass_time(server, 5, ann)
    ann.say("act", seq=step["state"]["seq"], action=4)
    assert ann.say("sync")[0]["state"]["players"][1]["until"] == until
    pass_time(server, 25, ann)
    assert server.match().outcome is not None
    assert server.match().outcome.winners == (0,)


# --- tables that would be a trap ------------------------------------------------------------------------------------


@pytest.mark.parametrize("terms", [{"per_move": 0.000001}, {"bank": 0.5}])
def test_an_unplayable_clock_is_refused(terms: dict[str, float]) -> None:
    server = SimulatedServer()
    assert "at least" in Visitor(server, "eve").ask("open", game="tris", seat=1, **terms)["reason"]
    assert len(server.lobby) == 0


@pytest.mark.parametrize(
    ("game", "door", "terms"),
    [
        ("tris", "tris-lines", {"per_move": 2.0}),
        ("tris", "tris-lines", {"bank": 5.0}),
        ("tris", "tris-lines", {"grace": 86400.0}),
        ("tris", "tris-lines", {"leaving": "skips", "grace": 1.0}),
        ("santorini", "santorini-lobby", {"options": {"draft": "given", "gods": ["pan", "mortal"]}}),
    ],
)
def test_find_does_not_lead_to_a_table_with_special_terms(game: str, door: str, terms: dict[str, Any]) -> None:
    server = SimulatedServer(seed=0)
    eve, ann, bob = Visitor(server, "eve"), Visitor(server, "ann"), Visitor(server, "bob")
    trap = eve.say("open", game=game, seat=1, **terms)[0]["state"]["match"]
    guest = server.connect(door)
    assert guest.guest.table is None or guest.guest.table.match.id != trap
    assert ann.say("find", game=game)[0]["state"]["match"] != trap
    (listed,) = (table for table in ann.say("list")[0]["tables"] if table["match"] == trap)
    assert listed["unusual"]
    shown = Visitor(server, "zoe").say("watch", match=trap)[0]["state"]
    told = terms | {"options": shown["options"] | terms.get("options", {})}
    assert shown == shown | told, "who watches it sees them"
    assert bob.say("join", match=trap)[0]["state"]["match"] == trap, "who names it may join it"


def test_find_joins_only_tables_with_usual_options() -> None:
    server = SimulatedServer()
    position = "0000000000000000000000000/1/mortal:A1,B1/mortal:D5,E5"
    answer = Visitor(server, "ann").ask("find", game="santorini", options={"draft": "position", "position": position})
    assert answer["reason"] == "`find` leads only to tables with default options; `open` a table with yours instead"


# --- who watches ------------------------------------------------------------------------------------------------------


def test_changes_of_the_audience_are_reported_soon() -> None:
    server = SimulatedServer(seed=0)
    ann, bob, match = opened(server)
    cyd = Visitor(server, "cyd")
    assert kinds(cyd.say("watch", match=match)) == ["watching"]
    assert ann.take() == [], "those who come within a moment are told of together"
    dan = Visitor(server, "dan")
    dan.say("watch", match=match)
    server.clock.pass_time(AUDIENCE_SECONDS)
    told = {"type": "audience", "count": 2, "names": ["cyd", "dan"]}
    assert [one.take() for one in (ann, bob, cyd, dan)] == [[told]] * 4
    cyd.say("leave")
    dan.peer.hang_up()
    server.clock.pass_time(AUDIENCE_SECONDS)
    assert [one.take() for one in (ann, bob)] == [[{"type": "audience", "count": 0}]] * 2


def test_a_returning_player_gets_the_audience_and_a_seated_spectator_leaves_it() -> None:
    server = SimulatedServer(seed=0)
    ann = Visitor(server, "ann")
    match = ann.say("open", game="tris")[0]["state"]["match"]
    bob, cyd = Visitor(server, "bob"), Visitor(server, "cyd")
    cyd.say("watch", match=match)
    bob.say("watch", match=match)
    server.clock.pass_time(AUDIENCE_SECONDS)
    assert ann.take()[-1]["names"] == ["cyd", "bob"]
    bob.say("join", match=match)
    server.clock.pass_time(AUDIENCE_SECONDS)
    assert ann.take()[-1]["names"] == ["cyd"]
    ann.peer.hang_up()
    again = Visitor(server, "ann", ann.token)
    again.say("resume", match=match, seat=0)
    server.clock.pass_time(AUDIENCE_SECONDS)
    assert again.take()[-1] == {"type": "audience", "count": 1, "names": ["cyd"]}


def test_a_list_says_how_many_watch_each_table() -> None:
    server = SimulatedServer(seed=0)
    _, _, match = opened(server)
    opened(server)
    Visitor(server, "cyd").say("watch", match=match)
    dan = Visitor(server, "dan")
    server.clock.pass_time(AUDIENCE_SECONDS)
    assert [table.get("audience", 0) for table in dan.say("list")[0]["tables"]] == [1, 0]
    assert [table.get("audience", 0) for table in dan.say("list", game="tris")[0]["tables"]] == [1, 0]


def test_an_empty_audience_is_not_reported() -> None:
    server = SimulatedServer(seed=0)
    ann, bob, _ = opened(server)
    server.clock.pass_time(2 * AUDIENCE_SECONDS)
    assert (ann.take(), bob.take()) == ([], [])


def test_all_spectators_are_counted_and_the_first_are_named() -> None:
    server = SimulatedServer(seed=0)
    ann, _, match = opened(server)
    for number in range(MAX_AUDIENCE_NAMES + 5):
        Visitor(server, f"guest {number}").say("watch", match=match)
    server.clock.pass_time(AUDIENCE_SECONDS)
    (told,) = ann.take()
    assert (told["count"], len(told["names"])) == (MAX_AUDIENCE_NAMES + 5, MAX_AUDIENCE_NAMES)


# --- why something is not legal ---------------------------------------------------------------------------------------


def test_why_names_the_rule_and_changes_nothing() -> None:
    server = SimulatedServer(seed=0)
    ann, bob, match = opened(server)
    seq = ann.ask("act", seq=4, action=4)["state"]["seq"]
    bob.take()
    assert bob.ask("why", action=4) == {"type": "because", "action": 4, "objection": {"rule": "taken"}}
    assert bob.ask("why", action=0) == {"type": "because", "action": 0}
    assert bob.ask("why", action="x")["code"] == "malformed"
    assert server.match(match).seq == seq
    assert ann.take() == []


# --- pair -----------------------------------------------------------------------------------------------------------


def test_pair_seats_two_who_want_the_same_clock_and_opens_a_table_for_another() -> None:
    server = SimulatedServer(seed=0)
    ann, bob, cyd = (Visitor(server, name) for name in ("ann", "bob", "cyd"))
    waiting = ann.say("pair", game="tris", bank=180.0, increment=2.0)[0]["state"]
    assert (waiting["status"], waiting["bank"], waiting["increment"]) == ("waiting", 180.0, 2.0)
    assert bob.say("pair", game="tris", bank=600.0, increment=5.0)[0]["state"]["match"] != waiting["match"]
    met = cyd.say("pair", game="tris", bank=180.0, increment=2.0)[0]["state"]
    assert (met["match"], met["status"]) == (waiting["match"], "playing")


def test_pair_keeps_modes_apart_and_meets_other_dialects_without_a_clock() -> None:
    server = SimulatedServer(seed=0)
    simple, expert = Visitor(server, "ann"), Visitor(server, "bob")
    match = simple.say("pair", game="eriantys")[0]["state"]["match"]
    assert expert.say("pair", game="eriantys", options={"mode": "expert"})[0]["state"]["match"] != match
    line_client = server.connect("tris-lines")
    assert Visitor(server, "cyd").say("pair", game="tris", per_move=60.0)[0]["state"]["status"] == "waiting"
    assert Visitor(server, "dan").say("pair", game="tris")[0]["state"]["status"] == "playing"
    assert line_client.take() == b"WAIT\nREADY\n"


@pytest.mark.parametrize("clock", [{"per_move": 5.0}, {"bank": 30.0}, {"per_move": 86_400.0}])
def test_pair_is_refused_with_terms_that_need_consent(clock: dict[str, float]) -> None:
    answer = Visitor(SimulatedServer(seed=0), "ann").ask("pair", game="tris", **clock)
    assert answer["reason"].startswith("`pair` leads only to tables with default options")


def test_pair_is_refused_with_an_increment_alone() -> None:
    answer = Visitor(SimulatedServer(seed=0), "ann").ask("pair", game="tris", increment=2.0)
    assert answer["reason"] == "an increment needs a time for the whole match: set `bank`"


# --- draw -----------------------------------------------------------------------------------------------------------


def test_a_draw_is_offered_and_agreed() -> None:
    ann, bob, _ = opened(SimulatedServer(seed=0))
    seq = ann.ask("sync")["state"]["seq"]
    bob.take()
    ann.say("act", seq=seq, action=4)
    bob.say("act", seq=seq + 1, action=0)
    bob.take(), ann.take()
    step = ann.ask("draw")
    assert (step["events"][0]["event"], step["state"]["drawing"]) == ("drawoffered", 0)
    assert bob.take()[-1]["state"]["drawing"] == 0
    step = bob.ask("draw")
    assert [event["event"] for event in step["events"]] == ["drawagreed", "ended"]
    assert step["state"]["outcome"] == {"termination": "agreed", "winners": []}
    assert "drawing" not in step["state"]


def test_the_server_declines_a_draw_for_a_client_of_another_protocol() -> None:
    server = SimulatedServer(seed=0)
    line_client = server.connect("tris-lines")
    ann = Visitor(server, "ann")
    seq = ann.say("find", game="tris")[0]["state"]["seq"]
    line_client.send(b"5\n")
    ann.take()
    ann.say("act", seq=seq + 1, action=0)
    before = line_client.take()
    offered, declined = ann.say("draw")
    assert [one["events"][0]["event"] for one in (offered, declined)] == ["drawoffered", "drawdeclined"]
    assert before.endswith(b"\n")
    assert line_client.take() == b""  # its protocol has no word for it, and it plays on
    line_client.send(b"2\n")
    assert ann.take()[-1]["state"]["moves"] == 3
