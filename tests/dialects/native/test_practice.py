"""Practice tables: one person against bots, with hints."""

from __future__ import annotations

from typing import Any

import pytest

from boardwire.bots.engine import SearchResult
from boardwire.bots.match_analysis import LEVEL
from boardwire.bots.pool import NoAnswer
from boardwire.bots.server_bots import ServerBots
from boardwire.dialects.native.session import HINTS
from boardwire.errors import Reason, Refused
from boardwire.simulation.server import SimulatedServer

from .test_seats import Slow
from .visitor import Visitor, kinds


class Thinkers:
    """Workers that answer on demand."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, ...]] = []
        self.full = False

    def ask(self, *asked: Any, past: Any = ()) -> Any:
        if self.full:
            raise Refused("too many bots are thinking", reason=Reason.SERVER_FULL)
        self.asked.append(asked)

    def answer(self, found: Any) -> None:
        """Answer the oldest question."""
        self.asked.pop(0)[5](found)


class Practice:
    """Ann practises Tris against a bot that never moves."""

    def __init__(self, thinks: bool = True, **settings: Any) -> None:
        self.thinkers = Thinkers()
        reported: list[Any] = []
        thinkers: Any = self.thinkers if thinks else None
        self.server = SimulatedServer(
            seed=0,
            bots=ServerBots(
                lambda n: 0,
                lambda call: None,
                lambda seconds, call: None,
                lambda *told: reported.append(told),
                thinkers,
            ),
        )
        self.reported = reported
        self.ann = Visitor(self.server, "ann")
        settings = {"game": "tris", "bots": ["", "random"], "practice": True, **settings}
        self.opened = self.ann.say("open", **settings)

    def seq(self) -> int:
        found: int = self.ann.ask("sync")["state"]["seq"]
        return found


def test_advice_has_the_best_turn_and_its_value() -> None:
    practice = Practice()
    assert practice.opened[0]["state"]["practice"] is True
    assert practice.ann.say("hint") == [], "somebody has to think first"
    game, view, decision, level, *_ = practice.thinkers.asked[0]
    assert (game, level, decision.seats) == ("tris", LEVEL, (0,))
    assert view.cells == (None,) * 9
    seq = practice.seq()
    practice.thinkers.answer(SearchResult((4,), 0.25, 3, 9, (0,), 2, {"some": "numbers"}))
    assert practice.ann.take() == [
        {
            "type": "advice",
            "match": "match-1",
            "seq": seq,
            "turn": [{"text": "4", "action": 4}],
            "value": 0.25,
            "line": [{"text": "0", "action": 0}],
            "proved": 2,
            "forecast": {"some": "numbers"},
        }
    ]


def test_advice_delays_nothing_and_names_its_state() -> None:
    practice = Practice()
    before = practice.seq()
    practice.ann.say("hint")
    assert kinds(practice.ann.say("act", seq=before, action=4)) == ["step"]
    practice.thinkers.answer(SearchResult((4,), 0.0, 1, 1))
    (advice,) = practice.ann.take()
    assert advice["seq"] == before < practice.seq()


def test_hints_are_computed_one_at_a_time_and_rate_limited() -> None:
    practice = Practice()
    practice.ann.say("hint")
    assert practice.ann.ask("hint")["code"] == "limit"
    assert len(practice.thinkers.asked) == 1
    practice.thinkers.answer(SearchResult((4,), 0.0, 1, 1))
    practice.ann.take()
    for _ in range(HINTS.max_requests - 2):
        assert practice.ann.say("hint") == []
        practice.thinkers.answer(SearchResult((4,), 0.0, 1, 1))
        practice.ann.take()
    assert "too many hints" in practice.ann.ask("hint")["reason"]
    assert practice.thinkers.asked == []


def test_a_hint_without_a_worker_is_refused_and_may_be_repeated() -> None:
    practice = Practice()
    practice.ann.say("hint")
    practice.thinkers.answer(NoAnswer("it died"))
    assert practice.ann.take()[0]["code"] == "unavailable"
    assert practice.reported, "whoever runs the server is told"
    practice.thinkers.full = True
    assert practice.ann.ask("hint")["code"] == "server-full"
    practice.thinkers.full = False
    assert practice.ann.say("hint") == []
    assert Practice(thinks=False).ann.ask("hint")["code"] == "unavailable"


def test_a_refused_question_is_no_answer_to_an_act_that_is_being_stored() -> None:
    practice = Practice()
    practice.ann.say("hint")
    seq = practice.seq()
    slow = Slow(practice.server)
    practice.ann.say("act", seq=seq, action=4)
    practice.thinkers.answer(NoAnswer("it died"))
    assert kinds(practice.ann.say("sync")) == ["refused"]
    slow.store()
    told = practice.ann.take()
    assert kinds(told) == ["step", "state"]
    assert told[1]["state"]["seq"] > seq


def test_advice_is_given_only_to_the_player_to_move_at_a_practice_table() -> None:
    practice = Practice()
    eve = Visitor(practice.server, "eve")
    eve.say("watch", match="match-1")
    assert eve.ask("hint")["code"] == "no-seat"
    practice.ann.say("act", seq=practice.seq(), action=4)
    assert practice.ann.ask("hint")["code"] == "not-your-turn"
    plain = Practice(practice=False)
    assert "practice" in plain.ann.ask("hint")["reason"]
    assert "practice" not in plain.opened[0]["state"]
    assert practice.thinkers.asked == plain.thinkers.asked == []


def test_advice_is_not_sent_after_leaving() -> None:
    practice = Practice()
    practice.ann.say("hint")
    practice.ann.say("leave")
    practice.thinkers.answer(SearchResult((4,), 0.0, 1, 1))
    assert practice.ann.take() == []


@pytest.mark.parametrize("bots", [[], ["", ""], ["", "random"]])
def test_people_never_play_each_other_there(bots: list[str]) -> None:
    practice = Practice(game="eriantys", seats=3, bots=bots)
    assert practice.opened[0]["type"] == "refused"
    assert "needs bots in all seats but yours, 2; you asked for " in practice.opened[0]["reason"]


def test_a_rematch_is_for_practice_too() -> None:
    practice = Practice()
    practice.ann.say("resign")
    again = practice.ann.say("rematch")[0]["state"]
    assert (again["match"], again["practice"]) == ("match-2", True)
