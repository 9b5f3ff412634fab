"""Notation of whole turns [6.3], formatted.

    B3>C3^B2            move and build; of several moves only start and end are shown
    B3<>C3  B3>C3(>D3)  move onto a foe that changes places, or is pushed on
    B3>C3=>E3  B3>C3>E3 moved, then forced or carried on from there
    (C3>A3)             another worker was forced
    ^B2X  ^^B2  ^B2+    a dome on low ground; twice on one square; with a coin
    ^A2 B3>C3           built before moving
    (C5,D3)>(A2,B2)     both workers strolled
    ~C4  xD3  +A1  HA1  blocks taken, a worker removed, placed, grown or shed
    TB4  *B4  w=n  w=-  Talus, another token, the wind, taken back
    XC3                 a dome anywhere at the end of the turn
    (S)                 foes turned into blocks
    A1<>B2  A1&B2  &B2  swapped at the end of the turn; bound to one another, bound to any
    luck=3              a draw of chance
    B3>C3?              tried in vain
    .                   nothing
    #  #2               the player to move won; player 2 won

The text describes the result of a turn, not always its exact steps: an optional action that was declined is omitted.
`steps` is the notation of exact steps, and `turnsearch` finds the steps of a text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from boardwire.games.santorini.actions import Action, DealCard, DealGod, Swap
from boardwire.games.santorini.board import DIRECTIONS
from boardwire.games.santorini.events import (
    Aimed,
    Banished,
    Bound,
    Built,
    Cancelled,
    Event,
    Forced,
    Moved,
    Razed,
    Secret,
    TokenPlaced,
    TurnStarted,
    Won,
    WorkerPlaced,
)
from boardwire.games.santorini.position import Position
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.rules import apply
from boardwire.games.santorini.squares import square_name
from boardwire.games.santorini.steps import format_action

Done: TypeAlias = tuple[Action, tuple[Event, ...]]
"""A completed step with its events."""


def format_turn(start: Position, actions: Iterable[Action]) -> str:
    """Play a turn from `start` and return its text."""
    p, steps = start, []
    for action in actions:
        assert p.decision is not None, "a turn ends with the match"
        p, events = apply(p, p.decision.seats[0], action)
        steps.append((action, events))
    return text_of(start, steps)


def text_of(start: Position, steps: Sequence[Done]) -> str:
    """Return the text of a turn from its completed steps."""
    sentence = Sentence(start)
    for action, events in steps:
        sentence.add(action, events)
    return str(sentence)


class Walk:
    """The path of one worker: its start, the end of its last move and the squares to which it was forced on."""

    def __init__(self, moved: Moved) -> None:
        self.worker = moved.side, moved.worker
        self.start = moved.frm
        self.placed = False
        self.go_on(moved)

    def go_on(self, moved: Moved) -> None:
        """Add a move."""
        self.left, self.to, self.slid = moved.frm, moved.to, ""
        self.sign, self.pushed = ">", ""

    def displace(self, forced: Forced) -> None:
        """Record that the worker on the target was displaced."""
        if forced.to == self.left:
            self.sign = "<>"
        else:
            self.pushed = f"(>{square_name(forced.to)})"

    @property
    def end(self) -> str:
        return f"{square_name(self.to)}{self.pushed}{self.slid}"

    def __str__(self) -> str:
        return f"{'' if self.placed else square_name(self.start)}{self.sign}{self.end}"


class Sentence:
    """Builder of a turn's text: a list of pieces, in which walks may still change."""

    def __init__(self, start: Position) -> None:
        self._seat = start.seat
        self._strolls = start.lineup.gods[start.seat] is God.HERMES
        self._builds_anywhere = start.lineup.gods[start.seat] in (God.ASTERIA, God.POLYPHEMUS)
        self._pieces: list[str | Walk] = []
        self._walked: set[int] = set()  # squares of the workers that have moved
        self._last = "^"  # text of the last build
        self._builder = -1
        self._builds = 0

    def add(self, action: Action, events: Iterable[Event]) -> None:
        """Add a step."""
        if isinstance(action, DealGod | DealCard | Swap):
            self._pieces.append(f" {format_action(action)}")
        moved = False
        for event in events:
            shown = event.event if isinstance(event, Secret) else event
            if isinstance(shown, TurnStarted):
                break  # the other events belong to the next turn
            if isinstance(shown, Moved):
                self._add_move(shown, by_itself=moved)
                moved = True
            elif isinstance(shown, Cancelled):
                self._pieces.append(f" {format_action(action)}?")
            elif not (isinstance(action, Swap) and isinstance(shown, Forced)):
                self._add_event(shown)
        for event in events:
            if isinstance(event, Won):
                self._pieces.append("#" if self._seat in event.seats else f" #{event.seats[0] + 1}")

    def _add_event(self, event: Event) -> None:
        """Add the text of one event, if it has any."""
        match event:
            case Forced():
                self._add_forced(event)
            case Built():
                self._add_build(event)
            case Razed(_, at):
                self._pieces.append(f"~{square_name(at)}")
            case Banished(_, _, at, god) if god is not None:
                self._add_removal(at, god)
            case WorkerPlaced(_, _, _, at, god):
                sign = {God.HYDRA: " H", God.JASON: "+"}.get(god or God.MORTAL, " +")
                self._pieces.append(sign + square_name(at))
            case TokenPlaced(_, at, god):
                self._add_token(at, god)
            case Aimed(_, direction):
                self._pieces.append(f" w={'-' if direction is None else DIRECTIONS[direction]}")
            case Bound(_, own, foe):
                self._pieces.append(f" {square_name(own) if own >= 0 else ''}&{square_name(foe)}")
            case _:
                pass  # the squares show it, or it follows from them

    def _walks(self) -> list[Walk]:
        return [piece for piece in self._pieces if isinstance(piece, Walk)]

    def _add_move(self, event: Moved, by_itself: bool) -> None:
        """Add a move: extend the walk of its worker, or start a new one."""
        self._walked = self._walked - {event.frm} | {event.to}
        for walk in self._walks():
            if walk.worker == (event.side, event.worker):
                if by_itself:
                    walk.slid += f">{square_name(event.to)}"
                else:
                    walk.go_on(event)
                return
        walk = Walk(event)
        last = self._pieces[-1] if self._pieces else ""
        walk.placed = last == f"+{square_name(event.frm)}"
        if isinstance(last, Walk) or (isinstance(last, str) and last.startswith("^")):
            self._pieces.append(" ")
        self._pieces.append(walk)

    def _add_forced(self, event: Forced) -> None:
        """Add a forced worker: to the walk of the mover, or as a separate piece."""
        walks = self._walks()
        last = walks[-1] if walks else None
        if last is not None and last.worker == (event.side, event.worker):
            last.slid += f"=>{square_name(event.to)}"
            self._walked = self._walked - {event.frm} | {event.to}
        elif last is not None and event.frm == last.to:
            last.displace(event)
        else:
            piece = f"({square_name(event.frm)}>{square_name(event.to)})"
            # A dragged worker is shown before the move, like a thrown one.
            at = self._pieces.index(last) if last is not None and event.god is God.SCYLLA else len(self._pieces)
            self._pieces.insert(at, piece)

    def _add_build(self, event: Built) -> None:
        """Add a build; a second block on the same square joins the first."""
        if event.god is God.MEDUSA:
            return  # the square of the removed worker is shown already
        name = square_name(event.at)
        self._builds += 1
        if self._builds_anywhere and self._builds > 1:
            self._pieces.append(f" X{name}")
            return
        last = self._pieces[-1] if self._pieces else ""
        if last == self._last and event.by == self._builder and last.endswith(name) and not event.dome:
            self._pieces[-1] = self._last = last.replace("^", "^^", 1)
            return
        other = self._builds > 1 and event.by != self._builder and self._walked and event.by not in self._walked
        self._builder = event.by
        self._last = f"{' ' if other else ''}^{name}{'X' if event.dome and event.level < 3 else ''}"
        self._pieces.append(self._last)

    def _add_removal(self, at: int, god: God) -> None:
        """Add a removed block or worker."""
        if god is God.MEDUSA:
            if self._pieces[-1] != " (S)":
                self._pieces.append(" (S)")
        elif god is God.HYDRA:
            self._pieces.append(f" H{square_name(at)}")
        else:
            self._pieces.append(f"{' ' if self._builds else ''}x{square_name(at)}")

    def _add_token(self, at: int, god: God | None) -> None:
        """Add a placed token."""
        if god is God.CLIO:
            self._pieces.append("+")
        else:
            self._pieces.append(f" {'T' if god is God.EUROPA else '*'}{square_name(at)}")

    def __str__(self) -> str:
        walks = self._walks()
        if self._strolls and len(walks) > 1:
            starts = ",".join(square_name(walk.start) for walk in walks)
            stroll = f"({starts})>({','.join(walk.end for walk in walks)})"
            first = self._pieces.index(walks[0])
            rest = [piece for piece in self._pieces[first:] if isinstance(piece, str) and piece != " "]
            pieces: list[str | Walk] = [*self._pieces[:first], stroll, *rest]
        else:
            pieces = self._pieces
        return " ".join("".join(map(str, pieces)).split()) or "."
