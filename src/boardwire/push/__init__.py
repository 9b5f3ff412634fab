"""Web Push: alerts to absent players through the push services of their browsers (RFC 8030, 8291, 8292)."""

__all__: list[str] = []
