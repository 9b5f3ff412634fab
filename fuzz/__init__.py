"""Coverage-guided fuzzing of every decoder: `make fuzz SECONDS=60`.

- `targets.py` has one function per decoder that bytes from outside reach: peers, other nodes, uploaded matches, files.
- `corpus/TARGET/` has inputs that reach different code.  The test suite runs all of them (`tests/fuzz/`).
- `__main__.py` runs targets under atheris (libFuzzer).  An input that fails is written to `data/fuzz/` and shown; add
  it to the corpus with the fix.
- `seeds.py` writes first inputs for a new target: recorded conversations, exported matches.
"""
