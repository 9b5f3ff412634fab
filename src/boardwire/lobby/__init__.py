"""The lobby: who comes to which table."""

__all__: list[str] = []
