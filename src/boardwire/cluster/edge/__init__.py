"""The edge: guests whose connections this node has, and replicas of the tables that they are at."""

__all__: list[str] = []
