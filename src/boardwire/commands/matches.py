"""`boardwire matches`: list stored matches."""

from __future__ import annotations

from boardwire.commands.arguments import find_store


def matches(*, data: str | None = None, store: str | None = None, json: bool = False) -> None:
    """List the matches of a data directory or a database, oldest first.

    Parameters
    ----------
    data
        Data directory of the server [the user's data directory].
    store
        Address of the server's database, instead of a directory.
    json
        Print one JSON object a line.
    """
    from boardwire.commands import journals

    for line in journals.matches(find_store(data, store), json=json):
        print(line)
