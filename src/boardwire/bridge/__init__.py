"""Bridge from a client of one protocol to a server of another.

Our server script talks to the client, our client script to the server.
"""

__all__: list[str] = []
