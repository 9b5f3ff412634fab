"""Commands of the command line, one module per command; `cli.py` assembles them.

- Every run of `boardwire` imports these modules, except `serve` (see `cli.py`) and `analysis` and `journals`, which do
  the work of several commands.  So they import other packages inside functions.
- Exceptions become exit codes in `cli.py`.
"""

__all__: list[str] = []
