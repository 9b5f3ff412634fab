"""`make bench` runs every measurement; `python -m bench tris` only those named."""

import sys
from importlib import import_module

ALL = ("tris", "native", "santorini", "javastream", "santorini_engine", "eriantys_engine", "eriantys", "bots")

for name in sys.argv[1:] or ALL:
    import_module(f"bench.{name}").run()
