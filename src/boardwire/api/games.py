"""The games that can be played here, with what a page must know to offer them."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Final

import msgspec

from boardwire import dialects, games
from boardwire.api.desk import Desk
from boardwire.api.endpoint import NoQuery
from boardwire.api.problem import Problem
from boardwire.bots.house import BOTS, USUAL
from boardwire.games.eriantys.characters import SHEETS
from boardwire.games.eriantys.options import Character
from boardwire.games.game import AnyGame
from boardwire.games.santorini.powers.catalogue import CATALOGUE, God, banned


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


class GodInfo(msgspec.Struct, frozen=True):
    """A god of Santorini, in our own words: `printed` where the printed card differs, `players` the numbers of players
    it is meant for, `fleece` whether it can lie beside the Ram, `order` who should rather begin (lower first),
    `banned` whom it may not meet."""

    god: God
    name: str
    family: str
    players: tuple[int, ...]
    fleece: bool
    order: int
    text: str
    printed: str
    banned: tuple[God, ...]


class CharacterInfo(msgspec.Struct, frozen=True):
    """A character of Eriantys, in our own words, with its first price and what lies on it at first."""

    character: Character
    name: str
    price: int
    students: int
    no_entry: int
    swaps: int
    text: str


class GameDetail(GameInfo, frozen=True):
    """A game with its cards: Santorini's gods, Eriantys' characters."""

    gods: tuple[GodInfo, ...] = ()
    characters: tuple[CharacterInfo, ...] = ()


class Games(msgspec.Struct, frozen=True):
    """Every game."""

    games: tuple[GameInfo, ...]


class GameQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which game."""

    name: Annotated[str, msgspec.Meta(pattern="^[a-z]{1,32}$", description="the name of a game")]


WORDS: Final = {
    Character.MONK: "Take a student from this card and put it on an island of your choice.",
    Character.FARMER: "In this turn you win a professor also where you have only as many students as its owner.",
    Character.HERALD: "Choose an island: its influence is counted at once, as if mother nature had stopped there.",
    Character.POSTMAN: "Mother nature may walk up to two islands further in this turn.",
    Character.GRANDMA: "Put a no-entry tile on an island: the next time its influence would be counted, "
    "the tile comes back here instead.",
    Character.CENTAUR: "Towers count for nothing when influence is counted in this turn.",
    Character.JESTER: "Swap up to three students of this card with as many of your entrance.",
    Character.KNIGHT: "You have two more influence wherever it is counted in this turn.",
    Character.MUSHROOM: "Choose a colour: its students count for nothing when influence is counted in this turn.",
    Character.MINSTREL: "Swap up to two students of your entrance with as many of your dining room.",
    Character.PRINCESS: "Seat a student of this card in your dining room.",
    Character.THIEF: "Choose a colour: everybody puts three students of it, or all they have, "
    "from the dining room back into the bag.",
}
"""What each character does."""


def all_games(desk: Desk, query: NoQuery) -> Games:
    """The games that can be played here."""
    return Games(tuple(GameInfo(**_facts(desk, games.game(name))) for name in games.NAMES))


def one_game(desk: Desk, query: GameQuery) -> GameDetail:
    """One game, with its cards."""
    if query.name not in games.NAMES:
        raise Problem(404, f"there is no game called {query.name!r}; there are {', '.join(games.NAMES)}")
    facts = _facts(desk, games.game(query.name))
    return GameDetail(
        **facts,
        gods=_gods() if query.name == "santorini" else (),
        characters=_characters() if query.name == "eriantys" else (),
    )


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


def _gods() -> tuple[GodInfo, ...]:
    return tuple(
        GodInfo(
            one.god,
            one.name,
            one.family,
            one.players,
            one.fleece,
            one.order,
            one.text,
            one.printed,
            tuple(other for other in CATALOGUE if banned(one.god, other)),
        )
        for one in CATALOGUE.values()
    )


def _characters() -> tuple[CharacterInfo, ...]:
    return tuple(
        CharacterInfo(one, one.value.capitalize(), sheet.price, sheet.students, sheet.no_entry, sheet.swaps, WORDS[one])
        for one, sheet in SHEETS.items()
    )
