"""Bridge from a client of one protocol to a server of another: our server script faces the client, our client script
faces the server."""

__all__: list[str] = []
