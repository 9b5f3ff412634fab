"""Matches for tests of the reducer, played by commands."""

from __future__ import annotations

from typing import Any

from boardwire.table import commands as cmd
from boardwire.table.commands import Command
from boardwire.table.decide import decide
from boardwire.table.events import Event, Opened, Player, decode, encode
from boardwire.table.match import Match, Status, fold, match_of_opening
from boardwire.table.policy import Policy

START = 100.0
NAMES = ("ann", "bob", "cyd")


class Scene:
    """A match, its journal and the time."""

    def __init__(self, game: str = "tris", seats: int = 2, policy: Policy | None = None, options: Any = None) -> None:
        opening = Opened(START, "m", f"{game}@1", seats, {} if options is None else options, policy or Policy())
        self.events: list[Event] = [opening]
        self.match: Match = match_of_opening(opening)
        self.now = START

    def do(self, *commands: Command) -> list[Event]:
        """Decide these commands and return the events; check that the live match equals the fold of the journal."""
        new: list[Event] = []
        for command in commands:
            moments = decide(self.match, command, self.now)
            new += [moment.event for moment in moments]
            if moments:
                assert [moment.match.seq for moment in moments] == list(
                    range(self.match.seq + 1, self.match.seq + 1 + len(moments))
                )
                self.match = moments[-1].match
        self.events += new
        assert self.folded() == self.match
        return new

    def begun(self) -> bool:
        """Whether the match has started."""
        return self.match.status is not Status.WAITING

    def folded(self) -> Match:
        """Return the match folded from the journal."""
        return fold(decode(encode(event)) for event in self.events)

    def act(self, *cells: int) -> list[Event]:
        """Play these actions of the seats to move, in order."""
        new: list[Event] = []
        for cell in cells:
            assert self.match.pending is not None
            new += self.do(cmd.Act(self.match.pending.seats[0], (cell,)))
        return new


def playing(
    game: str = "tris", policy: Policy | None = None, *, seats: int = 2, bot: int | None = None, options: Any = None
) -> Scene:
    """Return a match that has just begun; each player's key is its name in capitals."""
    scene = Scene(game, seats, policy, options)
    for seat in range(seats):
        name, bot_kind = NAMES[seat], "random" if seat == bot else ""
        account = seat + 1 if scene.match.setting.policy.rated is True and not bot_kind else 0
        scene.do(cmd.Join(Player(name, "test", bot_kind, name.upper(), account=account)))
    return scene
