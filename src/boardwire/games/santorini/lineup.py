"""The powers in play, compiled: for each seat, just the hooks that bear on its turn.

A lineup is known by its gods, so positions share and compare it cheaply.  It changes when a power changes hands or its
owner is eliminated.  It knows which hooks exist, not what any god does.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from boardwire.errors import Illegal
from boardwire.games.game import Seat
from boardwire.games.santorini.events import Event, Secret
from boardwire.games.santorini.position import Memo, Position
from boardwire.games.santorini.powers.catalogue import CATALOGUE, God
from boardwire.games.santorini.powers.power import Power
from boardwire.games.santorini.powers.registry import ABROAD, HOOKS, POWERS


def overrides(power: Power, hook: str) -> bool:
    """Whether a god's class has a hook of its own."""
    return hook in HOOKS[type(power)]


_NOBODY: Final[list[Power]] = []


class Rules:
    """What holds in the turn of one seat.  Powers are in the order own, team mate's, foes' [1.1].

    `plain_...` tell what of a turn no power has a say in: its start and what it offers then, a move and where one may
    build after it, a build with what follows up to the next turn.  `plain` knows what to make of it."""

    def __init__(self, powers: tuple[Power, ...], seat: Seat) -> None:
        own = powers[seat]
        side, hooks = own.side, HOOKS[type(own)]
        mates = [power for power in powers if power.side == side and power is not own]
        everybody = (own, *mates, *[power for power in powers if power.side != side])
        minding: dict[str, list[Power]] = {}
        for power in everybody:
            for hook in (HOOKS if power.seat == seat else ABROAD)[type(power)]:
                minding.setdefault(hook, []).append(power)

        def having(hook: str) -> list[Power]:
            return minding.get(hook, _NOBODY)

        def foes(hook: str) -> list[Power]:
            return [power for power in minding[hook] if power.side != side] if hook in minding else _NOBODY

        def binding(hook: str) -> list[Power]:
            return [power for power in minding[hook] if power.side != side or power.everyone] if hook in minding else []

        def hooked(hook: str) -> tuple[Callable[..., Any], ...]:
            return tuple([getattr(power, hook) for power in minding[hook]]) if hook in minding else ()

        self.own: Final = own
        self.side: Final = side
        self.reach: Final = own.reach
        self.spots: Final = own.spots
        self.move_limits: Final = tuple([power.limit_moves for power in binding("limit_moves")])
        self.build_limits: Final = tuple([power.limit_builds for power in binding("limit_builds")])
        self.closers: Final[tuple[Callable[..., int], ...]] = tuple([power.closed for power in foes("closed")])
        self.judges: Final = tuple(  # nobody wins by a team mate's power [1.3]
            [power for power in having("judge") if power.seat == seat or power.side != side]
        )
        self.truces: Final[tuple[Callable[..., bool], ...]] = hooked("truce")
        self.starts: Final = tuple([power.at_start for power in having("at_start") if not power.keeper])
        self.move_effects: Final = tuple([(power.seat, power.after_move) for power in having("after_move")])
        self.build_effects: Final[tuple[Callable[..., Position], ...]] = hooked("after_build")
        self.raze_effects: Final[tuple[Callable[..., Position], ...]] = hooked("after_raze")
        self.entries: Final[tuple[Callable[..., Position], ...]] = hooked("entered")
        self.ends: Final = tuple(  # keepers last: they look at what the turn came to
            [(power.seat, power.at_end) for power in sorted(having("at_end"), key=lambda power: power.keeper)]
        )
        self.laws: Final = tuple(foes("lawful"))
        self.wishers: Final = tuple(foes("wish"))
        self.veils: Final = tuple([power.conceal for power in foes("conceal")])
        self.foils: Final = tuple([power.foils for power in foes("foils")])
        self.openings: Final = own.openings if "openings" in hooks else None
        self.more_moves: Final = own.more_moves if "more_moves" in hooks else None
        self.more_builds: Final = own.more_builds if "more_builds" in hooks else None
        self.closings: Final = own.closings if "closings" in hooks else None
        self.skips: Final = own.may_skip_build if "may_skip_build" in hooks else None
        self.doubters: Final = tuple(
            [power.doubts for power in everybody if (own.careful if power is own else power.hinders)]
        )
        aloof = not (self.veils or self.laws or self.doubters or self.wishers or self.closers)
        silent = not self.foils and not [power for power in everybody if power.hidden]
        self.carefree: Final = not (self.laws or self.doubters or self.wishers or own.endless)
        """Every step that is offered is legal."""
        self.one_move: Final = (  # of an own worker, first of all, and after it the turn can always be finished
            not (self.veils or self.doubters) and self.openings is None and self.more_moves is None
            and "movers" not in hooks and "shove" not in hooks
        )  # fmt: skip
        self.obeyed: Final = self.one_move and all(overrides(power, "obeying") for power in self.laws)
        self.granted: Final = (
            self.one_move and not own.once and all(overrides(power, "granting") for power in self.wishers)
        )
        self.plain_reach: Final = "reach" not in hooks
        self.plain_start: Final = not self.starts and not [power for power in everybody if power.keeper]
        self.plain_open: Final = (
            aloof and not self.move_limits and self.openings is None
            and "movers" not in hooks and self.plain_reach
        )  # fmt: skip
        self.unminded: Final = not (self.judges or self.truces or self.move_effects or self.entries)
        """No power minds a move: it wins by the base rule, and has no effects."""
        self.plain_move: Final = silent and self.unminded
        self.plain_sites: Final = (
            aloof and not self.build_limits and self.more_moves is None and self.skips is None
            and "builders" not in hooks and "spots" not in hooks
        )  # fmt: skip
        self.plain_build: Final = (
            silent and not (self.build_effects or self.ends) and self.more_builds is None and self.closings is None
        )
        self.built: Final = not self.build_effects and self.more_builds is None and self.closings is None
        """A build after the move ends the turn, whatever it is."""
        self.endless: Final = own.endless
        self.still: Final = (  # after a build nobody moves any more
            self.closings is None and self.more_builds is None and all(power.steady for power in having("after_build"))
        )
        self.strolls: Final = (  # a third power might mind what the own one and a law do not
            own.strolls and len(everybody) == 2 and not (self.judges or self.truces or self.move_effects)
            and all(power in self.laws for power in having("entered"))
        )  # fmt: skip


