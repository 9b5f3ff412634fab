"""Bots take the free seats of public tables that have waited long enough."""

from __future__ import annotations

from random import Random

import pytest

from boardwire import dialects, games
from boardwire.bots.server_bots import ServerBots
from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Over, PlayerMessage
from boardwire.games.santorini import Draft, Options
from boardwire.lobby.lobby import Lobby
from boardwire.lobby.requests import Attend, Enter, Open, Seek
from boardwire.simulation.luck import CountedNames, ScriptedDealer
from boardwire.simulation.server import SimulatedClient, SimulatedServer, play_together
from boardwire.table import events as ev
from boardwire.table.commands import Act, Leave
from boardwire.table.events import Player
from boardwire.table.guest import Guest, Notification, Step, Watching
from boardwire.table.match import Status
from boardwire.table.policy import Leaving, Policy

from .test_server_bots import Soon

SECONDS = 10.0


class Place(SimulatedServer):
    """A server that fills its tables."""

    def __init__(self, fill: float = SECONDS) -> None:
        super().__init__()
        self.soon = Soon()
        bots = ServerBots(Random(1).randrange, self.soon, self.clock.later)
        dealer = ScriptedDealer(seed=1)
        self.lobby = Lobby(self.journal, self.clock, dealer, CountedNames(), bots, fill=fill)

    def sit(self, seek: Seek) -> Guest:
        guest = Guest(lambda notification: None)
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


def test_a_player_who_seeks_a_table_when_bots_sit_down_is_not_seated_with_them() -> None:
    place = Place()
    place.sit(seek(3))
    found: list[str] = []

    def tell(notification: Notification) -> None:
        if isinstance(notification, Watching):
            found.append(notification.match.id)
        elif isinstance(notification, Step) and len(found) < 10:
            place.lobby.do(guest, Attend("santorini", "d"))

    guest = Guest(tell)
    place.lobby.do(guest, Attend("santorini", "d"))
    place.clock.pass_time(SECONDS)
    assert found == ["match-1"]
    assert guest.table is None


def test_tables_are_not_filled_by_default_or_if_private() -> None:
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


def test_an_empty_table_is_not_filled() -> None:
    place = Place()
    guest = Guest(lambda notification: None)
    place.lobby.do(guest, Open(seek()))
    place.clock.pass_time(SECONDS * 3)
    assert place.events() == []
    place.lobby.do(guest, Enter("match-1", Player("ann")))
    place.clock.pass_time(SECONDS)
    assert place.names() == ["ann", "greedy bot"], "but when somebody does, the time begins again"


def test_an_abandoned_table_is_not_filled() -> None:
    place = Place()
    place.lobby.disconnected(place.sit(seek()))
    place.clock.pass_time(SECONDS * 3)
    assert len(place.lobby) == 0
    assert not any(isinstance(event, ev.Joined) and event.player.bot for event in place.events())


def test_a_closing_server_seats_no_bots() -> None:
    place = Place()
    place.sit(seek())
    place.lobby.freeze()
    place.clock.pass_time(SECONDS)
    assert place.names() == ["ann", ""]


@pytest.mark.parametrize("dialect", sorted(dialects.DIALECT_PACKAGES.keys() - {"eriantys-objects"}))  # it must ping
def test_a_lonely_client_of_any_dialect_plays_a_whole_match(dialect: str) -> None:
    spoken = dialects.dialect(dialect)
    players = max(spoken.players or games.game(spoken.game or "tris").seat_counts)
    plays_alone(Place(), dialect, players)


def plays_alone(place: Place, dialect: str, players: int) -> None:
    """A client that bots come to plays to the end."""
    luck = Random(5)
    heard: list[PlayerMessage] = []

    def player(client: SimulatedClient, notification: PlayerMessage) -> None:
        heard.append(notification)
        if isinstance(notification, Ask):
            client.talk.tell(Answer(luck.choice(list(notification.decision.choices))))

    peer = place.connect(dialect)
    client = SimulatedClient(dialect, player, ClientOptions("ann", players), place.clock)
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


def whoever_comes(seats: int, policy: Policy = Policy()) -> Open:
    """A table where any seat may propose the gods, as in a lobby."""
    options = Options(draft=Draft.CHALLENGER)
    return Open(Seek("santorini", seats, Player(dialect="another"), options, policy))


@pytest.mark.parametrize(
    "dialect",
    ["santorini-lobby", "santorini-actions", "santorini-objects", "santorini-objects/shipped"],
)
@pytest.mark.parametrize("players", [2, 3])
def test_no_bot_waits_for_ever_for_a_person_who_cannot_propose(dialect: str, players: int) -> None:
    place = Place()
    opener = Guest(lambda notification: None)
    place.lobby.do(opener, whoever_comes(players))
    plays_alone(place, dialect, players)
    proposer = next(event.seat for event in place.events() if isinstance(event, ev.Acted))
    assert proposer == 0, "the person has seat 0"


def acted(place: Place) -> list[int]:
    return [event.seat for event in place.events() if isinstance(event, ev.Acted)]


def person(place: Place, seats: int, policy: Policy = Policy()) -> Guest:
    """Someone who waits at a table of `whoever_comes`, until bots have come and done all they want to do."""
    opener = Guest(lambda notification: None)
    place.lobby.do(opener, whoever_comes(seats, policy))
    guest = Guest(lambda notification: None)
    place.lobby.do(guest, Enter("match-1", Player("ann", "native"), wish=None))
    place.clock.pass_time(SECONDS)
    place.soon.run()
    return guest


def test_a_bot_leaves_the_gods_to_a_person_who_may_propose_them() -> None:
    place = Place()
    guest = person(place, 3)
    pending = place.match().pending
    assert pending is not None
    assert pending.seats == (0, 1, 2)
    assert acted(place) == []
    for _ in range(3):
        choices = place.match().pending.choices
        place.lobby.do(guest, Act(0, (next(iter(choices)),)))
    place.soon.run()
    assert acted(place)[:5] == [0, 0, 0, 1, 2], "then each bot takes its own"


def test_a_bot_proposes_when_the_person_is_away() -> None:
    place = Place()
    guest = person(place, 2, Policy(Leaving.HOLDS, grace=60))
    place.lobby.do(guest, Leave(0))
    place.soon.run()
    assert acted(place)[:2] == [1, 1]


def test_a_bot_whose_time_runs_leaves_half_of_it_to_the_person() -> None:
    place = Place()
    person(place, 2, Policy(per_move=20))
    place.clock.pass_time(9.9)
    place.soon.run()
    assert acted(place) == []
    place.clock.pass_time(0.2)
    place.soon.run()
    assert acted(place) == [1, 1], "and it is the person who must choose now"
