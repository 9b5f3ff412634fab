"""Web Push: alerts to players who are away, through the push service of their browser (RFC 8030, 8291, 8292)."""

__all__: list[str] = []
