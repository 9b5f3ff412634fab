"""`boardwire docs`: show the documents that are installed with boardwire."""

from __future__ import annotations


def docs(page: str = "", section: str = "") -> None:
    """Print a document, like the specification of a protocol that `check` cites; without a name, list them.

    Parameters
    ----------
    page
        Name of the document: dialects/tris-lines, or tris-lines if that is unique.
    section
        Number or words of a heading: print only this section.
    """
    from boardwire.commands import documents

    if page:
        print(documents.read(page, section), end="")
        return
    for name, title in documents.titles().items():
        print(f"{name:32} {title}")
