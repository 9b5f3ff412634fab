"""The native dialect, request by request."""

from __future__ import annotations

from typing import Any

import pytest

from boardwire.bots.server_bots import ServerBots
from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Over, Result
from boardwire.dialects.native import messages as wire
from boardwire.dialects.native import replies as reply_decoder
from boardwire.dialects.native import server, tell
from boardwire.dialects.native.answer import ANSWER, NAME_LIMIT
from boardwire.dialects.native.server import LIST_LIMIT, NOTIFICATIONS
from boardwire.dialects.native.session import MAX_BAD_MESSAGES
from boardwire.games.game import Seat
from boardwire.lobby.lobby import Lobby
from boardwire.net.connections import ConnectionLimits
from boardwire.simulation.luck import CountedNames, ScriptedDealer
from boardwire.simulation.server import SimulatedClient, SimulatedServer, play_together
from boardwire.table import guest as notifications
from boardwire.table.match import Status
from boardwire.wire.websocket import MAX_MESSAGE_BYTES, Ping, Pong, encode_close, encode_ping, encode_pong, encode_text

from .visitor import MASK, Visitor, kinds, opened

DRAW = (0, 1, 2, 4, 3, 5, 7, 6, 8)


def seq(replies: list[Any]) -> int:
    """Return the number of the match's events in the last state."""
    found: int = [reply["state"]["seq"] for reply in replies if "state" in reply][-1]
    return found


# --- hello ----------------------------------------------------------------------------------------------------------


def test_requests_before_hello_are_refused() -> None:
    answer = Visitor(SimulatedServer(seed=0)).ask("list")
    assert answer == {"type": "refused", "code": "refused", "reason": "send hello first"}


def test_hello_returns_a_token_that_identifies_the_player() -> None:
    simulated = SimulatedServer(seed=0)
    ann = Visitor(simulated, "ann")
    match = ann.say("open", game="tris")[0]["state"]["match"]
    again = Visitor(simulated).ask("hello", name="ann", token=ann.token)
    assert again == {"type": "welcome", "token": ann.token, "name": "ann", "kept": again["kept"]}
    (kept,) = again["kept"]
    assert kept == {"match": match, "seat": 0, "game": "tris", "players": [{"name": "ann", "dialect": "native"}, None]}
    assert "kept" not in Visitor(simulated).ask("hello", name="eve")


def test_a_player_without_a_name_is_a_guest_and_a_long_name_is_cut() -> None:
    simulated = SimulatedServer(seed=0)
    assert Visitor(simulated).ask("hello")["name"] == "guest"
    assert Visitor(simulated).ask("hello", name="x" * 100)["name"] == "x" * 32
    assert Visitor(simulated).ask("hello", name=" a\x1b[2Jn\nn ")["name"] == "a[2Jnn"


# --- tables ---------------------------------------------------------------------------------------------------------


def test_tables_are_listed_with_the_dialect_of_each_seat_and_private_ones_are_not() -> None:
    simulated = SimulatedServer(seed=0)
    simulated.connect("tris-lines")
    ann = Visitor(simulated, "ann")
    ann.say("open", game="tris", private=True)
    (table,) = Visitor(simulated, "bob").ask("list", game="tris")["tables"]
    assert table["players"] == [{"dialect": "tris-lines"}, None]
    assert Visitor(simulated, "eve").ask("list", game="santorini")["tables"] == []


def test_find_joins_a_table_of_another_dialect() -> None:
    simulated = SimulatedServer(seed=0)
    line_client = simulated.connect("tris-lines")
    replies = Visitor(simulated, "ann").say("find", game="tris")
    assert kinds(replies) == ["seated", "step"]
    assert replies[0]["seat"] == 1
    assert line_client.take() == b"WAIT\nREADY\n"


def test_find_meets_players_of_the_same_mode_whatever_their_dialect() -> None:
    simulated = SimulatedServer(seed=0)
    line_client = simulated.connect("eriantys-messages")
    line_client.send(b'{"type":"LoginRequest","nickname":"zoe"}\n')
    line_client.send(
        b'{"type":"PlayerNicknameMessage","nickname":"zoe","numPlayers":2,"colorTower":"WHITE","gameMode":"expert"}\n'
    )
    simple, expert = Visitor(simulated, "ann"), Visitor(simulated, "bob")
    assert simple.say("find", game="eriantys")[0]["state"]["status"] == "waiting"
    assert expert.say("find", game="eriantys", options={"mode": "expert"})[0]["state"]["status"] == "playing"


