"""The lobby: leads guests to tables."""

__all__: list[str] = []
