"""The powers in play, and the hooks to call in the turn of each seat.

A lineup is identified by its gods, so that positions share and compare it cheaply. It changes when a power changes
hands or its owner is eliminated. This module depends on the hooks, not on any god.
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
    """Return whether the class of a power overrides a hook."""
    return hook in HOOKS[type(power)]


_NONE: Final[list[Power]] = []


class _Handlers:
    """The powers that override each hook in the turn of one seat: its own, its team mate's, then the foes' [1.1]."""

    def __init__(self, powers: tuple[Power, ...], seat: Seat) -> None:
        own = powers[seat]
        self.own: Final = own
        self.side: Final = own.side
        mates = [power for power in powers if power.side == own.side and power is not own]
        self.powers: Final = (own, *mates, *[power for power in powers if power.side != own.side])
        handlers_by_hook: dict[str, list[Power]] = {}
        for power in self.powers:
            for hook in (HOOKS if power.seat == seat else ABROAD)[type(power)]:
                handlers_by_hook.setdefault(hook, []).append(power)
        self._by_hook: Final = handlers_by_hook

    def overriding(self, hook: str) -> list[Power]:
        """Return the powers that override a hook."""
        return self._by_hook.get(hook, _NONE)

    def foes(self, hook: str) -> list[Power]:
        """Return the foes' powers that override a hook."""
        return [power for power in self.overriding(hook) if power.side != self.side]

    def limiting(self, hook: str) -> list[Power]:
        """Return the powers that override a hook for limits and bind the seat: the foes', and all with `everyone`."""
        return [power for power in self.overriding(hook) if power.side != self.side or power.everyone]

    def methods(self, hook: str) -> tuple[Callable[..., Any], ...]:
        """Return the bound methods of all powers that override a hook."""
        return tuple([getattr(power, hook) for power in self.overriding(hook)])


class _Hooks:
    """The hooks to call in the turn of one seat."""

    def __init__(self, handlers: _Handlers) -> None:
        own = handlers.own
        hooks = HOOKS[type(own)]
        self.own: Final = own
        self.side: Final = own.side
        self.reach: Final = own.reach
        self.spots: Final = own.spots
        self.move_limits: Final = tuple([power.limit_moves for power in handlers.limiting("limit_moves")])
        self.build_limits: Final = tuple([power.limit_builds for power in handlers.limiting("limit_builds")])
        self.closers: Final[tuple[Callable[..., int], ...]] = tuple([power.closed for power in handlers.foes("closed")])
        self.judges: Final = tuple(  # without the team mate's, because it cannot cause a win [1.3]
            [power for power in handlers.overriding("judge") if power.seat == own.seat or power.side != own.side]
        )
        self.truces: Final[tuple[Callable[..., bool], ...]] = handlers.methods("truce")
        self.starts: Final = tuple([power.at_start for power in handlers.overriding("at_start") if not power.keeper])
        self.move_effects: Final = tuple(
            [(power.seat, power.after_move) for power in handlers.overriding("after_move")]
        )
        self.build_effects: Final[tuple[Callable[..., Position], ...]] = handlers.methods("after_build")
        self.raze_effects: Final[tuple[Callable[..., Position], ...]] = handlers.methods("after_raze")
        self.entries: Final[tuple[Callable[..., Position], ...]] = handlers.methods("entered")
        self.ends: Final = tuple(  # keepers last, because they need the final position of the turn
            [
                (power.seat, power.at_end)
                for power in sorted(handlers.overriding("at_end"), key=lambda power: power.keeper)
            ]
        )
        self.laws: Final = tuple(handlers.foes("lawful"))
        self.wishers: Final = tuple(handlers.foes("wish"))
        self.veils: Final = tuple([power.conceal for power in handlers.foes("conceal")])
        self.foils: Final = tuple([power.foils for power in handlers.foes("foils")])
        self.openings: Final = own.openings if "openings" in hooks else None
        self.more_moves: Final = own.more_moves if "more_moves" in hooks else None
        self.more_builds: Final = own.more_builds if "more_builds" in hooks else None
        self.closings: Final = own.closings if "closings" in hooks else None
        self.skips: Final = own.may_skip_build if "may_skip_build" in hooks else None
        self.risk_checks: Final = tuple(
            [power.risky_steps for power in handlers.powers if (own.careful if power is own else power.hinders)]
        )