def test_several_bots_sit_at_one_table() -> None:
    simulated = SimulatedServer(seed=0, bots=ServerBots(lambda n: 0, lambda call: None, lambda seconds, call: None))
    replies = Visitor(simulated, "ann").say("open", game="eriantys", seats=3, bots=["", "random", "random"])
    names = [player["name"] for player in replies[0]["state"]["players"]]
    assert names == ["ann", "random bot 2", "random bot 3"]


def test_a_private_table_is_joined_by_its_code_alone() -> None:
    simulated = SimulatedServer(seed=0)
    ann, bob = Visitor(simulated, "ann"), Visitor(simulated, "bob")
    seated = ann.say("open", game="tris", private=True)[0]
    match = seated["state"]["match"]
    assert bob.ask("join", match=match, code="wrong")["code"] == "private"
    assert bob.say("join", match=match, code=seated["code"])[0]["type"] == "seated"


def test_a_seat_can_be_chosen() -> None:
    simulated = SimulatedServer(seed=0)
    assert Visitor(simulated, "ann").say("open", game="tris", seat=1)[0]["seat"] == 1


@pytest.mark.parametrize(
    ("fields", "code", "words"),
    [
        ({"game": "chess"}, "no-such-game", "no game called"),
        ({"game": "tris", "seats": 3}, "refused", "2 players"),
        ({"game": "santorini", "options": {"draft": "nonsense"}}, "malformed", "Invalid enum value"),
        ({"game": "santorini", "options": {"draft": "given"}}, "illegal", "2 gods"),
    ],
)
def test_an_impossible_table_is_refused_with_a_reason(fields: dict[str, Any], code: str, words: str) -> None:
    answer = Visitor(SimulatedServer(seed=0), "ann").ask("open", **fields)
    assert answer["type"] == "refused"
    assert answer["code"] in (code, "refused")
    assert words in answer["reason"]


def test_a_spectator_sees_every_step_but_no_choices() -> None:
    simulated = SimulatedServer(seed=0)
    ann, bob, match = opened(simulated)
    eve, joe = Visitor(simulated, "eve"), Visitor(simulated, "joe")
    (watching,) = eve.say("watch", match=match)
    joe.say("watch", match=match)
    assert watching["type"] == "watching"
    ann.say("act", seq=watching["state"]["seq"], action=4)
    (step,) = eve.take()
    assert step["events"][0]["happened"] == [{"type": "marked", "seat": 0, "cell": 4, "line": []}]
    assert step["state"]["asked"] == {"seats": [1], "kind": "mark"}
    assert joe.take() == [step]
    assert bob.take()[0]["state"]["asked"]["choices"] == [0, 1, 2, 3, 5, 6, 7, 8]
    assert eve.ask("act", seq=5, action=0)["reason"] == "you have no seat"


def test_a_step_is_encoded_once_for_all_spectators() -> None:
    simulated = SimulatedServer(seed=0)
    steps: list[notifications.Step] = []
    ann, _, match = opened(simulated)
    watcher = notifications.Guest(lambda told: steps.append(told) if isinstance(told, notifications.Step) else None)
    simulated.lobby.table(match).watch(watcher)
    ann.say("act", seq=4, action=4)
    assert tell.frame(steps[0], None, tell.FixedFields()) is tell.frame(steps[0], None, tell.FixedFields())


# --- play -----------------------------------------------------------------------------------------------------------


def test_a_match_is_played_to_its_end() -> None:
    simulated = SimulatedServer(seed=0)
    ann, bob, match = opened(simulated)
    number, replies = 4, ann.take()
    for turn, cell in enumerate(DRAW):
        replies = (ann, bob)[turn % 2].say("act", seq=number, action=cell)
        number = seq(replies)
    assert replies[-1]["state"]["outcome"] == {"termination": "full board", "winners": []}
    assert bob.take()[-1]["state"]["status"] == "over"
    assert simulated.match(match).moves == 9


def test_an_illegal_action_is_refused_only_to_its_sender() -> None:
    simulated = SimulatedServer(seed=0)
    ann, bob, match = opened(simulated)
    before = simulated.events(match)
    assert ann.ask("act", seq=4, action=9)["code"] == "illegal"
    assert ann.ask("act", seq=4, action="x")["code"] == "malformed"
    assert bob.ask("act", seq=4, action=0)["code"] == "not-your-turn"
    assert simulated.events(match) == before
    assert ann.take() == bob.take() == []


