"""A client of one protocol on a server of another: our server faces the client, our client the server."""

__all__: list[str] = []
