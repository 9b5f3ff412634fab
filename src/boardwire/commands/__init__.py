"""Commands of the command line, one module per command; `app.py` assembles them.

- Every run of `boardwire` imports these modules, except `serve` (see `app.py`) and those that implement commands
  (`analysis`, `documents`, `journals`). So they import other packages inside functions.
- `cli.py` converts exceptions to exit codes.
"""

__all__: list[str] = []