class Rules(_Hooks):
    """The hooks and shortcuts for the turn of one seat.

    The `plain_...` flags name the parts of a turn that no power affects: its start, the steps offered at the start, a
    move, the building sites after it, and a build with the change of turns. `fast_steps` handles those parts.
    """

    def __init__(self, powers: tuple[Power, ...], seat: Seat) -> None:
        handlers = _Handlers(powers, seat)
        super().__init__(handlers)
        own, hooks = self.own, HOOKS[type(self.own)]
        unrestricted = not (self.veils or self.laws or self.risk_checks or self.wishers or self.closers)
        visible = not self.foils and not [power for power in handlers.powers if power.hidden]
        self.every_offer_legal: Final = not (self.laws or self.risk_checks or self.wishers or own.endless)
        self.one_move: Final = (  # the turn starts with its only move, by an own worker, and can always be finished
            not (self.veils or self.risk_checks) and self.openings is None and self.more_moves is None
            and "movers" not in hooks and "shove" not in hooks
        )  # fmt: skip
        self.obeying_suffices: Final = self.one_move and all(overrides(power, "obeying") for power in self.laws)
        """Whether `Power.obeying` can replace the search for lawful turns."""
        self.granting_suffices: Final = (
            self.one_move and not own.once and all(overrides(power, "granting") for power in self.wishers)
        )
        """Whether `Power.granting` can replace the search for turns that fulfil a wish."""
        self.plain_reach: Final = "reach" not in hooks
        self.plain_start: Final = not self.starts and not [power for power in handlers.powers if power.keeper]
        self.plain_open: Final = (
            unrestricted and not self.move_limits and self.openings is None
            and "movers" not in hooks and self.plain_reach
        )  # fmt: skip
        self.moves_unaffected: Final = not (self.judges or self.truces or self.move_effects or self.entries)
        """Whether no power reacts to a move: it wins only by the basic rule and has no effects."""
        self.plain_move: Final = visible and self.moves_unaffected
        self.plain_sites: Final = (
            unrestricted and not self.build_limits and self.more_moves is None and self.skips is None
            and "builders" not in hooks and "spots" not in hooks
        )  # fmt: skip
        self.build_ends_turn: Final = not self.build_effects and self.more_builds is None and self.closings is None
        self.plain_build: Final = visible and not self.ends and self.build_ends_turn
        self.endless: Final = own.endless
        self.no_move_after_build: Final = (
            self.closings is None and self.more_builds is None
            and all(power.steady for power in handlers.overriding("after_build"))
        )  # fmt: skip
        self.strolls: Final = (  # only with two powers: a third one might react to moves that these two ignore
            own.strolls and len(handlers.powers) == 2 and not (self.judges or self.truces or self.move_effects)
            and all(power in self.laws for power in handlers.overriding("entered"))
        )  # fmt: skip


class Lineup:
    """The powers of all seats, and the rules of each seat's turn.

    `gods` are the powers in effect, `cards` the gods that the seats chose. They differ while a power is lent, lost or
    changed. A card that controls these changes (`Power.keeper`) stays in play beside the power that it gave.
    """

    def __init__(self, gods: tuple[God, ...], cards: tuple[God, ...], printed: bool) -> None:
        missing = [CATALOGUE[god].name for god in (*gods, *cards) if god not in POWERS]
        if missing:
            raise Illegal(f"{missing[0]} is not implemented; choose another god")
        self.gods: Final = gods
        self.cards: Final = cards
        self.printed: Final = printed
        self.seats: Final = len(gods)
        self.sides: Final = 2 if self.seats == 4 else self.seats
        self.powers: Final = tuple([power_of(god, seat, self.seats, printed) for seat, god in enumerate(gods)])
        self.keepers: Final = tuple(
            [power_of(god, seat, self.seats, printed, True) for seat, god in enumerate(cards) if POWERS[god].keeper]
        )
        in_play = self.powers + self.keepers
        self.slots: Final = {power.slot: power for power in in_play}
        self.rules: Final = tuple([Rules(in_play, seat) for seat in range(self.seats)])
        self.hidden: Final = frozenset([power.side for power in in_play if power.hidden])
        self.secretive: Final = tuple([power for power in in_play if overrides(power, "conceal")])
        self.secrets: Final = tuple(  # seats whose card hides something, even while they do not have its power
            [seat for seat, card in enumerate(cards) if "conceal" in HOOKS[POWERS[card]]]
        )
        self.marked: Final = frozenset([side for power in in_play for side in power.marks])
        self.inward: Final = tuple([power.slot for power in in_play if power.inward])
        self.key: Final = gods, printed, cards

    def __reduce__(self) -> tuple[object, ...]:
        return lineup, self.key

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Lineup) and self.key == other.key)

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def fresh(self) -> tuple[Memo, ...]:
        """The initial memos of all powers, by slot."""
        return tuple(self.slots[slot].fresh if slot in self.slots else () for slot in range(2 * self.seats))

    def side(self, seat: Seat) -> int:
        """Return the side of a seat: with four players, teams of two sit opposite."""
        return seat % self.sides

    def seats_of(self, side: int) -> tuple[Seat, ...]:
        """Return the seats of a side."""
        return tuple(range(side, self.seats, self.sides))

    def as_secret(self, side: int, event: Event, aloud: Event | None = None) -> Event:
        """Return an event about a side's worker, as a `Secret` if its workers are hidden; others then see `aloud`."""
        return Secret(self.seats_of(side), event, aloud) if side in self.hidden else event

    def changed(self, seat: Seat, god: God) -> Lineup:
        """Return the lineup with another power in effect for a seat."""
        return lineup((*self.gods[:seat], god, *self.gods[seat + 1 :]), self.printed, self.cards)

    def dealt(self, seat: Seat, card: God) -> Lineup:
        """Return the lineup with another card, and its power, for a seat."""
        gods = (*self.gods[:seat], in_effect(card), *self.gods[seat + 1 :])
        return lineup(gods, self.printed, (*self.cards[:seat], card, *self.cards[seat + 1 :]))


@lru_cache(maxsize=1024)
def power_of(god: God, seat: Seat, seats: int, printed: bool, watching: bool = False) -> Power:
    """Return a god's power in a seat; with `watching`, the keeper's card beside the power that it gave."""
    return POWERS[god](seat, seat % 2 if seats == 4 else seat, seats, printed, seats + seat if watching else seat)


def in_effect(card: God) -> God:
    """Return the power that a card gives initially: a keeper gives none until it acts."""
    return God.MORTAL if card in POWERS and POWERS[card].keeper else card


@lru_cache(maxsize=1024)  # bounded: a lineup takes about 3 KB, and a server sees thousands of them only once
def lineup(gods: tuple[God, ...], printed: bool = False, cards: tuple[God, ...] | None = None) -> Lineup:
    """Return the lineup of these powers in effect, one per seat; without `cards`, `gods` are the cards."""
    return Lineup(gods if cards is not None else tuple(map(in_effect, gods)), cards or gods, printed)
