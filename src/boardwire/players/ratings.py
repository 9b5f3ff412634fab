"""Ratings of accounts, from the rated matches in the journal.

- A rating belongs to a category: game, mode, speed, and a **pool**: `people` for matches between people, `programs` for
  matches between programs and bots, `all` for every rated match. So people and programs are rated apart, and together
  on request.
- The model is openskill's, for two, three and four players and teams (`competition.ratings`). A rating is shown as
  1500 plus its figure on the Elo scale; below `PROVISIONAL_MATCHES` matches it is provisional and not ranked.
- Matches count in the order of their ends; equal times in the order of their names. A match that is stored late is
  inserted in this order, and those after it are rated again. So the journal alone determines all ratings, and
  `recompute` gives the same ones.
- A match does not count if it was aborted, if a side has not made a move, if two seats have the same account or the
  same bot, if it was imported, or if the same players have played `MAX_REPEATS` rated matches of the category within
  a day.
  A player who leaves a rated match and does not return loses it.
- The end of a match is stored in the journal before it is rated. Rated matches in progress are recorded, so that one
  that ended just before a crash is rated after the restart (`settle_pending`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum, StrEnum
from typing import Final, NamedTuple

import msgspec
import structlog

from boardwire.competition.ratings import new_skill, skill_of, skills_after
from boardwire.errors import BoardwireError
from boardwire.players.account import Kind, Role
from boardwire.players.speed import Speed, speed_of
from boardwire.records.records import Records, Transaction
from boardwire.table.events import Acted, Ended, Event, Player, bot_name
from boardwire.table.match import Status
from boardwire.table.ports import Journal, ListedTable
from boardwire.table.result import side_result
from boardwire.table.summary import IMPORTED

log = structlog.get_logger("boardwire.players")

BASE_RATING: Final = 1500.0
"""Rating shown for a new player."""
PROVISIONAL_MATCHES: Final = 10
"""Rated matches before a rating is ranked."""
MAX_REPEATS: Final = 20
"""Rated matches of the same players in one category within a day; further ones do not count."""
DAY_SECONDS: Final = 86_400.0
_NOTED_LIMIT: Final = 10_000
"""Matches that this process remembers as recorded or rated, so as not to write them twice."""
_BOT: Final = "\x1f"
"""Prefix of a bot's folded name: nothing with a control character can be claimed."""


class Pool(StrEnum):
    """Pool of matches: between people, between programs, or all."""

    PEOPLE = "people"
    PROGRAMS = "programs"
    ALL = "all"


class Standing(IntEnum):
    """Whether a rating is hidden, provisional or ranked."""

    HIDDEN = 0
    PROVISIONAL = 1
    RANKED = 2


class Category(NamedTuple):
    """Category in which ratings are compared."""

    pool: Pool
    game: str
    mode: str
    speed: Speed


class RatedPlayer(NamedTuple):
    """A player of a rated match: an account, or a kind of server bot."""

    account: int
    bot: str = ""


class RatedMatch(NamedTuple):
    """A match that may count, with the players and the rank of each side; 0 is the winner's rank."""

    match: str
    ended: float
    game: str
    mode: str
    speed: Speed
    sides: tuple[tuple[RatedPlayer, ...], ...]
    ranks: tuple[int, ...]


class Score(msgspec.Struct, frozen=True):
    """Rating of a player in a category, with its numbers of matches played, won, drawn and lost."""

    mu: float
    sigma: float
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def rating(self) -> float:
        return shown_rating(self.mu, self.sigma)

    @property
    def standing(self) -> Standing:
        return Standing.RANKED if self.played >= PROVISIONAL_MATCHES else Standing.PROVISIONAL


class SideRow(msgspec.Struct, frozen=True):
    """A stored side of a rated match."""

    players: tuple[int, ...]
    rank: int


class CategoryMatch(NamedTuple):
    """A rated match in one category."""

    ended: float
    match: str
    players: str
    sides: tuple[SideRow, ...]


class ScoreChange(NamedTuple):
    """The rating of a player after a match."""

    player: int
    side: int
    rank: int
    score: Score


