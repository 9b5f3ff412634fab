"""The set-up: the stages of each draft, and the interpreter that runs them.

A draft is a tuple of `stages`. Their results are in `Position.setup`; after the last stage the first turn begins. The
drafts are those of the rules [1.3, 1.4, 4.1] and of the three published protocols.
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
    # The lobby protocol: the first seat to propose is the challenger; the order of picks is the order of play.
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
    # The objects protocol, edition of the document: each seat picks its god and places its workers in turn.
    Draft.TOGETHER: (DrawOffer(settled=True), Start(), Pick(proposer_last=False, placing=True), Prepare()),
    # The objects protocol, edition as shipped: first all gods, then all workers.
    Draft.TWO_ROUNDS: (DrawOffer(settled=True), Pick(proposer_last=False), Start(), Place(), Prepare()),
    # The rules of the online edition [4.1].
    Draft.ONLINE: (Propose(), NamePower(), Pick(last_by_itself=True), Start(Begins.NAMED), Place(), Prepare()),
    # The Golden Fleece [1.4]: no seat has a power; the second player takes the first turn.
    Draft.FLEECE: (Give(), Start(), Place(), PlaceRam()),
}


def begin_setup(options: Options, seats: int) -> Position:
    """Return the first position of a set-up."""
    _check_gods(options, seats)
    line_up = lineup((God.MORTAL,) * seats, options.wording is Wording.PRINTED)
    p = Position(
        options, line_up, ((),) * line_up.sides, line_up.fresh, tuple(range(seats)),
        setup=Setup(STAGES[options.draft], (None,) * seats),
    )  # fmt: skip
    return resume(p, [])


def check(options: Options) -> None:
    """Raise `Illegal` if an option is out of range or contradicts another one."""
    draft = options.draft
    if options.gods and draft not in (Draft.GIVEN, Draft.FLEECE):
        raise Illegal(f"gods must not be given with draft {draft}, only with {Draft.GIVEN} or {Draft.FLEECE}")
    if options.position and draft is not Draft.POSITION:
        raise Illegal(f"a position must not be given with draft {draft}, only with {Draft.POSITION}")
    if not 1 <= options.ply_cap <= MAX_PLY_CAP:
        raise Illegal(f"the ply cap must be from 1 to {MAX_PLY_CAP} turns, not {options.ply_cap}")
    if len(set(options.pool)) != len(options.pool):
        twice = next(god for god in options.pool if options.pool.count(god) > 1)
        raise Illegal(f"the pool contains {twice.value} twice")
    for god in options.pool:
        if god not in CATALOGUE:
            raise Illegal(f"{god.value} is not a god and cannot be in the pool")
    for god in (*options.gods, *options.pool):
        if god not in POWERS:
            raise Illegal(f"{god.value} is not implemented; choose another god")


def _check_gods(options: Options, seats: int) -> None:
    """Raise `Illegal` if the given gods are not allowed with this number of seats."""
    printed = options.wording is Wording.PRINTED
    if options.draft is Draft.FLEECE:
        if seats != 2 or len(options.gods) != 1:
            raise Illegal(f"the Golden Fleece needs 2 players and 1 god, not {seats} and {len(options.gods)}")
        god = options.gods[0]
        if god is God.MORTAL or not (CATALOGUE[god].fleece or (printed and god is God.AEOLUS)):
            raise Illegal(f"{god.value} cannot be the god of the Golden Fleece")
    elif options.draft is Draft.GIVEN:
        if len(options.gods) != seats:
            raise Illegal(f"{seats} players need {seats} gods, not {len(options.gods)}")
        for god in options.gods:
            if not allowed(god, seats, printed):
                raise Illegal(f"{god.value} is not allowed with {seats} players")
        if options.bans and not compatible(options.gods):
            raise Illegal(
                f"these gods are incompatible: {', '.join(options.gods)}; choose others, or set `bans` to false"
            )


def answer(p: Position, seat: Seat, action: Action, log: list[Event]) -> Position:
    """Apply a choice of the set-up, without validation."""
    assert p.setup is not None
    return resume(p.setup.stages[0].answer(p, seat, action, log), log)


def resume(p: Position, log: list[Event]) -> Position:
    """Run the stages up to the next question, or to the first turn."""
    while p.setup is not None and p.setup.stages:
        stage = p.setup.stages[0]
        decision = stage.ask(p)
        if decision is not None:
            return replace(p, decision=decision)
        p = stage.leave(p, log)
        assert p.setup is not None
        p = replace(p, setup=replace(p.setup, stages=p.setup.stages[1:]))
    # Teams, and players of the Golden Fleece: the player who places first does not take the first turn.
    rotates = p.lineup.seats == 4 or p.options.draft is Draft.FLEECE
    order = p.order[len(p.order) // 2 :] + p.order if rotates else p.order
    first = next(seat for seat in order if not p.out >> seat & 1)
    return settle(begin(replace(p, setup=None, seat=first, turn=FRESH), log), log)