def test_a_stale_action_is_refused_and_the_state_follows() -> None:
    ann, bob, _ = opened(SimulatedServer(seed=0))
    ann.say("act", seq=4, action=4)
    bob.take()
    refused, state = bob.say("act", seq=4, action=0)
    assert (refused["code"], state["type"]) == ("stale", "state")
    assert state["state"]["asked"]["choices"] == [0, 1, 2, 3, 5, 6, 7, 8]


def test_talk_reaches_the_table_with_its_speakers_name() -> None:
    simulated = SimulatedServer(seed=0)
    ann, bob, match = opened(simulated)
    eve = Visitor(simulated, "eve")
    eve.say("watch", match=match)
    ann.say("say", text="hello there")
    eve.say("say", text="psst")
    told = [event for reply in bob.take() for event in reply["events"]]
    assert [(one.get("seat"), one["name"], one["text"]) for one in told] == [
        (0, "ann", "hello there"),
        (None, "eve", "psst"),
    ]


def test_a_step_is_taken_back_if_the_other_agrees_and_stays_if_not() -> None:
    ann, bob, _ = opened(SimulatedServer(seed=0))
    ann.say("act", seq=4, action=4)
    ann.say("undo")
    assert bob.take()[-1]["state"]["agreed"] == [0]
    bob.say("agree", agree=False)
    assert ann.say("undo")[-1]["reason"] == "your undo was declined; offer it again after the next step"
    bob.say("act", seq=5, action=0)
    ann.say("undo")
    replies = bob.say("agree", agree=True)
    assert [event["event"] for event in replies[-1]["events"]] == ["undoagreed", "undone"]
    assert replies[-1]["state"]["view"]["cells"] == [None] * 9


def test_a_player_who_resigns_loses() -> None:
    ann, bob, _ = opened(SimulatedServer(seed=0))
    ann.say("resign")
    assert bob.take()[-1]["state"]["outcome"] == {"termination": "resigned", "winners": [1], "by": 0}


def test_sync_repeats_the_state() -> None:
    ann, _, match = opened(SimulatedServer(seed=0))
    assert ann.ask("sync")["state"]["match"] == match
    assert Visitor(SimulatedServer(seed=0), "eve").ask("sync")["reason"] == "you are not at a table"


def test_clocks_run_off() -> None:
    simulated = SimulatedServer(seed=0)
    ann, bob, _ = opened(simulated, per_move=30.0)
    assert ann.ask("sync")["state"]["per_move"] == 30.0
    simulated.clock.pass_time(31)
    ended = [reply for reply in bob.take() if isinstance(reply, dict)]
    assert ended[-1]["state"]["outcome"] == {"termination": "timed out", "winners": [1], "by": 0}


# --- leaving and coming back ----------------------------------------------------------------------------------------


def test_a_lost_connection_holds_the_seat_and_the_token_brings_it_back() -> None:
    simulated = SimulatedServer(seed=0)
    ann, bob, match = opened(simulated)
    ann.say("act", seq=4, action=4)
    ann.peer.drop()
    assert bob.take()[-1]["state"]["players"][0]["away"] is True
    back = Visitor(simulated, "ann", ann.token)
    replies = back.say("resume", match=match, seat=0)
    assert kinds(replies) == ["seated", "step"]
    assert replies[0]["state"]["view"]["cells"][4] == 0
    assert "away" not in bob.take()[-1]["state"]["players"][0]


def test_a_seat_is_not_given_to_another_player() -> None:
    simulated = SimulatedServer(seed=0)
    ann, _, match = opened(simulated)
    ann.peer.drop()
    answer = Visitor(simulated, "eve").ask("resume", match=match, seat=0)
    assert answer["reason"] == "this seat belongs to another player"


def test_of_very_many_tables_those_that_wait_are_listed_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "LIST_LIMIT", 2)
    simulated = SimulatedServer(seed=0)
    opened(simulated)
    cyd, dan, eve = (Visitor(simulated, name) for name in ("cyd", "dan", "eve"))
    cyd.say("open", game="tris")
    assert [table["status"] for table in cyd.ask("list")["tables"]] == ["playing", "waiting"]
    dan.say("open", game="tris")
    eve.say("open", game="tris")
    assert [table["match"] for table in cyd.ask("list")["tables"]] == ["match-2", "match-3"]


