"""Messages between nodes: encoding, authentication, fragments, outboxes and NATS."""

__all__: list[str] = []
