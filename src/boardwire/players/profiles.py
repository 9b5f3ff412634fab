"""Profiles, leaderboards and histories, read from the records.

Every function runs in a read transaction on a reader thread. Each query uses an index and has a limit, so that its cost
does not grow with the number of players (`bench/players.py` measures it); counts of whole categories are cached.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import msgspec

from boardwire.errors import Reason, Refused
from boardwire.players.account import Kind, fold_name
from boardwire.players.ratings import Category, Pool, Standing, rating_error
from boardwire.players.relations import Relation
from boardwire.players.speed import Speed
from boardwire.records.records import Row, Transaction

HISTORY_LIMIT: Final = 500
"""Number of points in a rating's history; older ones are left out."""
BUCKET_POINTS: Final = 50
"""Width of a bucket of a distribution, in rating points."""
SEARCH_LIMIT: Final = 20
"""Number of players that a search by name returns."""
COUNTS_SECONDS: Final = 30.0
"""How long the counts of a category are cached: they read all its ratings."""
_LAST_CODE_POINT: Final = "\U0010ffff"


class RatingInfo(msgspec.Struct, frozen=True):
    """A rating of a player. `error` is half of the 95 % interval; a `provisional` rating is not ranked yet."""

    pool: Pool
    game: str
    mode: str
    speed: Speed
    rating: float
    error: float
    provisional: bool
    played: int
    won: int
    drawn: int
    lost: int
    changed: float


class Profile(msgspec.Struct, frozen=True):
    """Public profile of a player."""

    number: int
    name: str
    kind: Kind
    created: float
    ratings: tuple[RatingInfo, ...]
    followers: int


class Ranked(msgspec.Struct, frozen=True):
    """A row of a leaderboard."""

    rank: int
    number: int
    name: str
    kind: Kind
    rating: float
    error: float
    played: int
    won: int
    drawn: int
    lost: int


class HistoryPoint(msgspec.Struct, frozen=True):
    """A rating after a match."""

    at: float
    rating: float
    match: str


class CategoryInfo(msgspec.Struct, frozen=True):
    """A category with the number of its ranked players."""

    pool: Pool
    game: str
    mode: str
    speed: Speed
    ranked: int


class Bucket(msgspec.Struct, frozen=True):
    """Number of ranked players with a rating from `rating` up to the next bucket."""

    rating: int
    count: int


class HeadToHead(msgspec.Struct, frozen=True):
    """Rated matches between two players, from the first one's view, and the newest of them."""

    won: int
    drawn: int
    lost: int
    matches: tuple[HeadToHeadMatch, ...]


class HeadToHeadMatch(msgspec.Struct, frozen=True):
    """A rated match between two players; `score` is 1, 0.5 or 0."""

    match: str
    game: str
    at: float
    score: float


class Found(NamedTuple):
    """A player that a search found."""

    number: int
    name: str
    kind: str


def find_player(db: Transaction, name: str) -> Row:
    """Return number, name, kind and creation time of an account; raise `Refused` if there is none.

    A bot of the server has no claimed name and is found by its number, written `#7`.
    """
    find = "SELECT id, name, kind, created FROM players WHERE deleted IS NULL AND "
    if name.startswith("#") and name[1:].isascii() and name[1:].isdigit() and len(name) < 20:
        row = db.one(f"{find}id = ?", int(name[1:]))
    else:
        row = db.one(f"{find}folded = ?", fold_name(name))
    if row is None:
        raise Refused(f"there is no player {name!r}", reason=Reason.NO_SUCH_PLAYER)
    return row


def search(db: Transaction, prefix: str) -> list[Found]:
    """Return the players whose names begin with `prefix`, sorted by name."""
    start = fold_name(prefix)
    if not start:
        return []
    rows = db.all(
        "SELECT id, name, kind FROM players WHERE folded >= ? AND folded < ? ORDER BY folded LIMIT ?",
        start, start + _LAST_CODE_POINT, SEARCH_LIMIT,
    )  # fmt: skip
    return [Found(*row) for row in rows]


def profile(db: Transaction, name: str) -> Profile:
    """Return the profile of a player."""
    number, current_name, kind, created = find_player(db, name)
    rows = db.all(
        "SELECT pool, game, mode, speed, mu, sigma, rating, played, won, drawn, lost, ended, standing FROM ratings"
        " JOIN rating_categories ON id = category WHERE player = ? ORDER BY played DESC, pool, game, mode, speed",
        number,
    )
    (followers,) = db.one(
        "SELECT count(*) FROM player_relations WHERE other = ? AND kind = ?", number, Relation.FOLLOW.value
    ) or (0,)
    ratings = tuple(
        RatingInfo(
            Pool(pool), game, mode, Speed(speed), rating, rating_error(mu, sigma), standing < Standing.RANKED, played,
            won, drawn, lost, ended,
        )
        for pool, game, mode, speed, mu, sigma, rating, played, won, drawn, lost, ended, standing in rows
    )  # fmt: skip
    return Profile(number, current_name, Kind(kind), created, ratings, followers)


