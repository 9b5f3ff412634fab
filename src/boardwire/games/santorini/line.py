"""A line of play as text: a position and the steps after it.

For documents, tests and questions about the rules: `Line("…/1/pan:B3,D3/mortal:C4,C2").play("B3>C3 C3^B2")`. Each step
is taken by the seat that must decide.
"""

from __future__ import annotations

from boardwire.errors import Objection
from boardwire.games.santorini.events import Event
from boardwire.games.santorini.notation import format_position, parse_position
from boardwire.games.santorini.objections import objection
from boardwire.games.santorini.options import Draft, Options, Wording
from boardwire.games.santorini.position import Position
from boardwire.games.santorini.rules import apply
from boardwire.games.santorini.steps import format_action, parse_action


class Line:
    """A position that advances step by step, with the events of the last `play`."""

    def __init__(self, start: str | Position, printed: bool = False) -> None:
        if isinstance(start, str):
            wording = Wording.PRINTED if printed else Wording.REVISED
            start = parse_position(start, Options(Draft.POSITION, wording=wording, position=start))
        self.position = start
        self.events: tuple[Event, ...] = ()

    def play(self, steps: str) -> Line:
        """Take steps, separated by spaces; return self."""
        self.events = ()
        for step in steps.split():
            decision = self.position.decision
            seat = decision.seats[0] if decision is not None else 0
            self.position, events = apply(self.position, seat, parse_action(step))
            self.events += events
        return self

    def can(self, step: str) -> bool:
        """Return whether a step is among the choices."""
        decision = self.position.decision
        return decision is not None and parse_action(step) in decision.choices

    def why_not(self, step: str) -> Objection | None:
        """Return the rule that forbids a step, or None."""
        decision = self.position.decision
        return None if decision is None else objection(self.position, decision.seats[0], parse_action(step))

    @property
    def steps(self) -> set[str]:
        """The choices in notation."""
        decision = self.position.decision
        return {format_action(action) for action in decision.choices} if decision is not None else set()

    @property
    def winners(self) -> tuple[int, ...] | None:
        """The winners; None until the match is over."""
        return self.position.outcome.winners if self.position.outcome is not None else None

    def __str__(self) -> str:
        return format_position(self.position)
