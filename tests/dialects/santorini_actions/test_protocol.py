"""The table of arcs matches the server and the specification."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from boardwire import dialects
from boardwire.dialects.santorini_actions import server
from boardwire.dialects.santorini_actions.answer import HANDLERS
from boardwire.dialects.santorini_actions.ask import ASK, ask_pending
from boardwire.dialects.santorini_actions.messages import requests
from boardwire.dialects.santorini_actions.participant import Participant, Phase
from boardwire.dialects.santorini_actions.tell import tell
from boardwire.games.santorini import Draft, God, Kind, Options
from boardwire.games.santorini.actions import PickGod, ProposeGod
from boardwire.lobby.requests import Seek
from boardwire.simulation.server import SimulatedServer
from boardwire.table.commands import Act
from boardwire.table.events import Player
from boardwire.table.guest import Guest

from .players import DOCUMENT, SHIPPED, Raw, actions, open_table, play_match, start_from

SPECIFICATION = (Path(__file__).parents[3] / "docs" / "dialects" / "santorini-actions.md").read_text()


def test_the_specification_lists_every_kind_of_decision() -> None:
    for kind in ASK:
        assert f"| `{kind}` |" in SPECIFICATION


def test_the_queries_are_those_that_the_specification_answers_in_every_state() -> None:
    sentence = next(line for line in SPECIFICATION.splitlines() if "are answered in every state of a match" in line)
    assert dialects.protocol("santorini-actions").queries == set(re.findall(r"`(get\w+)`", sentence))


def test_every_step_of_many_matches_is_an_arc_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    walked: set[tuple[Phase, type, Phase]] = set()
    started: dict[int, tuple[Phase, type]] = {}
    handle = server._handle_request

    def arrive(client: Participant) -> None:
        if id(client) in started and client.pending_act is None:
            walked.add((*started.pop(id(client)), client.phase))

    def heard(client: Participant, request: Any) -> None:
        if type(request) in HANDLERS.get(client.phase, {}):
            started[id(client)] = client.phase, type(request)
        handle(client, request)
        arrive(client)

    def asked(client: Participant) -> None:
        ask_pending(client)
        arrive(client)

    def told(client: Participant, step: Any) -> None:
        tell(client, step)
        if client.phase is Phase.OUT:
            arrive(client)

    monkeypatch.setattr(server, "_handle_request", heard)
    monkeypatch.setattr(server, "ask_pending", asked)
    monkeypatch.setattr(server, "tell", told)
    for seed, draft in enumerate([*[Draft.FIRST_PROPOSES] * 4, Draft.RANDOM, Draft.TOGETHER, Draft.CHALLENGER]):
        simulated = SimulatedServer(seed=seed)
        open_table(simulated, Options(draft=draft), 2 + seed % 2)
        play_match([DOCUMENT, SHIPPED, DOCUMENT][: 2 + seed % 2], seed, simulated)
    listed = {
        (phase, kind, target)
        for phase, taken in HANDLERS.items()
        for kind, one in taken.items()
        for target in one.next_phases
    }
    assert walked <= listed
    changes_of_mind = {arc for arc in listed if arc[1] is requests.SetStartTurn and arc[0] is not Phase.STARTING}
    elsewhere = {  # each has a test of its own
        (Phase.CARD, requests.SetPlayerCard, Phase.CARD),
        (Phase.STEPPING, requests.SkipStep, Phase.OUT),
    }
    assert listed - walked <= changes_of_mind | elsewhere


def test_a_card_just_taken_by_another_player_is_asked_for_again_without_an_error() -> None:
    simulated = SimulatedServer(seed=0)
    first, third = Guest(lambda notification: None), Guest(lambda notification: None)
    simulated.lobby.do(first, Seek("santorini", 3, Player("zed", "another"), Options(draft=Draft.CHALLENGER)))
    ann = Raw(simulated, DOCUMENT, "ann", 3)
    ann.join()
    simulated.lobby.do(third, Seek("santorini", 3, Player("yan", DOCUMENT.name)))
    assert ann.take() == [{"action": "setPickedCards", "data": {"playerNickname": "zed"}}]
    simulated.lobby.do(first, Act(0, tuple(ProposeGod(god) for god in (God.PAN, God.ZEUS, God.ARES))))
    assert ann.take() == [{"action": "setPlayerCard", "data": {"cards": ["PAN", "ZEUS", "ARES"]}}]
    simulated.lobby.do(third, Act(2, (PickGod(God.PAN),)))
    assert ann.take() == []  # her answer may be on its way: a second question would get a second answer
    left = [{"action": "setPlayerCard", "data": {"cards": ["ZEUS", "ARES"]}}]
    assert ann.say("setPlayerCard", playerNickname="ann", card="PAN") == left
    assert actions(ann.say("setPlayerCard", playerNickname="ann", card="ATLAS")) == ["serverError"]
    ann.say("setPlayerCard", playerNickname="ann", card="ARES")
    assert simulated.match().position.lineup.cards[1] is God.ARES


def test_players_of_other_dialects_pick_first_if_several_may_pick() -> None:
    """The original client answers `setPlayerCard` once: a taken card would leave it waiting."""
    simulated = SimulatedServer(seed=0)
    first, third = Guest(lambda notification: None), Guest(lambda notification: None)
    simulated.lobby.do(first, Seek("santorini", 3, Player("zed", "another"), Options(draft=Draft.CHALLENGER)))
    ann = Raw(simulated, DOCUMENT, "ann", 3)
    ann.join()
    simulated.lobby.do(third, Seek("santorini", 3, Player("yan", "another")))
    simulated.lobby.do(first, Act(0, tuple(ProposeGod(god) for god in (God.PAN, God.ZEUS, God.ARES))))
    assert actions(ann.take()) == ["setPickedCards"]
    simulated.lobby.do(third, Act(2, (PickGod(God.PAN),)))
    assert ann.take() == [{"action": "setPlayerCard", "data": {"cards": ["ZEUS", "ARES"]}}]


def test_a_skipped_step_may_end_the_match_too() -> None:
    _, (ann, _) = start_from("02000 22000 00000 00022 00010/1/demeter:C2,C3/pan:A5,E1")
    ann.start()
    ann.select(3, 2)
    ann.step(4, 2)
    ann.step(4, 3)
    assert actions(ann.say("skipStep"))[-1] == "youWin"


def test_every_default_is_declared_in_the_specification() -> None:
    defaults = [kind for kind, ask in ASK.items() if ask.__name__ == "take_default"]
    assert defaults == [
        Kind.NAME_START, Kind.CHOOSE_START, Kind.PLACE_RAM, Kind.PREPARE, Kind.REPLY, Kind.CHANCE,
    ]  # fmt: skip
