"""Run several nodes as children of one process, so that their CPU time can be measured together.

`python -m bench.nodes DIALECT STORE BUS COUNT` starts COUNT nodes, prints the listening line of each, then `ready`, and
terminates them on SIGTERM. An empty BUS is for a single node.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import ExitStack


def main() -> None:
    """Start the nodes and wait for SIGTERM."""
    dialect, store, bus, count = sys.argv[1:]
    listeners = (
        ["--http=0", "--listen=tris-lines=0"] if dialect == "native" else ["--http=off", f"--listen={dialect}=0"]
    )
    listening = "listening http" if dialect == "native" else "listening"
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(0))
    with ExitStack() as stack:
        for number in range(int(count)):
            flags = [f"--store={store}", *([f"--bus={bus}", f"--node=node{number}"] if bus else ())]
            process = subprocess.Popen(
                [sys.executable, "-m", "boardwire", "serve", *listeners, *flags, "--log=warning"],
                stdout=subprocess.PIPE,
                text=True,
            )
            stack.callback(process.wait, 20)
            stack.callback(process.terminate)
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith(listening):
                    print(line, end="", flush=True)
                if line == "ready\n":
                    break
        print("ready", flush=True)
        signal.pause()


if __name__ == "__main__":
    main()
