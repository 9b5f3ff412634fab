"""Set-ups: the stages of each draft, and the interpreter that runs them.

A draft is a tuple of `stages`. Their results are in `Position.setup`; after the last one the first turn begins.
Sources: the rules [1.3, 1.4, 4.1] and the set-ups of the three protocols.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from boardwire.errors import Illegal
from boardwire.games.game import Seat
from boardwire.games.santorini.actions import Action
from boardwire.games.santorini.events import Event
from boardwire.games.santorini.lineup import lineup
from boardwire.games.santorini.options import MAX_PLY_CAP, Draft, Options, Wording
from boardwire.games.santorini.position import FRESH, Position, Setup
from boardwire.games.santorini.powers.catalogue import CATALOGUE, God, allowed, compatible
from boardwire.games.santorini.powers.registry import POWERS
from boardwire.games.santorini.stages import (
    Begins,
    DealOut,
    DrawOffer,
    Give,
    NamePower,
    Pick,
    Place,
    PlaceRam,
    Prepare,
    Propose,
    SetupStage,
    Start,
)
from boardwire.games.santorini.turn import begin, settle

STAGES: Final[dict[Draft, tuple[SetupStage, ...]]] = {
    Draft.NONE: (Give(), Start(), Place()),
    Draft.GIVEN: (Give(), Start(), Place(), Prepare()),
    Draft.RANDOM: (DrawOffer(), DealOut(), Start(), Place(), Prepare()),
    # The lobby protocol: the first seat to propose is the challenger; the others pick in any order and play in it.
    Draft.CHALLENGER: (
        Propose(anyone=True),
        Pick(any_order=True, last_by_itself=True),
        Start(Begins.CHOSEN_OTHER, by_picks=True),
        Place(),
        Prepare(),
    ),
    # The printed rules [4.1].
    Draft.PRINTED: (Propose(), Pick(last_by_itself=True), Start(Begins.CHOSEN), Place(), Prepare()),
    # The actions protocol: the first player proposes, takes the last god, places first and begins.
    Draft.FIRST_PROPOSES: (Propose(), Pick(), Start(Begins.PROPOSER), Place(), Prepare()),
    # The objects protocol, document edition: god and workers together, seat by seat.
    Draft.TOGETHER: (DrawOffer(settled=True), Start(), Pick(proposer_last=False, placing=True), Prepare()),
    # The same, shipped edition: all gods, then all workers.
    Draft.TWO_ROUNDS: (DrawOffer(settled=True), Pick(proposer_last=False), Start(), Place(), Prepare()),
    # The online edition, 1.5.
    Draft.ONLINE: (Propose(), NamePower(), Pick(last_by_itself=True), Start(Begins.NAMED), Place(), Prepare()),
    # The Golden Fleece, 1.6: no own powers; the second player has the first turn.
    Draft.FLEECE: (Give(), Start(), Place(), PlaceRam()),
}


def begin_setup(options: Options, seats: int) -> Position:
    """Return the first position of a set-up."""
    _check_gods(options, seats)
    cast = lineup((God.MORTAL,) * seats, options.wording is Wording.PRINTED)
    p = Position(
        options, cast, ((),) * cast.sides, cast.fresh, tuple(range(seats)),
        setup=Setup(STAGES[options.draft], (None,) * seats),
    )  # fmt: skip
    return resume(p, [])


def check(options: Options) -> None:
    """Raise `Illegal` if options contradict each other."""
    draft = options.draft
    if options.gods and draft not in (Draft.GIVEN, Draft.FLEECE):
        raise Illegal(f"gods are named for the drafts {Draft.GIVEN} and {Draft.FLEECE}, not for {draft}")
    if options.position and draft is not Draft.POSITION:
        raise Illegal(f"a position is given for the draft {Draft.POSITION}, not for {draft}")
    if not 1 <= options.ply_cap <= MAX_PLY_CAP:
        raise Illegal(f"a match may have 1 to {MAX_PLY_CAP} turns, not {options.ply_cap}")
    if len(set(options.pool)) != len(options.pool):
        raise Illegal("the pool contains a god twice")
    for god in options.pool:
        if god not in CATALOGUE:
            raise Illegal(f"{god.value} is not a god and cannot be in the pool")
    for god in (*options.gods, *options.pool):
        if god not in POWERS:
            raise Illegal(f"{god.value} cannot be played yet")


def _check_gods(options: Options, seats: int) -> None:
    printed = options.wording is Wording.PRINTED
    if options.draft is Draft.FLEECE:
        if seats != 2 or len(options.gods) != 1:
            raise Illegal("the Golden Fleece is for 2 players and one god")
        god = options.gods[0]
        if god is God.MORTAL or not (CATALOGUE[god].fleece or (printed and god is God.AEOLUS)):
            raise Illegal(f"{god.value} cannot lie beside the Ram")
    elif options.draft is Draft.GIVEN:
        if len(options.gods) != seats:
            raise Illegal(f"{seats} players need {seats} gods, not {len(options.gods)}")
        for god in options.gods:
            if not allowed(god, seats, printed):
                raise Illegal(f"{god.value} cannot be played by {seats} players")
        if options.bans and not compatible(options.gods):
            raise Illegal("these gods may not meet")


def answer(p: Position, seat: Seat, action: Action, log: list[Event]) -> Position:
    """Apply a choice of the set-up, without checking it."""
    assert p.setup is not None
    return resume(p.setup.stages[0].answer(p, seat, action, log), log)


def resume(p: Position, log: list[Event]) -> Position:
    """Run the stages up to the next question, or into the first turn."""
    while p.setup is not None and p.setup.stages:
        stage = p.setup.stages[0]
        decision = stage.ask(p)
        if decision is not None:
            return replace(p, decision=decision)
        p = stage.leave(p, log)
        assert p.setup is not None
        p = replace(p, setup=replace(p.setup, stages=p.setup.stages[1:]))
    second = p.lineup.seats == 4 or p.options.draft is Draft.FLEECE
    order = p.order[len(p.order) // 2 :] + p.order if second else p.order
    first = next(seat for seat in order if not p.out >> seat & 1)
    return settle(begin(replace(p, setup=None, seat=first, turn=FRESH), log), log)