def shown_rating(mu: float, sigma: float) -> float:
    """Return the rating that is shown and ranked."""
    return BASE_RATING + skill_of(mu, sigma).elo


def rating_error(mu: float, sigma: float) -> float:
    """Return the half width of a rating's 95 % interval."""
    return skill_of(mu, sigma).error


def rated_match(events: Sequence[Event]) -> RatedMatch | None:
    """Return a finished match if it may count for ratings, or None."""
    result = side_result(events)
    if result is None or result.opening.policy.rated is not True or result.summary.dialect == IMPORTED:
        return None
    moved = {event.seat for event in events if isinstance(event, Acted)}
    if not all(any(seat in moved for seat in side) for side in result.sides):
        return None
    seats = [_rated_player(player) for player in result.summary.chairs]
    rated_players = [player for player in seats if player is not None]
    if len(set(rated_players)) < len(rated_players):  # a player against itself
        return None
    sides = tuple(tuple(player for seat in side if (player := seats[seat]) is not None) for side in result.sides)
    if len(sides) < 2 or sum(map(len, sides)) < sum(map(len, result.sides)):  # a guest without a rating
        return None
    return RatedMatch(
        result.summary.id, _end_time(events), result.summary.game, mode_of(result.options),
        speed_of(result.opening.policy), sides, result.ranks,
    )  # fmt: skip


def mode_of(options: object) -> str:
    """Return the mode in a game's options (as builtins), or '' for a game without modes."""
    return str(options.get("mode", "")) if isinstance(options, dict) else ""


def rating_in(db: Transaction, player: int, category: Category) -> float:
    """Return the rating of a player in a category, or 0."""
    row = db.one(
        "SELECT rating FROM ratings JOIN rating_categories ON rating_categories.id = category"
        " WHERE player = ? AND pool = ? AND game = ? AND mode = ? AND speed = ?",
        player, *map(str, category),
    )  # fmt: skip
    return 0.0 if row is None else float(row[0])


def _end_time(events: Sequence[Event]) -> float:
    return next(event.at for event in reversed(events) if isinstance(event, Ended))


def _rated_player(player: Player | None) -> RatedPlayer | None:
    if player is None or not (player.account or player.bot):
        return None
    return RatedPlayer(0, player.bot) if player.bot else RatedPlayer(player.account)


def scores_after(sides: Sequence[SideRow], before: Callable[[int], Score]) -> list[ScoreChange]:
    """Return the ratings of all players after a match."""
    scores = [[before(player) for player in side.players] for side in sides]
    after = skills_after(
        [[(score.mu, score.sigma) for score in side] for side in scores], [side.rank for side in sides]
    )
    is_draw = len({side.rank for side in sides}) == 1
    changes = []
    for number, (side, olds, news) in enumerate(zip(sides, scores, after, strict=True)):
        for player, old, (mu, sigma) in zip(side.players, olds, news, strict=True):
            won, drawn = not is_draw and side.rank == 0, is_draw
            score = Score(
                mu, sigma, old.played + 1, old.won + won, old.drawn + drawn, old.lost + (not won and not drawn)
            )
            changes.append(ScoreChange(player, number, side.rank, score))
    return changes


