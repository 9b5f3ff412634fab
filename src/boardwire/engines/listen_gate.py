"""Listen on a port of this network namespace, pass the socket to the parent, then execute a program.

    python -I -S listen_gate.py DESCRIPTOR PORT -- COMMAND ...

DESCRIPTOR is a Unix socket of the parent. Through the listening socket, a program that is alone in a network namespace
can reach the parent's server, and nothing else. This file imports nothing from boardwire, because that would take
100 ms.
"""

import os
import socket
import sys

HOST = "127.0.0.1"
BACKLOG = 128


def main(arguments: list[str]) -> None:
    """Pass a listening socket to the parent and execute the command."""
    descriptor, port, _, *command = arguments
    listening = socket.create_server((HOST, int(port)), backlog=BACKLOG)
    with socket.socket(fileno=int(descriptor)) as parent:
        socket.send_fds(parent, [b"."], [listening.fileno()])
    listening.close()
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
