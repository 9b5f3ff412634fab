"""Tables decide what happened: the match as a pure reducer, and the actor around it."""

__all__: list[str] = []