class Lineup:
    """The powers of all seats, and the rules of each seat's turn.

    `gods` are the powers in effect, `cards` the gods the seats chose.  They differ while a power is lent, lost or
    changed.  A card that watches over such changes (`Power.keeper`) is in play beside the power it gave.
    """

    def __init__(self, gods: tuple[God, ...], cards: tuple[God, ...], printed: bool) -> None:
        missing = [CATALOGUE[god].name for god in (*gods, *cards) if god not in POWERS]
        if missing:
            raise Illegal(f"{missing[0]} cannot be played yet")
        self.gods: Final = gods
        self.cards: Final = cards
        self.printed: Final = printed
        self.seats: Final = len(gods)
        self.sides: Final = 2 if self.seats == 4 else self.seats
        self.powers: Final = tuple([power_of(god, seat, self.seats, printed) for seat, god in enumerate(gods)])
        self.keepers: Final = tuple(
            [power_of(god, seat, self.seats, printed, True) for seat, god in enumerate(cards) if POWERS[god].keeper]
        )
        everybody = self.powers + self.keepers
        self.slots: Final = {power.slot: power for power in everybody}
        self.rules: Final = tuple([Rules(everybody, seat) for seat in range(self.seats)])
        self.hidden: Final = frozenset([power.side for power in everybody if power.hidden])
        self.secretive: Final = tuple([power for power in everybody if overrides(power, "conceal")])
        self.secrets: Final = tuple(  # seats whose card hides something, also while they are without its power
            [seat for seat, card in enumerate(cards) if "conceal" in HOOKS[POWERS[card]]]
        )
        self.marked: Final = frozenset([side for power in everybody for side in power.marks])
        self.inward: Final = tuple([power.slot for power in everybody if power.inward])
        self.key: Final = gods, printed, cards

    def __reduce__(self) -> tuple[object, ...]:
        return lineup, self.key

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Lineup) and self.key == other.key)

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def fresh(self) -> tuple[Memo, ...]:
        """The memos when all powers come into play."""
        return tuple(self.slots[slot].fresh if slot in self.slots else () for slot in range(2 * self.seats))

    def side(self, seat: Seat) -> int:
        """The side of a seat: with four players, teams of two sit across."""
        return seat % self.sides

    def seats_of(self, side: int) -> tuple[Seat, ...]:
        """The seats of a side."""
        return tuple(range(side, self.seats, self.sides))

    def told(self, side: int, event: Event, aloud: Event | None = None) -> Event:
        """An event about a worker of a side: while its workers are hidden, others learn only what is said aloud."""
        return Secret(self.seats_of(side), event, aloud) if side in self.hidden else event

    def changed(self, seat: Seat, god: God) -> Lineup:
        """The lineup in which a seat has another power in effect."""
        return lineup((*self.gods[:seat], god, *self.gods[seat + 1 :]), self.printed, self.cards)

    def dealt(self, seat: Seat, card: God) -> Lineup:
        """The lineup in which a seat has another card, and its power."""
        gods = (*self.gods[:seat], in_effect(card), *self.gods[seat + 1 :])
        return lineup(gods, self.printed, (*self.cards[:seat], card, *self.cards[seat + 1 :]))


@lru_cache(maxsize=1024)
def power_of(god: God, seat: Seat, seats: int, printed: bool, watching: bool = False) -> Power:
    """A god's power in a seat, or what watches there beside the power that its card gave."""
    return POWERS[god](seat, seat % 2 if seats == 4 else seat, seats, printed, seats + seat if watching else seat)


def in_effect(card: God) -> God:
    """The power a card gives by itself: a keeper gives none before it acts."""
    return God.MORTAL if card in POWERS and POWERS[card].keeper else card


@lru_cache(maxsize=1024)  # about 3 KB each, and there are thousands that come once
def lineup(gods: tuple[God, ...], printed: bool = False, cards: tuple[God, ...] | None = None) -> Lineup:
    """The lineup of these powers in effect, one per seat; the cards are the same unless given."""
    return Lineup(gods if cards is not None else tuple(map(in_effect, gods)), cards or gods, printed)
