"""Tables of players, as numbered migrations of the component `players`.

- `folded` is the form in which names are compared; NULL for a deleted account, whose row stays without a name.
- `revision` increases with every change of an account or its tokens, so that other processes can follow.
- A token is stored as its hash. Tokens of the kind `guest` date from before the name was claimed: they give no access
  to the account, but the matches that were played with them belong to it.
"""

from __future__ import annotations

from typing import Final

COMPONENT: Final = "players"

MIGRATIONS: Final = (
    # 1: accounts, tokens, passkeys
    """
    CREATE TABLE players (
        id {serial}, name TEXT NOT NULL, folded TEXT UNIQUE, kind TEXT NOT NULL, role TEXT NOT NULL,
        created DOUBLE PRECISION NOT NULL, deleted DOUBLE PRECISION, recovery TEXT NOT NULL DEFAULT '',
        revision BIGINT NOT NULL
    );
    CREATE INDEX players_by_revision ON players (revision);
    CREATE TABLE player_tokens (
        id {serial}, player BIGINT NOT NULL, hash TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, label TEXT NOT NULL,
        scopes TEXT NOT NULL, created DOUBLE PRECISION NOT NULL, used DOUBLE PRECISION NOT NULL
    );
    CREATE INDEX player_tokens_by_player ON player_tokens (player);
    CREATE TABLE player_passkeys (
        id TEXT PRIMARY KEY, player BIGINT NOT NULL, public_key BYTEA NOT NULL, sign_count BIGINT NOT NULL,
        label TEXT NOT NULL, created DOUBLE PRECISION NOT NULL, used DOUBLE PRECISION NOT NULL
    );
    CREATE INDEX player_passkeys_by_player ON player_passkeys (player);
    """,
    # 2: challenges of passkeys, each of which can be answered once
    """
    CREATE TABLE player_challenges (challenge TEXT PRIMARY KEY, until DOUBLE PRECISION NOT NULL);
    """,
    # 3: ratings (`ratings.py`): categories, rated matches, the result of each player in them, and the present ratings
    """
    CREATE TABLE rating_categories (
        id {serial}, pool TEXT NOT NULL, game TEXT NOT NULL, mode TEXT NOT NULL, speed TEXT NOT NULL,
        UNIQUE (pool, game, mode, speed)
    );
    CREATE TABLE rating_pending (match TEXT PRIMARY KEY);
    CREATE TABLE rating_matches (
        category BIGINT NOT NULL, ended DOUBLE PRECISION NOT NULL, match TEXT NOT NULL, players TEXT NOT NULL,
        sides TEXT NOT NULL, counted BIGINT NOT NULL, PRIMARY KEY (category, ended, match)
    );
    CREATE INDEX rating_matches_by_match ON rating_matches (match);
    CREATE INDEX rating_matches_by_players ON rating_matches (category, players, ended);
    CREATE TABLE rating_results (
        category BIGINT NOT NULL, player BIGINT NOT NULL, ended DOUBLE PRECISION NOT NULL, match TEXT NOT NULL,
        side BIGINT NOT NULL, rank BIGINT NOT NULL, mu DOUBLE PRECISION NOT NULL, sigma DOUBLE PRECISION NOT NULL,
        rating DOUBLE PRECISION NOT NULL, played BIGINT NOT NULL, won BIGINT NOT NULL, drawn BIGINT NOT NULL,
        lost BIGINT NOT NULL, PRIMARY KEY (player, category, ended, match)
    );
    CREATE INDEX rating_results_by_match ON rating_results (category, match, player);
    CREATE TABLE ratings (
        player BIGINT NOT NULL, category BIGINT NOT NULL, mu DOUBLE PRECISION NOT NULL,
        sigma DOUBLE PRECISION NOT NULL, rating DOUBLE PRECISION NOT NULL, played BIGINT NOT NULL, won BIGINT NOT NULL,
        drawn BIGINT NOT NULL, lost BIGINT NOT NULL, ended DOUBLE PRECISION NOT NULL, standing BIGINT NOT NULL,
        PRIMARY KEY (player, category)
    );
    CREATE INDEX ratings_by_rating ON ratings (category, standing, rating, player);
    """,
    # 4: follows and blocks of players, and unanswered challenges
    """
    CREATE TABLE player_relations (
        player BIGINT NOT NULL, other BIGINT NOT NULL, kind TEXT NOT NULL, created DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (player, kind, other)
    );
    CREATE INDEX player_relations_by_other ON player_relations (other, kind);
    CREATE TABLE player_invitations (
        id {serial}, player BIGINT NOT NULL, challenger BIGINT NOT NULL, game TEXT NOT NULL, match TEXT NOT NULL,
        code TEXT NOT NULL, rated BIGINT NOT NULL, created DOUBLE PRECISION NOT NULL, until DOUBLE PRECISION NOT NULL
    );
    CREATE INDEX player_invitations_by_player ON player_invitations (player, until);
    """,
    # 5: the skeleton of a name (`skeleton.py`); NULL for a deleted account and for bots
    """
    ALTER TABLE players ADD COLUMN skeleton TEXT;
    CREATE INDEX players_by_skeleton ON players (skeleton);
    """,
)
"""Released migrations never change; new ones are appended."""
