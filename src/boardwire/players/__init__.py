"""Accounts, tokens, ratings, profiles and relations of players."""

__all__: list[str] = []