def test_a_client_takes_the_longest_list_there_is() -> None:
    player = wire.PlayerInfo("\N{SNOWMAN}" * NAME_LIMIT, "santorini-objects/shipped", "", True, 1234567890.123456)
    table = wire.TableInfo("0123456789abcdef", "santorini", Status.PLAYING, (player,) * 4, 1000, player.dialect)
    frame = encode_text(wire.encode(wire.Tables(tables=(table,) * LIST_LIMIT)))
    assert MAX_MESSAGE_BYTES < len(frame) < ConnectionLimits().unsent, "nor is anybody dropped because it is so long"
    (text,) = reply_decoder().feed(frame)
    assert isinstance(text, str)
    assert wire.decode_reply(text) == wire.Tables(tables=(table,) * LIST_LIMIT)


def test_deeply_nested_json_is_refused_as_unreadable() -> None:
    ann = Visitor(SimulatedServer(seed=0), "ann")
    ann.say_text('{"type":"act","seq":1,"action":' + "[" * 30_000 + "]" * 30_000 + "}")
    (refused,) = ann.take()
    assert (refused["type"], refused["code"]) == ("refused", "malformed")
    assert ann.ask("list")["type"] == "tables"


@pytest.mark.parametrize("time", [{"grace": 0.0}, {"grace": 1e9}, {"bank": -1.0}, {"per_move": 1e300}])
def test_a_table_with_impossible_times_is_refused(time: dict[str, float]) -> None:
    simulated = SimulatedServer(seed=0)
    (refused,) = Visitor(simulated, "ann").say("open", game="tris", **time)
    assert (refused["type"], refused["code"]) == ("refused", "malformed")
    assert next(iter(time)) in refused["reason"]
    assert len(simulated.lobby) == 0


def test_a_seat_that_stays_empty_forfeits_after_its_grace() -> None:
    simulated = SimulatedServer(seed=0)
    ann, bob, _ = opened(simulated, grace=60.0)
    ann.peer.drop()
    simulated.clock.pass_time(61)
    ended = [reply for reply in bob.take() if isinstance(reply, dict)]
    assert ended[-2]["state"]["outcome"] == {"termination": "stayed away", "winners": [1], "by": 0}
    assert ended[-1] == {"type": "wanted", "seats": [], "gone": [0]}


def test_a_second_connection_of_the_same_player_takes_the_seat_over() -> None:
    simulated = SimulatedServer(seed=0)
    ann, _, match = opened(simulated)
    again = Visitor(simulated, "ann", ann.token)
    again.say("resume", match=match, seat=0)
    assert ann.take() == [{"type": "gone", "why": "you came back by another connection"}]
    assert again.say("act", seq=4, action=4)[-1]["type"] == "step"


def test_a_match_goes_on_after_the_server_was_killed() -> None:
    simulated = SimulatedServer(seed=0)
    ann, bob, match = opened(simulated)
    ann.say("act", seq=4, action=4)
    simulated.lobby = Lobby(simulated.journal, simulated.clock, ScriptedDealer(seed=0), CountedNames())
    assert simulated.lobby.recover() == (1, 0)
    there = Visitor(simulated, "bob", bob.token)
    replies = there.say("resume", match=match, seat=1)
    replies = there.say("act", seq=seq(replies), action=0)
    assert replies[-1]["state"]["view"]["cells"][:5] == [1, None, None, None, 0]


def test_leaving_a_table_frees_the_player_for_another() -> None:
    simulated = SimulatedServer(seed=0)
    ann = Visitor(simulated, "ann")
    ann.say("open", game="tris")
    assert ann.ask("open", game="tris")["reason"] == "you are already at a table; leave it first"
    assert ann.ask("leave") == {"type": "gone", "why": "you left"}
    assert ann.say("open", game="tris")[0]["type"] == "seated"


def test_a_rematch_begins_when_both_want_it_with_the_other_one_first() -> None:
    simulated = SimulatedServer(seed=0)
    ann, bob, _ = opened(simulated)
    assert ann.ask("rematch")["reason"] == "you have no finished match to rematch"
    ann.say("resign")
    bob.take()
    assert ann.ask("rematch") == {"type": "wanted", "seats": [0]}
    assert bob.take() == [{"type": "wanted", "seats": [0]}]
    replies = bob.say("rematch")
    assert [reply["seat"] for reply in replies if reply["type"] == "seated"] == [0]
    assert ann.take()[-1]["state"]["status"] == "playing"


# --- bots -----------------------------------------------------------------------------------------------------------


