"""Profiles and leaderboards in every database."""

from __future__ import annotations

import asyncio
from functools import partial

from boardwire.players import profiles, relations
from boardwire.players.accounts import Accounts
from boardwire.players.profiles import COUNTS_SECONDS, CategoryCounts
from boardwire.players.ratings import Category, Pool
from boardwire.players.relations import CHALLENGE_VALID_SECONDS, Relation
from boardwire.players.speed import Speed
from boardwire.records.records import Transaction

TRIS = Category(Pool.PEOPLE, "tris", "", Speed.UNLIMITED)


def rank(db: Transaction, player: int, rating: float) -> None:
    db.run("INSERT INTO rating_categories (id, pool, game, mode, speed) VALUES (1, 'people', 'tris', '', 'unlimited')"
           " ON CONFLICT DO NOTHING")  # fmt: skip
    db.run("INSERT INTO ratings VALUES (?, 1, 25.0, 8.0, ?, 10, 5, 0, 5, 9.0, 2)", player, rating)
    db.run("INSERT INTO rating_results VALUES (1, ?, 9.0, 'm', ?, ?, 25.0, 8.0, ?, 10, 5, 0, 5)",
           player, player % 2, player % 2, rating)  # fmt: skip


def test_rankings_histories_and_counts(accounts: Accounts) -> None:
    numbers = [asyncio.run(accounts.claim(name)).account.id for name in ("Ann", "Bob", "Cid")]
    for number, rating in zip(numbers, (1499.9, 1725.0, 1500.0), strict=True):
        accounts.records.write_now(partial(rank, player=number, rating=rating))
    read = accounts.records.read
    assert [(one.rank, one.name) for one in read(lambda db: profiles.leaderboard(db, TRIS, 2))] == [
        (1, "Bob"),
        (2, "Cid"),
    ]
    assert [one.name for one in read(lambda db: profiles.leaderboard(db, TRIS, 2, 2))] == ["Ann"]
    assert [one.rating for one in read(lambda db: profiles.history(db, "ann", TRIS))] == [1499.9]
    assert read(lambda db: profiles.profile(db, f"#{numbers[1]}")).name == "Bob"
    now = [100.0]
    counts = CategoryCounts(lambda: now[0])
    bars = [(one.rating, one.count) for one in read(lambda db: counts.distribution(db, TRIS))]
    assert bars == [(1450, 1), (1500, 1), (1700, 1)]
    assert [one.ranked for one in read(counts.categories)] == [3]
    asyncio.run(accounts.delete(numbers[0]))
    assert [one.ranked for one in read(counts.categories)] == [3]
    now[0] += COUNTS_SECONDS
    assert [one.ranked for one in read(counts.categories)] == [2]


def test_searches_find_beginnings_and_no_bots(accounts: Accounts) -> None:
    for name in ("Anna", "Ännchen", "annette"):
        asyncio.run(accounts.claim(name))
    found = accounts.records.read(lambda db: profiles.search(db, "aNN"))
    assert [one.name for one in found] == ["Anna", "annette"]


def test_challenges_expire(accounts: Accounts) -> None:
    ann, bob = (asyncio.run(accounts.claim(name)).account.id for name in ("Ann", "Bob"))
    write, read = accounts.records.write_now, accounts.records.read
    sent = write(lambda db: relations.challenge(db, ann, bob, "tris", "m", "C", rated=True, now=10.0))
    assert sent is not None
    assert read(relations.last_challenge) == sent.number
    assert read(lambda db: relations.challenges(db, bob, 11.0)) == [sent]
    assert read(lambda db: relations.challenges(db, bob, 11.0 + CHALLENGE_VALID_SECONDS)) == []
    write(lambda db: relations.relate(db, ann, bob, Relation.FOLLOW, 1.0))
    write(lambda db: relations.relate(db, ann, bob, Relation.FOLLOW, 2.0))
    assert read(lambda db: relations.related_players(db, ann, Relation.FOLLOW)) == [(bob, "Bob")]
