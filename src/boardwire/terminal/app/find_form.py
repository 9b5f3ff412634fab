"""Dialog for a quick match."""

from __future__ import annotations

from collections.abc import Iterable

from textual.widget import Widget
from textual.widgets import Select

from boardwire import games
from boardwire.dialects.native import messages as wire
from boardwire.errors import Malformed, either
from boardwire.terminal.app.form import Form


class FindForm(Form[wire.Request]):
    """Game and number of players."""

    heading = "Quick match: any free seat, or a new table"
    accept = "Find"

    def fields(self) -> Iterable[tuple[str, Widget]]:
        """Yield the fields of the game and the number of players."""
        names = [(name.capitalize(), name) for name in games.NAMES]
        yield "Game", Select(names, value=games.NAMES[0], allow_blank=False, id="game", compact=True)
        yield (
            "Players",
            Select([(str(n), n) for n in range(1, 5)], value=2, allow_blank=False, id="seats", compact=True),
        )

    def result(self) -> wire.Request:
        """Return the request."""
        game, seats = self.query_one("#game", Select).value, self.query_one("#seats", Select).value
        allowed = games.game(str(game)).seat_counts
        if seats not in allowed:
            raise Malformed(f"{game} is for {either(allowed)} players, not {seats}")
        return wire.Find(game=str(game), seats=int(str(seats)))
