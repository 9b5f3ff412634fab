"""Players who stay: accounts, tokens, ratings, profiles."""

__all__: list[str] = []
