"""The edge side of a node: guests connected to it, and replicas of their tables."""

__all__: list[str] = []
