"""The games that can be played here, with what a page must know to offer them."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

import msgspec

from boardwire import dialects, games
from boardwire.api.desk import Desk
from boardwire.api.endpoint import NoQuery
from boardwire.api.problem import Problem
from boardwire.bots.house import BOTS, USUAL
from boardwire.errors import Reason
from boardwire.games.game import AnyGame, Card


class Speech(msgspec.Struct, frozen=True):
    """A dialect of a game; `port` is where this server listens for it, None if it does not."""

    name: str
    port: int | None


class GameInfo(msgspec.Struct, frozen=True):
    """A game: for how many, who can sit in for people, how programs reach it, and the JSON schema of its options.
    `usual_bot` is who sits down where nobody asked for another one."""

    name: str
    rules: int
    seats: tuple[int, ...]
    bots: tuple[str, ...]
    usual_bot: str
    dialects: tuple[Speech, ...]
    options: dict[str, Any]


class GameDetail(GameInfo, frozen=True):
    """A game with its cards, if it has some: gods, characters.  Each has more that is its game's own."""

    cards: tuple[Card, ...] = ()


class Games(msgspec.Struct, frozen=True):
    """Every game."""

    games: tuple[GameInfo, ...]


class GameQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which game."""

    name: Annotated[str, msgspec.Meta(pattern="^[a-z]{1,32}$", description="the name of a game")]


def all_games(desk: Desk, query: NoQuery) -> Games:
    """The games that can be played here."""
    return Games(tuple(GameInfo(**_facts(desk, games.game(name))) for name in games.NAMES))


def one_game(desk: Desk, query: GameQuery) -> GameDetail:
    """One game, with its cards."""
    if query.name not in games.NAMES:
        words = f"there is no game called {query.name!r}; there are {', '.join(games.NAMES)}"
        raise Problem(404, words, reason=Reason.NO_SUCH_GAME)
    game = games.game(query.name)
    return GameDetail(**_facts(desk, game), cards=tuple(game.cards))


def _facts(desk: Desk, game: AnyGame) -> dict[str, Any]:
    return {
        "name": game.name,
        "rules": game.rules,
        "seats": tuple(game.seat_counts),
        "bots": tuple(BOTS),
        "usual_bot": USUAL,
        "dialects": _speech(desk, game.name),
        "options": _schema(game.name),
    }


@cache
def _schema(game: str) -> dict[str, Any]:
    return msgspec.json.schema(games.game(game).Options)


def _speech(desk: Desk, game: str) -> tuple[Speech, ...]:
    spoken = map(dialects.dialect, dialects.NAMES)
    return tuple(Speech(one.name, desk.ports.get(one.name)) for one in spoken if one.game in ("", game))
