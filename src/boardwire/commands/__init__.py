"""Commands of the command line, one module per command; `app.py` assembles them.

- Every run of `boardwire` imports these modules, except `serve` (see `app.py`) and those that do the work of
  commands (`analysis`, `documents`, `journals`). So they import other packages inside functions.
- Exceptions become exit codes in `cli.py`.
"""

__all__: list[str] = []