def test_a_bot_in_a_seat_plays_its_part() -> None:
    calls: list[Any] = []
    bots = ServerBots(lambda n: 0, calls.append, lambda seconds, call: calls.append(call))
    simulated = SimulatedServer(seed=0, bots=bots)
    ann = Visitor(simulated, "ann")
    replies = ann.say("open", game="tris", bots=["", "random"], seat=0)
    assert replies[0]["state"]["players"][1]["bot"] == "random"
    ann.say("act", seq=seq(replies), action=8)
    while calls:
        calls.pop(0)()
    assert ann.take()[-1]["state"]["view"]["cells"] == [1, None, None, None, None, None, None, None, 0]


def test_an_unknown_bot_is_refused() -> None:
    ann = Visitor(
        SimulatedServer(seed=0, bots=ServerBots(lambda n: 0, lambda call: None, lambda seconds, call: None)), "ann"
    )
    refused = {
        "type": "refused",
        "code": "refused",
        "reason": "there is no bot 'nobody' for tris; GET /api/bots lists the bots",
    }
    assert ann.say("open", game="tris", bots=["", "nobody"]) == [refused]


# --- the wire -------------------------------------------------------------------------------------------------------


def test_pings_are_answered_and_sent_and_silence_ends_the_connection() -> None:
    simulated = SimulatedServer(seed=0)
    ann = Visitor(simulated, "ann")
    ann.peer.send(encode_ping(b"x", MASK))
    assert ann.take() == [Pong(b"x")]
    simulated.clock.pass_time(20)
    assert ann.take() == [Ping()]
    ann.peer.send(encode_pong(b"", MASK))
    simulated.clock.pass_time(59)
    assert not ann.peer.closed
    simulated.clock.pass_time(20)
    assert ann.peer.closed


def test_a_close_is_answered_with_a_close() -> None:
    ann = Visitor(SimulatedServer(seed=0), "ann")
    ann.peer.send(encode_close(1000, "", MASK))
    assert ann.closed().code == 1000


@pytest.mark.parametrize(("data", "code"), [(b"\x82\x80mask", 1003), (b"\x81\x00", 1002)])
def test_frames_other_than_text_of_a_client_end_the_connection(data: bytes, code: int) -> None:
    ann = Visitor(SimulatedServer(seed=0), "ann")
    ann.peer.send(data)
    assert ann.closed().code == code


def test_too_many_unreadable_messages_in_a_row_end_the_connection() -> None:
    ann = Visitor(SimulatedServer(seed=0), "ann")
    for _ in range(MAX_BAD_MESSAGES - 1):
        assert ann.ask("nonsense")["code"] == "malformed"
    ann.say("list")
    for _ in range(MAX_BAD_MESSAGES - 1):
        assert ann.ask("nonsense")["code"] == "malformed"
    ann.peer.send(b"")
    ann.say("nonsense")
    assert ann.peer.closed


def test_every_request_and_notification_has_a_handler() -> None:
    assert set(ANSWER) == set(wire.Request.__args__)
    unused = {
        notifications.NoTable,
        notifications.NotHeld,
        notifications.Claimed,
    }  # asked for by errands that this dialect does not run
    assert set(NOTIFICATIONS) == set(notifications.Notification.__args__) - unused


# --- the client's end -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["tris", "santorini"])
@pytest.mark.parametrize("seed", range(3))
def test_two_clients_play_to_the_end(game: str, seed: int) -> None:
    simulated = SimulatedServer(seed=seed)
    results: dict[Seat, Result] = {}

    def player(client: SimulatedClient, notification: Any) -> None:
        match notification:
            case Ask(decision=decision):
                client.talk.tell(Answer(tuple(decision.choices)[seed % len(decision.choices)]))
            case Over(result=result):
                results[len(results)] = result

    seating = ClientOptions("ann", 2, {"game": game}), ClientOptions("bob", 2, {"game": game})
    pairs = [(SimulatedClient("native", player, one, simulated.clock), simulated.connect("native")) for one in seating]
    play_together(simulated, pairs)
    assert sorted(results.values()) in ([Result.LOST, Result.WON], [Result.DRAWN, Result.DRAWN])


def test_tables_in_play_between_people_are_listed_with_what_spectators_see() -> None:
    server = SimulatedServer(seed=0)
    ann, bob, zoe = Visitor(server, "ann"), Visitor(server, "bob"), Visitor(server, "zoe")
    match = ann.say("open", game="tris")[0]["state"]["match"]
    (waiting,) = zoe.ask("list")["tables"]
    assert "view" not in waiting
    bob.say("join", match=match)
    server.clock.pass_time(5)
    (playing,) = zoe.ask("list")["tables"]
    assert playing["view"]["cells"] == [None] * 9
