"""Games and bots, with the details that the web page needs to offer them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Annotated, Any

import msgspec

from boardwire import dialects, games
from boardwire.api.context import ApiContext
from boardwire.api.endpoint import NoQuery
from boardwire.api.problem import Problem
from boardwire.bots.engines import has_engine
from boardwire.bots.levels import DEFAULT_LEVEL, LEVELS, SEARCH, TITLES, BotName, level_of
from boardwire.bots.listed import ListedBots
from boardwire.bots.server_bots import BOTS, DEFAULT_BOT
from boardwire.errors import Reason
from boardwire.games.game import AnyGame, Card


class DialectInfo(msgspec.Struct, frozen=True):
    """A dialect of a game; `port` is its listener on this server, or None."""

    name: str
    port: int | None


class GameInfo(msgspec.Struct, frozen=True):
    """A game: seat counts, bots, dialects, and the JSON schema of its options. `usual_bot` is the default bot."""

    name: str
    rules: int
    seats: tuple[int, ...]
    bots: tuple[str, ...]
    usual_bot: str
    dialects: tuple[DialectInfo, ...]
    options: dict[str, Any]


class GameDetail(GameInfo, frozen=True):
    """A game with its cards, such as gods or characters. Each card has further fields of its game."""

    cards: tuple[Card, ...] = ()


class Games(msgspec.Struct, frozen=True):
    """All games."""

    games: tuple[GameInfo, ...]


class LevelInfo(msgspec.Struct, frozen=True):
    """A level of a bot: number, name, and the limits of one search."""

    level: int
    title: str
    nodes: int
    seconds: float


class BotInfo(msgspec.Struct, frozen=True):
    """A bot: the names by which a table requests it, and its levels by game, if any.

    `engines` are the games that it searches; it plays the others like the greedy bot. `games` are those that it plays;
    none: all.
    """

    name: str
    names: tuple[str, ...]
    levels: dict[str, tuple[LevelInfo, ...]] = {}
    engines: tuple[str, ...] = ()
    games: tuple[str, ...] = ()


class Bots(msgspec.Struct, frozen=True):
    """All bots, and the default bot."""

    bots: tuple[BotInfo, ...]
    usual: str
    usual_level: int


class GameQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game."""

    name: Annotated[str, msgspec.Meta(pattern="^[a-z]{1,32}$", description="the name of a game")]


def all_games(context: ApiContext, query: NoQuery) -> Games:
    """Return the games that can be played here."""
    return Games(tuple(GameInfo(**_game_facts(context, games.game(name))) for name in games.NAMES))


def all_bots(context: ApiContext, query: NoQuery) -> Bots:
    """Return the bots that can be seated here, with their levels."""
    levels = {name: tuple(map(partial(_level_info, name), LEVELS)) for name in games.NAMES}
    names = tuple(str(BotName(SEARCH, level)) for level in LEVELS)
    search = BotInfo(SEARCH, names, levels, tuple(name for name in games.NAMES if has_engine(name)))
    built_in = (*(BotInfo(name, (name,)) for name in BOTS), search)
    return Bots((*built_in, *_listed_bot_infos(context.listed)), DEFAULT_BOT, DEFAULT_LEVEL)


def _listed_bot_infos(listed: ListedBots) -> Iterator[BotInfo]:
    for bot in listed.names():
        yield BotInfo(bot, (bot,), games=tuple(game for game in games.NAMES if bot in listed.names(game)))


def _level_info(game: str, number: int) -> LevelInfo:
    level = level_of(game, number)
    return LevelInfo(number, TITLES[number - 1], level.nodes, level.seconds)


def one_game(context: ApiContext, query: GameQuery) -> GameDetail:
    """Return a game with its cards."""
    if query.name not in games.NAMES:
        detail = f"there is no game called {query.name!r}; the games are {', '.join(games.NAMES)}"
        raise Problem(404, detail, reason=Reason.NO_SUCH_GAME)
    game = games.game(query.name)
    return GameDetail(**_game_facts(context, game), cards=tuple(game.cards))


def _game_facts(context: ApiContext, game: AnyGame) -> dict[str, Any]:
    return {
        "name": game.name,
        "rules": game.rules,
        "seats": tuple(game.seat_counts),
        "bots": (*BOTS, *(str(BotName(SEARCH, level)) for level in LEVELS), *context.listed.names(game.name)),
        "usual_bot": DEFAULT_BOT,
        "dialects": _dialect_infos(context, game.name),
        "options": _options_schema(game.name),
    }


@cache
def _options_schema(game: str) -> dict[str, Any]:
    return msgspec.json.schema(games.game(game).Options)


def _dialect_infos(context: ApiContext, game: str) -> tuple[DialectInfo, ...]:
    all_dialects = map(dialects.dialect, dialects.DIALECT_PACKAGES)
    return tuple(
        DialectInfo(dialect.name, context.ports.get(dialect.name))
        for dialect in all_dialects
        if dialect.game in ("", game)
    )
