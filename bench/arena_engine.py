"""Engine process for `bench.arena`: answers immediately with the first choice, or echoes lines with `--echo`."""

from __future__ import annotations

import os
import sys

_READ_BYTES = 1 << 16


def main() -> None:
    """Answer requests until standard input ends."""
    echo = "--echo" in sys.argv
    rest = b""
    while data := os.read(0, _READ_BYTES):
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            if echo:
                os.write(1, line[:40] + b"\n")
            elif line.startswith(b'{"type":"hello"'):
                os.write(1, b'{"type":"ready","name":"first"}\n')
            elif line.startswith(b'{"type":"choose"'):
                number = line.split(b'"id":', 1)[1].split(b",", 1)[0]
                os.write(1, b'{"type":"choice","id":' + number + b',"number":0}\n')


if __name__ == "__main__":
    main()