class Ratings:
    """Ratings in the records, kept up to date with the journal."""

    def __init__(self, records: Records, journal: Journal) -> None:
        self._records = records
        self._journal = journal
        self._noted: dict[str, Status] = {}

    # --- as matches are played ----------------------------------------------------------------------------------------

    def observe(self, table: ListedTable) -> None:
        """Record a rated match when it begins, and rate it when it is over; the lobby calls this on every change."""
        match = table.match
        if match.setting.policy.rated is not True or match.status is Status.WAITING:
            return
        if self._noted.get(match.id) is match.status:
            return
        self._noted[match.id] = match.status
        while len(self._noted) > _NOTED_LIMIT:
            del self._noted[next(iter(self._noted))]
        name = match.id
        if match.status is Status.PLAYING:
            record = "INSERT INTO rating_pending VALUES (?) ON CONFLICT DO NOTHING"
            self._records.submit(lambda db: db.run(record, name))
        else:
            self._records.submit(lambda db: self._settle(db, name))

    def settle_pending(self, db: Transaction) -> int:
        """Rate the matches that ended without being rated, because the server stopped; return how many."""
        names = [name for (name,) in db.all("SELECT match FROM rating_pending")]
        return sum(self._settle(db, name) for name in names)

    def _settle(self, db: Transaction, name: str) -> bool:
        """Rate a match if it is over; return whether it is."""
        try:
            events = self._journal.read(name)
        except BoardwireError as error:
            log.error("cannot read a rated match; it does not count for ratings", match=name, error=str(error))
            return False
        if not events or not _is_over(events):
            return False
        rated = rated_match(events)
        if rated is not None and db.one("SELECT 1 FROM rating_matches WHERE match = ?", name) is None:
            self._insert(db, rated)
        db.run("DELETE FROM rating_pending WHERE match = ?", name)
        return True

    def _insert(self, db: Transaction, match: RatedMatch) -> None:
        """Rate a match; matches of its categories that ended later are rated again after it."""
        for number, entry in _entries(db, match):
            later = [
                CategoryMatch(ended, name, players, msgspec.json.decode(sides, type=tuple[SideRow, ...]))
                for ended, name, players, sides in db.all(
                    "SELECT ended, match, players, sides FROM rating_matches WHERE category = ?"
                    " AND (ended > ? OR (ended = ? AND match > ?)) ORDER BY ended, match",
                    number, entry.ended, entry.ended, entry.match,
                )
            ]  # fmt: skip
            if later:
                _rewind(db, number, later)
            for unrated in (entry, *later):
                _rate_last(db, number, unrated)


def recompute(records: Records, matches: Iterable[Sequence[Event]]) -> int:
    """Replace all ratings by those that follow from `matches`, the whole journal; return how many matches count."""
    finished = sorted(
        (match for events in matches if (match := rated_match(events)) is not None),
        key=lambda match: (match.ended, match.match),
    )

    def work(db: Transaction) -> int:
        for table in ("ratings", "rating_results", "rating_matches", "rating_pending"):
            db.run(f"DELETE FROM {table}")
        for match in finished:
            for number, entry in _entries(db, match):
                _rate_last(db, number, entry)
        db.run("UPDATE ratings SET standing = 0 WHERE player IN (SELECT id FROM players WHERE deleted IS NOT NULL)")
        return len(finished)

    return records.write_now(work)


def _is_over(events: Sequence[Event]) -> bool:
    return any(isinstance(event, Ended) for event in events)


def _entries(db: Transaction, match: RatedMatch) -> Iterator[tuple[int, CategoryMatch]]:
    """Yield the number of each category of a match, with its entry there."""
    numbers: dict[RatedPlayer, int] = {
        player: _account_number(db, player, match.ended) for side in match.sides for player in side
    }
    players = sorted(numbers[player] for side in match.sides for player in side)
    sides = tuple(
        SideRow(tuple(numbers[player] for player in side), rank)
        for side, rank in zip(match.sides, match.ranks, strict=True)
    )
    entry = CategoryMatch(match.ended, match.match, " ".join(map(str, players)), sides)
    marks = ", ".join("?" * len(set(players)))
    kinds = {kind for (kind,) in db.all(f"SELECT kind FROM players WHERE id IN ({marks})", *sorted(set(players)))}
    pools = [Pool.ALL, *([Pool.PEOPLE] if kinds == {Kind.PERSON} else [])]
    if kinds <= {Kind.PROGRAM, Kind.BOT}:
        pools.append(Pool.PROGRAMS)
    for pool in pools:
        yield category_number(db, Category(pool, match.game, match.mode, match.speed)), entry


def _account_number(db: Transaction, player: RatedPlayer, now: float) -> int:
    """Return the account of a player; a server bot gets one with its first rated match."""
    if not player.bot:
        return player.account
    row = db.one("SELECT id FROM players WHERE folded = ?", _BOT + player.bot)
    row = row or db.one(
        "INSERT INTO players (name, folded, kind, role, created, revision) VALUES (?, ?, ?, ?, ?,"
        " (SELECT coalesce(max(revision), 0) + 1 FROM players)) RETURNING id",
        bot_name(player.bot), _BOT + player.bot, Kind.BOT.value, Role.PLAYER.value, now,
    )  # fmt: skip
    assert row is not None, "an insert returns its row"
    return int(row[0])


