"""The commands of the command line, one module per command; `cli.py` assembles them."""

__all__: list[str] = []
