"""In-memory server with a scripted clock and scripted luck, for tests, proxy, bridge and conformance."""

__all__ = ["clock", "luck", "server"]
