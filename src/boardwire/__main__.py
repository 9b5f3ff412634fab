"""`python -m boardwire` is `boardwire`."""

from boardwire.cli import main

main()
