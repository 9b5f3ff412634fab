"""E-mail to players who are away, when it is their turn in a match by correspondence; off by default."""

__all__: list[str] = []
