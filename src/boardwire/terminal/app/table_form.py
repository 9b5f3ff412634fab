"""Dialog that opens a table: game, players, bots, options, clock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Any, Final

import msgspec
from textual import on
from textual.widget import Widget
from textual.widgets import Input, Label, Select

from boardwire import games
from boardwire.bots.levels import DEFAULT_LEVEL, LEVELS, SEARCH, TITLES, BotName
from boardwire.bots.server_bots import BOTS
from boardwire.dialects.native import messages as wire
from boardwire.errors import BoardwireError, Malformed
from boardwire.terminal.app.form import Form

PEOPLE: Final = "people"
_MAX_OPTIONS: Final = 4
"""Number of option fields that fit into the dialog."""


class GameOption(msgspec.Struct, frozen=True):
    """An option of a game with a few values; the first is the default."""

    name: str
    values: tuple[Any, ...]


def game_options(game: str, seats: int) -> Iterator[GameOption]:
    """Yield the options of a game with a few values, without values that need other options."""
    module = games.game(game)
    for field in msgspec.structs.fields(module.Options):
        if isinstance(field.type, type) and issubclass(field.type, StrEnum):
            values: tuple[Any, ...] = tuple(
                value for value in field.type if _is_playable(game, seats, {field.name: value})
            )
        elif field.type is bool:
            values = (field.default, not field.default)
        else:
            continue
        ordered = tuple(sorted(values, key=lambda value: value != field.default))
        if len(ordered) > 1:
            yield GameOption(field.name, ordered)


def _is_playable(game: str, seats: int, options: dict[str, Any]) -> bool:
    """Return whether the game allows these options for this number of seats."""
    module = games.game(game)
    try:
        module.new(module.Options(**options), seats)
    except BoardwireError:
        return False
    return True


class TableForm(Form[wire.Open]):
    """Fields of `open` [native 3.3]."""

    heading = "New table"
    accept = "Open the table"

    def __init__(self, game: str = "santorini", *, bots: bool = False) -> None:
        super().__init__()
        self._game = game
        self._bots = bots

    def fields(self) -> Iterable[tuple[str, Widget]]:
        """Yield game, seats, other players, options, clock and visibility."""
        names = [(name.capitalize(), name) for name in games.NAMES]
        yield "Game", Select(names, value=self._game, allow_blank=False, id="game", compact=True)
        yield "Players", Select([("2", 2)], value=2, allow_blank=False, id="seats", compact=True)
        bots = [
            ("people", PEOPLE),
            *((f"bot, level {level}: {TITLES[level - 1]}", str(BotName(SEARCH, level))) for level in LEVELS),
            *((f"bot: {name}", name) for name in BOTS),
        ]
        default = str(BotName(SEARCH, DEFAULT_LEVEL)) if self._bots else PEOPLE
        yield "Other players", Select(bots, value=default, allow_blank=False, id="others", compact=True)
        yield "Your seat", Select([("1", 0)], value=0, allow_blank=False, id="seat", compact=True)
        for number in range(_MAX_OPTIONS):
            yield "", Select([("-", "")], allow_blank=False, value="", id=f"option-{number}", compact=True)
        yield "Minutes a match", Input(placeholder="no limit", id="bank", compact=True, max_length=6)
        yield "Seconds a move", Input(placeholder="no limit", id="move", compact=True, max_length=6)
        yield (
            "Listed",
            Select(
                [("public", False), ("private, with a code", True)],
                value=False,
                allow_blank=False,
                id="private",
                compact=True,
            ),
        )

    def on_mount(self) -> None:
        """Offer the seats and options of the game."""
        self._offer_seats()

    @on(Select.Changed, "#game")
    def _offer_seats(self) -> None:
        game = games.game(self._value("game"))
        seats = self.query_one("#seats", Select)
        seats.set_options([(str(count), count) for count in game.seat_counts])
        seats.value = 2 if 2 in game.seat_counts else game.seat_counts[0]
        self._offer_options()

    @on(Select.Changed, "#seats")
    def _offer_options(self) -> None:
        """Show the options that the chosen game has for the chosen number of players."""
        game, count = self._value("game"), self._value("seats")
        if not isinstance(count, int):
            return
        seat = self.query_one("#seat", Select)
        seat.set_options([(f"{number + 1}", number) for number in range(count)])
        seat.value = 0
        options = list(game_options(game, count))
        for number in range(_MAX_OPTIONS):
            select = self.query_one(f"#option-{number}", Select)
            row = select.parent
            assert isinstance(row, Widget)
            row.display = number < len(options)
            if number < len(options):
                option = options[number]
                row.query_one(Label).update(option.name.replace("_", " ").capitalize())
                select.set_options([(_word(value), value) for value in option.values])
                select.value = option.values[0]

    def _value(self, name: str) -> Any:
        return self.query_one(f"#{name}", Select).value

    def result(self) -> wire.Open:
        """Return the request; a table against bots only allows hints."""
        game, seats, seat = self._value("game"), self._value("seats"), self._value("seat")
        others = self._value("others")
        bots = () if others == PEOPLE else tuple("" if number == seat else others for number in range(seats))
        chosen = list(game_options(game, seats))
        options = {option.name: self._value(f"option-{number}") for number, option in enumerate(chosen[:_MAX_OPTIONS])}
        return wire.Open(
            game=game,
            seats=seats,
            options=options or None,
            bots=bots,
            seat=seat,
            private=self._value("private"),
            bank=60 * self._number("bank", "Minutes a match"),
            per_move=self._number("move", "Seconds a move"),
            practice=bool(bots),
        )

    def _number(self, name: str, label: str) -> float:
        """Return the number in a field, 0 if it is empty; raise `Malformed` if it is invalid."""
        text = self.query_one(f"#{name}", Input).value.strip()
        try:
            number = float(text or 0)
        except ValueError:
            number = -1.0
        if not 0 <= number <= 99_999:
            raise Malformed(f"{label}: {text!r} is not a number from 0 to 99999")
        return number


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("_", " ")