def category_number(db: Transaction, category: Category) -> int:
    """Return the number of a category; create it if it is new."""
    find = "SELECT id FROM rating_categories WHERE pool = ? AND game = ? AND mode = ? AND speed = ?"
    values = tuple(map(str, category))
    row = db.one(find, *values) or db.one(
        "INSERT INTO rating_categories (pool, game, mode, speed) VALUES (?, ?, ?, ?) RETURNING id", *values
    )
    assert row is not None, "an insert returns its row"
    return int(row[0])


def _rewind(db: Transaction, category: int, later: Sequence[CategoryMatch]) -> None:
    """Undo the effect of the last matches of a category."""
    first = later[0]
    players = {player for entry in later for side in entry.sides for player in side.players}
    after = "category = ? AND (ended > ? OR (ended = ? AND match >= ?))"
    bound = (category, first.ended, first.ended, first.match)
    db.run(f"DELETE FROM rating_matches WHERE {after}", *bound)
    for player in players:
        db.run(f"DELETE FROM rating_results WHERE player = ? AND {after}", player, *bound)
        row = db.one(
            "SELECT mu, sigma, played, won, drawn, lost, ended FROM rating_results"
            " WHERE player = ? AND category = ? ORDER BY ended DESC, match DESC LIMIT 1",
            player, category,
        )  # fmt: skip
        if row is None:
            db.run("DELETE FROM ratings WHERE player = ? AND category = ?", player, category)
        else:
            _store(db, category, player, Score(*row[:6]), row[6])


def _rate_last(db: Transaction, category: int, entry: CategoryMatch) -> None:
    """Rate a match that ended after all rated ones of its category."""
    (earlier,) = db.one(
        "SELECT count(*) FROM rating_matches WHERE category = ? AND players = ? AND ended > ? AND counted = 1",
        category, entry.players, entry.ended - DAY_SECONDS,
    ) or (0,)  # fmt: skip
    counted = earlier < MAX_REPEATS
    db.run(
        "INSERT INTO rating_matches VALUES (?, ?, ?, ?, ?, ?)",
        category, entry.ended, entry.match, entry.players, msgspec.json.encode(entry.sides).decode(), int(counted),
    )  # fmt: skip
    if not counted:
        return
    for player, side, rank, score in scores_after(entry.sides, lambda player: _score(db, category, player)):
        db.run(
            "INSERT INTO rating_results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            category, player, entry.ended, entry.match, side, rank, score.mu, score.sigma, score.rating,
            score.played, score.won, score.drawn, score.lost,
        )  # fmt: skip
        _store(db, category, player, score, entry.ended)


def _score(db: Transaction, category: int, player: int) -> Score:
    row = db.one(
        "SELECT mu, sigma, played, won, drawn, lost FROM ratings WHERE player = ? AND category = ?", player, category
    )
    return Score(*new_skill()) if row is None else Score(*row)


def _store(db: Transaction, category: int, player: int, score: Score, ended: float) -> None:
    """Store a rating; one of a deleted account stays hidden."""
    db.run(
        "INSERT INTO ratings (player, category, mu, sigma, rating, played, won, drawn, lost, ended, standing)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (player, category) DO UPDATE SET mu = excluded.mu,"
        " sigma = excluded.sigma, rating = excluded.rating, played = excluded.played, won = excluded.won,"
        " drawn = excluded.drawn, lost = excluded.lost, ended = excluded.ended,"
        " standing = CASE WHEN ratings.standing = 0 THEN 0 ELSE excluded.standing END",
        player, category, score.mu, score.sigma, score.rating, score.played, score.won, score.drawn, score.lost,
        ended, int(score.standing),
    )  # fmt: skip


def all_matches(names: Iterable[str], read: Callable[[str], Sequence[Event]]) -> Iterator[Sequence[Event]]:
    """Yield the events of all matches; skip and log those that cannot be read."""
    for name in names:
        try:
            yield read(name)
        except BoardwireError as error:
            log.warning("cannot read a match; it does not count for ratings", match=name, error=str(error))
