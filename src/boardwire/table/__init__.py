"""Tables decide what happened: the match as a pure reducer, the actor around it, and the lobby that finds one."""

__all__: list[str] = []
