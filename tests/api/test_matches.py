"""Matches over HTTP: lists, one match, its events, its steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from boardwire.api import matches, replay
from boardwire.api.context import ApiContext
from boardwire.api.match_cache import WeightedCache
from boardwire.dialects.native import messages as wire
from boardwire.store.sqlite import SqliteJournal
from boardwire.table import events as ev
from boardwire.table.commands import Act, AnswerUndo, Chat, OfferUndo, Resign
from boardwire.table.events import Event, Player
from boardwire.table.match import Match, Moment, Status, replay_events
from boardwire.table.policy import Policy
from boardwire.wire.websocket import FrameDecoder, encode_text

from .api_fixture import ApiFixture, options_of, problem


def ids(page: dict[str, Any]) -> list[str]:
    return [match["id"] for match in page["matches"]]


# --- the list -------------------------------------------------------------------------------------------------------


def test_a_match_is_listed_with_who_played_and_how_it_ended(api: ApiFixture) -> None:
    api.tris()
    assert api.get("/api/matches") == {
        "matches": [
            {
                "id": "match-1",
                "game": "tris",
                "rules": 1,
                "dialects": ["native", "tris-lines"],
                "players": ["Ann", "Bob"],
                "bots": ["", ""],
                "status": "over",
                "outcome": {"termination": "line", "winners": [0]},
                "moves": 5,
                "at": 1000.0,
                "imported": False,
                "turns": 5,
            }
        ],
        "next": None,
    }


def test_the_newest_come_first_and_pages_go_on_where_the_last_one_ended(api: ApiFixture) -> None:
    for _ in range(5):
        api.tris()
    first = api.get("/api/matches", limit=2)
    second = api.get("/api/matches", limit=2, before=first["next"])
    third = api.get("/api/matches", limit=2, before=second["next"])
    assert [ids(first), ids(second), ids(third)] == [["match-5", "match-4"], ["match-3", "match-2"], ["match-1"]]
    assert third["next"] is None


def test_a_page_that_is_just_full_is_the_last_one(api: ApiFixture) -> None:
    api.tris()
    api.tris()
    assert api.get("/api/matches", limit=2)["next"] is None


def test_no_page_precedes_the_first_match(api: ApiFixture) -> None:
    api.tris()
    assert api.get("/api/matches", before=1) == {"matches": [], "next": None}
    assert api.get("/api/matches", before=0) == {"matches": [], "next": None}
    assert ids(api.get("/api/matches", before=2**53)) == ["match-1"]


def test_matches_are_found_by_game_status_and_player(api: ApiFixture) -> None:
    api.tris()
    api.sit("santorini")
    api.sit("tris", policy=Policy()).act(4)
    api.sit("eriantys", 3)
    assert ids(api.get("/api/matches", game="tris")) == ["match-3", "match-1"]
    assert ids(api.get("/api/matches", status="over")) == ["match-1"]
    assert ids(api.get("/api/matches", player="Cid")) == ["match-4"]
    assert ids(api.get("/api/matches", game="tris", status="playing")) == ["match-3"]
    assert ids(api.get("/api/matches", game="chess")) == []


def test_a_search_is_limited_and_returns_where_to_continue(api: ApiFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "EXAMINED_LIMIT", 2)
    for game in ("santorini", "tris", "tris", "tris"):
        api.sit(game)
    page = api.get("/api/matches", status="waiting", limit=1)
    assert (page["matches"], page["next"]) == ([], 3)
    assert ids(api.get("/api/matches", status="playing", before=page["next"])) == ["match-2", "match-1"]


def test_a_search_by_game_or_player_looks_at_no_other_match(api: ApiFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "EXAMINED_LIMIT", 1)
    api.sit("eriantys", 3)
    for _ in range(5):
        api.tris()
    assert ids(api.get("/api/matches", game="eriantys")) == ["match-1"]
    assert ids(api.get("/api/matches", player="Cid")) == ["match-1"]
    assert ids(api.get("/api/matches", player="Cid", game="eriantys", status="playing")) == ["match-1"]
    assert ids(api.get("/api/matches", status="playing")) == ["match-1"]


def test_a_match_that_cannot_be_read_is_passed_over(api: ApiFixture) -> None:
    api.tris()
    api.server.journal._matches["broken"] = [b'{"event":"joined","at":1.0,"seat":0,"player":{}}']
    api.tris()
    assert ids(api.get("/api/matches")) == ["match-2", "match-1"]
    told = problem(api.client.get("/api/matches/broken"))
    assert (
        told["detail"] == "match 'broken' cannot be read: a match must begin with Opened, but its first event is Joined"
    )
    assert told["code"] == "unreadable"


def test_an_unknown_match_has_its_error_code(api: ApiFixture) -> None:
    answer = api.client.get("/api/matches/nowhere")
    assert (answer.status_code, problem(answer)["code"]) == (404, "no-such-match")


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=201", "limit=x", "limit=1&limit=2", "before=-1", "status=lost", "colour=red", "limit="]
)
def test_an_impossible_query_is_refused(api: ApiFixture, query: str) -> None:
    answer = api.client.get(f"/api/matches?{query}")
    assert answer.status_code == 422
    told = problem(answer)
    assert (told["type"], told["code"]) == ("urn:boardwire:problem:invalid", "malformed")


def test_repeated_query_parameters_are_named(api: ApiFixture) -> None:
    answer = api.client.get("/api/matches?limit=1&game=tris&limit=2")
    assert problem(answer)["detail"] == "the query has limit more than once"


# --- one match ------------------------------------------------------------------------------------------------------


def test_a_match_has_its_options_and_bots(api: ApiFixture) -> None:
    api.sit("eriantys", 3, options_of("eriantys", mode="expert"))
    found = api.get("/api/matches/match-1")
    assert found["options"]["mode"] == "expert"
    assert found["bots"] == ["", "", ""]
    assert found["status"] == "playing"
    assert found["seq"] == len(api.server.events())
    assert found["changed"] >= found["at"]


def test_a_match_that_waits_has_empty_seats(api: ApiFixture) -> None:
    journal = api.server.journal
    opened = ev.Opened(1.0, "m1", "tris@1", 2, {}, Policy())
    journal.append("m1", 1, [opened, ev.Joined(2.0, 1, Player("Ann"))], lambda stored: None)
    found = api.get("/api/matches/m1")
    assert (found["players"], found["status"], found["outcome"]) == (["", "Ann"], "waiting", None)


@pytest.mark.parametrize("part", ["", "/events", "/steps", "/export"])
def test_an_unknown_match_is_not_found(api: ApiFixture, part: str) -> None:
    answer = api.client.get(f"/api/matches/nothing{part}")
    assert answer.status_code == 404
    assert problem(answer)["instance"] == f"/api/matches/nothing{part}"


def test_a_name_that_no_match_can_have_is_refused(api: ApiFixture) -> None:
    assert api.client.get("/api/matches/a%20b").status_code == 422
    assert api.client.get(f"/api/matches/{'x' * 65}").status_code == 422
    assert api.client.get("/api/matches/match-1?id=match-2").status_code == 422


# --- private tables -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", ["", "/events", "/steps", "/export"])
def test_a_private_table_is_found_only_when_it_is_over_and_never_listed(api: ApiFixture, part: str) -> None:
    sitting = api.sit("tris", private=True)
    sitting.act(0, 3, 1, 4)
    path = f"/api/matches/{sitting.id}{part}"
    unknown = api.client.get(f"/api/matches/nobodys{part}")
    answer = api.client.get(path)
    assert answer.text == unknown.text.replace("nobodys", sitting.id)
    sitting.act(2)
    assert api.client.get(path).status_code == 200
    assert ids(api.get("/api/matches")) == []
    assert b"CODE1" not in api.client.get(path).content


# --- events ---------------------------------------------------------------------------------------------------------


def test_events_equal_those_of_the_command_line(api: ApiFixture) -> None:
    sitting = api.tris(0, 3)
    sitting.do(0, Chat(0, "hello"))
    found = api.get("/api/matches/match-1/events")["events"]
    assert [event["seq"] for event in found] == list(range(1, len(found) + 1))
    assert [event["event"] for event in found] == [
        "opened", "joined", "joined", "started", "acted", "acted", "chatted",
    ]  # fmt: skip
    assert found[4] == {"seq": 5, "event": "acted", "at": 1001.25, "seat": 0, "action": 0}
    assert found[1]["player"] == {"name": "Ann", "dialect": "native"}


def test_no_response_contains_a_key_or_a_code(api: ApiFixture) -> None:
    sitting = api.sit("tris", private=True)
    sitting.act(0, 3, 1, 4, 2)
    for part in ("", "/events", "/steps", "/export", "/export?format=text"):
        content = api.client.get(f"/api/matches/{sitting.id}{part}").content
        assert b"KEY" not in content
        assert b"CODE" not in content


def test_events_come_in_parts(api: ApiFixture) -> None:
    api.tris()
    path = "/api/matches/match-1/events"
    whole = api.get(path)["events"]
    first = api.get(path, limit=4)
    rest = api.get(path, after=first["next"])
    assert (first["events"], rest["events"], rest["next"]) == (whole[:4], whole[4:], None)
    assert api.get(path, limit=len(whole))["next"] is None
    assert api.get(path, after=999) == {"events": [], "next": None}


# --- steps ----------------------------------------------------------------------------------------------------------


def steps(api: ApiFixture, **query: Any) -> list[wire.Step]:
    found = api.get("/api/matches/match-1/steps", **query)["steps"]
    return msgspec.convert(found, list[wire.Step])


def test_the_first_step_is_the_state_at_the_start(api: ApiFixture) -> None:
    api.sit("eriantys", 2).wander(1, 3)
    first = steps(api)[0]
    names = [event.event for event in first.events]
    assert names[:3] == ["joined", "joined", "started"]
    assert set(names[3:]) == {"dealt"}
    assert first.state.moves == 0
    assert first.state.asked is not None
    assert len(first.state.view["islands"]) == 12


def test_every_move_is_a_step_and_the_end_comes_with_the_last(api: ApiFixture) -> None:
    api.tris()
    found = steps(api)
    assert [step.state.moves for step in found] == [0, 1, 2, 3, 4, 5]
    assert [event.event for event in found[-1].events] == ["acted", "ended"]
    assert found[-1].state.status is Status.OVER
    assert found[3].state.view["cells"] == [0, 0, None, 1, None, None, None, None, None]
    assert found[3].events[0].happened == ({"type": "marked", "seat": 0, "cell": 1, "line": []},)


def test_an_undo_is_sent_with_the_agreement(api: ApiFixture) -> None:
    sitting = api.tris(0, 3)
    sitting.do(1, OfferUndo(1))
    sitting.do(0, AnswerUndo(0, True))
    sitting.do(0, Resign(0))
    named = [[event.event for event in step.events] for step in steps(api)][3:]
    assert named == [["undooffered"], ["undoagreed", "undone"], ["resigned", "ended"]]


def test_steps_come_in_parts(api: ApiFixture) -> None:
    api.tris()
    whole = steps(api)
    page = api.get("/api/matches/match-1/steps", limit=2)
    assert page["next"] == whole[1].state.seq
    assert steps(api, after=page["next"]) == whole[2:]
    assert api.get("/api/matches/match-1/steps", limit=6)["next"] is None
    assert api.get("/api/matches/match-1/steps", after=999) == {"steps": [], "next": None}


def test_a_part_is_short_however_much_was_asked_for(api: ApiFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    api.tris()
    monkeypatch.setattr(matches, "PART_BYTES", 600)
    whole: list[wire.Step] = []
    after: int | None = 0
    parts = 0
    while after is not None:
        page = api.get("/api/matches/match-1/steps", after=after)
        whole += msgspec.convert(page["steps"], list[wire.Step])
        after = page["next"]
        parts += 1
    assert [step.state.moves for step in whole] == [0, 1, 2, 3, 4, 5]
    assert parts > 2


def test_no_event_of_a_match_is_played_twice_for_its_steps(api: ApiFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = api.tris(4)
    played: list[ev.Event] = []

    def further_noted(match: Match, events: Iterable[ev.Event]) -> Iterator[Moment]:
        for moment in replay_events(match, events):
            played.append(moment.event)
            yield moment

    monkeypatch.setattr(replay, "replay_events", further_noted)
    path = f"/api/matches/{sitting.id}/steps"
    assert [step["state"].get("moves", 0) for step in api.get(path)["steps"]] == [0, 1]
    played.clear()
    api.get(path)
    assert played == []
    sitting.do(1, Act(1, (0,)))
    assert [step["state"].get("moves", 0) for step in api.get(path)["steps"]] == [0, 1, 2]
    assert [type(event) for event in played] == [ev.Acted]


def test_steps_read_during_play_equal_those_read_at_the_end(api: ApiFixture) -> None:
    sitting = api.tris()
    events = api.server.journal.read(sitting.id)
    whole = replay.steps_of(events)
    steps_of = replay.steps_of(events[:1])
    for event in events[1:]:
        steps_of = steps_of.extended([event])
    assert steps_of.match == whole.match
    assert steps_of.steps.part(0, 100, 10**9) == whole.steps.part(0, 100, 10**9)
    assert steps_of.size == whole.size


def test_a_match_of_unknown_rules_has_its_error_code(api: ApiFixture) -> None:
    opened = ev.Opened(1.0, "m1", "tris@99", 2, {}, Policy())
    api.server.journal.append("m1", 1, [opened, ev.Joined(2.0, 0, Player("Ann"))], lambda stored: None)
    for part in ("steps", "events"):
        answer = api.client.get(f"/api/matches/m1/{part}")
        assert answer.status_code == 503
        assert "tris@99" in problem(answer)["detail"]


# --- what only some may know ----------------------------------------------------------------------------------------

SECRET = {"draft": "given", "gods": ["pan", "hecate"]}


HIDING = "0000000000000000000000000/1/tartarus[A2]:B4,D5/apollo:C2,A5"


def test_the_start_position_is_not_disclosed_until_the_match_is_over(api: ApiFixture) -> None:
    sitting = api.sit("santorini", options=options_of("santorini", draft="position", position=HIDING))
    one = f"/api/matches/{sitting.id}"
    for path in (one, f"{one}/events", f"{one}/steps"):
        text = api.client.get(path).text
        assert '"draft":"position"' in text
        assert "tartarus[" not in text
    sitting.do(0, Resign(0))
    assert api.get(one)["options"]["position"] == HIDING
    assert api.get(f"{one}/events")["events"][0]["options"]["position"] == HIDING


def test_a_spectator_of_a_match_in_play_learns_no_hidden_action(api: ApiFixture) -> None:
    sitting = api.sit("santorini", 2, options_of("santorini", **SECRET)).wander(2, 4)
    acted = [event for event in api.get("/api/matches/match-1/events")["events"] if event["event"] == "acted"]
    assert [("action" in event, event.get("hidden")) for event in acted] == [(True, None)] * 2 + [(False, True)] * 2
    told_steps = api.get("/api/matches/match-1/steps")["steps"]
    assert "hecate" in str(told_steps)
    happened = [[part["type"] for part in step["events"][0]["happened"]] for step in told_steps[1:]]
    assert [("worker_placed" in parts, "power_used" in parts) for parts in happened] == [
        (True, False), (True, False), (False, True), (False, True),
    ]  # fmt: skip
    sitting.do(0, Resign(0))
    acted = [event for event in api.get("/api/matches/match-1/events")["events"] if event["event"] == "acted"]
    assert all("action" in event for event in acted)


def test_steps_are_what_a_spectator_saw_live(api: ApiFixture) -> None:
    watcher = api.server.connect("native")
    sitting = api.sit("santorini", 2, options_of("santorini", **SECRET))
    for request in (wire.Hello(name="Eve"), wire.Watch(match=sitting.id)):
        watcher.send(encode_text(wire.encode(request), b"\0\0\0\0"))
    watcher.take()
    sitting.wander(2, 15)
    told = [
        wire.decode_reply(text) for text in FrameDecoder(masked=False).feed(watcher.take()) if isinstance(text, str)
    ]
    live = [reply for reply in told if isinstance(reply, wire.Step)]
    assert live == steps(api)[1:]
    assert len(live) == 15


# --- where they are kept --------------------------------------------------------------------------------------------


def test_a_journal_on_disk_is_read_in_the_same_way(api: ApiFixture, tmp_path: Path) -> None:
    api.tris()
    api.tris(4)
    journal = SqliteJournal(tmp_path, lambda call, *arguments: None)
    for name in api.server.journal.names():
        journal.append(name, 1, list[Event](api.server.journal.read(name)), lambda stored: None)
    journal.close()
    memory = ApiContext(api.server.lobby, api.server.journal)
    disk = ApiContext(api.server.lobby, journal)
    for limit in (1, 50):
        query = matches.MatchesQuery(limit=limit)
        assert matches.list_matches(disk, query) == matches.list_matches(memory, query)
    query2 = matches.MatchesQuery(before=2)
    assert matches.list_matches(disk, query2) == matches.list_matches(memory, query2)
    part = matches.PartQuery("match-1")
    assert matches.match_steps(disk, part) == matches.match_steps(memory, part)
    memory.close()
    disk.close()


def test_the_least_recently_used_entry_is_evicted_first() -> None:
    kept: WeightedCache[int] = WeightedCache(2)
    kept.put("a", 1)
    kept.put("b", 2)
    assert kept.get("a") == 1
    kept.put("c", 3)
    assert (kept.get("a"), kept.get("b"), kept.get("c")) == (1, None, 3)


def test_an_entry_larger_than_the_cache_is_not_kept() -> None:
    kept: WeightedCache[int] = WeightedCache(10)
    kept.put("a", 1, 6)
    kept.put("b", 2, 6)
    assert (kept.get("a"), kept.get("b")) == (None, 2)
    kept.put("b", 3, 4)
    kept.put("c", 4, 6)
    assert (kept.get("b"), kept.get("c")) == (3, 4)
    assert not kept.put("d", 5, 11)
    assert [kept.get(key) for key in "bcd"] == [3, 4, None], "the others stay"
    assert not kept.put("c", 7, 11)
    assert [kept.get(key) for key in "bc"] == [3, None], "a value that is out of date goes"
    kept.put("e", 6, 10)
    assert kept.get("e") == 6


def test_chat_after_the_end_is_in_the_steps(api: ApiFixture) -> None:
    sitting = api.tris()
    path = f"/api/matches/{sitting.id}/steps"
    before = api.get(path)["steps"]
    assert api.get(path)["steps"] == before
    sitting.do(0, Chat(0, "well played"))
    after = api.get(path)["steps"]
    assert after[:-1] == before
    assert after[-1]["events"][0]["text"] == "well played"


def test_matches_between_people_can_be_selected(api: ApiFixture) -> None:
    api.tris()
    assert ids(api.get("/api/matches", people="true")) == ["match-1"]
    assert ids(api.get("/api/matches", people="false")) == []
