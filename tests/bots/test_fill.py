"""Bots take the free seats of public tables that have waited long enough."""

from __future__ import annotations

from random import Random

import pytest

from boardwire.bots.house import HouseBots
from boardwire.dialects.dialect import Answer, Ask, Over, Seating, Tidings
from boardwire.table import events as told
from boardwire.table.errands import Attend, Enter, Open, Seek
from boardwire.table.events import Player
from boardwire.table.guest import Guest, News, Step, Watching
from boardwire.table.lobby import Lobby
from boardwire.table.match import Status
from boardwire.testing.house import Client, House, play_together
from boardwire.testing.luck import CountedNames, ScriptedDealer

from .test_house import Soon

SECONDS = 10.0


class Place(House):
    """A house that fills its tables."""

    def __init__(self, fill: float = SECONDS) -> None:
        super().__init__()
        self.soon = Soon()
        bots = HouseBots(Random(1).randrange, self.soon, self.clock.later)
        dealer = ScriptedDealer(seed=1)
        self.lobby = Lobby(self.journal, self.clock, dealer, CountedNames(), bots, fill=fill)

    def sit(self, seek: Seek) -> Guest:
        guest = Guest(lambda news: None)
        self.lobby.do(guest, seek)
        return guest

    def names(self) -> list[str]:
        return [player.name if player is not None else "" for player in self.match().players]


def seek(seats: int = 2, name: str = "ann", *, private: bool = False) -> Seek:
    return Seek("tris" if seats == 2 else "santorini", seats, Player(name), private=private)


def test_a_table_is_filled_when_it_has_waited_and_not_before() -> None:
    place = Place()
    place.sit(seek())
    place.clock.pass_time(SECONDS - 0.1)
    assert place.names() == ["ann", ""]
    place.clock.pass_time(0.1)
    assert place.names() == ["ann", "greedy bot"]
    assert place.match().status is Status.PLAYING


def test_all_free_seats_are_taken_and_the_bots_have_different_names() -> None:
    place = Place()
    place.sit(seek(4, "greedy bot 2"))
    place.clock.pass_time(SECONDS)
    assert place.names() == ["greedy bot 2", "greedy bot", "greedy bot 3", "greedy bot 4"]


def test_people_who_came_meanwhile_keep_their_seats() -> None:
    place = Place()
    place.sit(seek(3))
    place.clock.pass_time(SECONDS / 2)
    place.sit(seek(3, "bob"))
    place.clock.pass_time(SECONDS / 2)
    assert place.names() == ["ann", "bob", "greedy bot"]


def test_whoever_looks_for_a_table_when_the_bots_sit_down_is_not_brought_to_theirs() -> None:
    place = Place()
    place.sit(seek(3))
    found: list[str] = []

    def tell(news: News) -> None:
        if isinstance(news, Watching):
            found.append(news.match.id)
        elif isinstance(news, Step) and len(found) < 10:
            place.lobby.do(guest, Attend("santorini", "d"))

    guest = Guest(tell)
    place.lobby.do(guest, Attend("santorini", "d"))
    place.clock.pass_time(SECONDS)
    assert found == ["match-1"]
    assert guest.table is None


def test_by_default_and_at_private_tables_nobody_comes() -> None:
    for place, private in ((Place(0), False), (Place(), True)):
        place.sit(seek(private=private))
        place.clock.pass_time(SECONDS * 100)
        assert place.names() == ["ann", ""]


def test_each_table_has_its_own_time() -> None:
    place = Place()
    place.sit(seek())
    place.clock.pass_time(SECONDS / 2)
    place.sit(seek(3))
    place.clock.pass_time(SECONDS / 2)
    statuses = [place.match(name).status for name in ("match-1", "match-2")]
    assert statuses == [Status.PLAYING, Status.WAITING]


def test_where_nobody_sits_no_bot_sits_down() -> None:
    place = Place()
    guest = Guest(lambda news: None)
    place.lobby.do(guest, Open(seek()))
    place.clock.pass_time(SECONDS * 3)
    assert place.events() == []
    place.lobby.do(guest, Enter("match-1", Player("ann")))
    place.clock.pass_time(SECONDS)
    assert place.names() == ["ann", "greedy bot"], "but when somebody does, the time begins again"


def test_a_table_that_everybody_left_is_forgotten() -> None:
    place = Place()
    place.lobby.goodbye(place.sit(seek()))
    place.clock.pass_time(SECONDS * 3)
    assert len(place.lobby) == 0
    assert not any(isinstance(event, told.Joined) and event.player.bot for event in place.events())


def test_a_house_that_is_closing_seats_nobody() -> None:
    place = Place()
    place.sit(seek())
    place.lobby.freeze()
    place.clock.pass_time(SECONDS)
    assert place.names() == ["ann", ""]


@pytest.mark.parametrize(
    ("dialect", "players"),
    [
        ("tris-lines", 2),
        ("santorini-lobby", 3),
        ("santorini-actions", 2),
        ("santorini-actions/shipped", 2),
        ("santorini-objects", 3),
        ("santorini-objects/shipped", 2),
        ("eriantys-messages", 4),
        ("native", 2),
    ],
)
def test_a_lonely_client_of_any_dialect_plays_a_whole_match(dialect: str, players: int) -> None:
    place = Place()
    luck = Random(5)
    heard: list[Tidings] = []

    def player(client: Client, tidings: Tidings) -> None:
        heard.append(tidings)
        if isinstance(tidings, Ask):
            client.talk.tell(Answer(luck.choice(list(tidings.decision.choices))))

    peer = place.connect(dialect)
    client = Client(dialect, player, Seating("ann", players), place.clock)
    play_together(place, [(client, peer)])
    place.clock.pass_time(SECONDS)
    for _ in range(2000):
        place.soon.run()
        play_together(place, [(client, peer)])
        if isinstance(heard[-1], Over):
            break
    over = heard[-1]
    assert isinstance(over, Over)
    assert over.result in ("won", "lost", "drawn")
    assert [bool(one and one.bot) for one in place.match().players] == [False] + [True] * (players - 1)
