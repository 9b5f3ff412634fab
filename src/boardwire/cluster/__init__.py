"""Several nodes as one server: leases, messages between nodes, and replicas of remote tables."""

__all__: list[str] = []