def history(db: Transaction, name: str, category: Category) -> list[HistoryPoint]:
    """Return the rating of a player after each of its newest matches, oldest first."""
    player, category_number = find_player(db, name)[0], _category_number(db, category)
    if category_number is None:
        return []
    rows = db.all(
        "SELECT ended, rating, match FROM rating_results WHERE player = ? AND category = ?"
        " ORDER BY ended DESC, match DESC LIMIT ?",
        player, category_number, HISTORY_LIMIT,
    )  # fmt: skip
    return [HistoryPoint(*row) for row in reversed(rows)]


def leaderboard(db: Transaction, category: Category, limit: int, after: int = 0) -> list[Ranked]:
    """Return up to `limit` ranked players of a category below rank `after`, best first."""
    category_number = _category_number(db, category)
    if category_number is None:
        return []
    rows = db.all(
        "SELECT ratings.player, mu, sigma, rating, played, won, drawn, lost, name, kind FROM ("
        " SELECT player, mu, sigma, rating, played, won, drawn, lost FROM ratings"
        " WHERE category = ? AND standing = ? ORDER BY rating DESC, player DESC LIMIT ? OFFSET ?"
        ") AS ratings JOIN players ON players.id = ratings.player ORDER BY rating DESC, ratings.player DESC",
        category_number, int(Standing.RANKED), limit, after,
    )  # fmt: skip
    return [
        Ranked(after + place, player, name, Kind(kind), rating, rating_error(mu, sigma), played, won, drawn, lost)
        for place, (player, mu, sigma, rating, played, won, drawn, lost, name, kind) in enumerate(rows, 1)
    ]


def head_to_head(db: Transaction, name: str, other: str, limit: int) -> HeadToHead:
    """Return the rated matches between two players in which they were opponents."""
    first, second = find_player(db, name)[0], find_player(db, other)[0]
    rows = db.all(
        "SELECT mine.match, game, mine.ended, mine.side, mine.rank, theirs.rank FROM rating_results AS mine"
        " JOIN rating_categories ON id = mine.category AND pool = ?"
        " JOIN rating_results AS theirs ON theirs.category = mine.category AND theirs.match = mine.match"
        " AND theirs.player = ? AND theirs.side <> mine.side WHERE mine.player = ? ORDER BY mine.ended DESC",
        Pool.ALL.value, second, first,
    )  # fmt: skip
    scores = [(0.5 if rank == their else float(rank < their)) for *_, rank, their in rows]
    newest = tuple(
        HeadToHeadMatch(match, game, ended, score)
        for (match, game, ended, *_), score in zip(rows[:limit], scores, strict=False)
    )
    return HeadToHead(scores.count(1.0), scores.count(0.5), scores.count(0.0), newest)


def _category_number(db: Transaction, category: Category) -> int | None:
    """Return the number of a category, or None if it has no match."""
    find = "SELECT id FROM rating_categories WHERE pool = ? AND game = ? AND mode = ? AND speed = ?"
    row = db.one(find, *map(str, category))
    return None if row is None else int(row[0])


class CategoryCounts:
    """Counts over whole categories, cached: they read every rating of a category."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._categories: tuple[float, Sequence[CategoryInfo]] = (-COUNTS_SECONDS, ())
        self._distributions: dict[Category, tuple[float, Sequence[Bucket]]] = {}

    def categories(self, db: Transaction) -> Sequence[CategoryInfo]:
        """Return all categories with ranked players, those with the most first."""
        at, infos = self._categories
        if self._now() - at < COUNTS_SECONDS:
            return infos
        count = "SELECT count(*) FROM ratings WHERE category = ? AND standing = ?"
        infos = []
        for number, pool, game, mode, speed in db.all("SELECT id, pool, game, mode, speed FROM rating_categories"):
            (ranked,) = db.one(count, number, int(Standing.RANKED)) or (0,)  # each by the index alone
            infos.append(CategoryInfo(Pool(pool), game, mode, Speed(speed), ranked))
        infos.sort(key=lambda info: (-info.ranked, info.pool, info.game, info.mode, info.speed))
        self._categories = self._now(), infos
        return infos

    def distribution(self, db: Transaction, category: Category) -> Sequence[Bucket]:
        """Return the distribution of the ratings of ranked players."""
        category_number = _category_number(db, category)
        if category_number is None:
            return ()
        at, buckets = self._distributions.get(category, (-COUNTS_SECONDS, ()))
        if self._now() - at < COUNTS_SECONDS:
            return buckets
        rows = db.all(
            f"SELECT CAST(round(rating / {BUCKET_POINTS}.0 - 0.5) AS BIGINT) AS bar, count(*) FROM ratings"
            " WHERE category = ? AND standing = ? GROUP BY bar ORDER BY bar",  # SQLite may lack floor
            category_number, int(Standing.RANKED),
        )  # fmt: skip
        buckets = [Bucket(bar * BUCKET_POINTS, count) for bar, count in rows]
        self._distributions[category] = self._now(), buckets  # one for each stored category
        return buckets
