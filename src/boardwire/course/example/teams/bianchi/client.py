"""A tris-lines client with a known fault, for the example of a course: it waits forever on a lost connection."""

import random
import socket
import sys
import time

BOARD_CELLS = 9


def play(lines, send):
    """Play one match; `lines` yields the server's lines."""
    board, mark, cell = [0] * BOARD_CELLS, 2, None
    for line in lines:
        if line == "WAIT":
            mark = 1
        elif line == "READY":
            if mark == 1:
                cell = choose(board)
                send(cell)
        elif line == "KO":
            cell = choose(board)
            send(cell)
        elif line == "OK":
            board[cell] = mark
        elif line in ("W", "P", "DISCONNECTED"):
            print(line)
            return
        elif "," in line:
            *cells, ending = line.split(",")
            board = [int(cell) for cell in cells]
            if ending:
                print(ending)
                return
            cell = choose(board)
            send(cell)


def choose(board):
    """Return a random free cell."""
    return random.choice([cell for cell, mark in enumerate(board) if mark == 0])


def read_lines(connection):
    """Yield whole lines: one read can return several of them, or a part of one."""
    data = b""
    while True:
        more = connection.recv(4096)
        if not more:
            time.sleep(0.1)  # this is the fault: nothing will ever come
            continue
        data += more
        *lines, data = data.split(b"\n")
        for line in lines:
            yield line.decode("ascii", "replace").strip()


def main():
    host, port = sys.argv[1], int(sys.argv[2])
    with socket.create_connection((host, port)) as connection:
        try:
            play(read_lines(connection), lambda cell: connection.sendall(f"{cell}\n".encode()))
        except (OSError, ValueError, IndexError) as error:
            print(f"the match was aborted: {error}")


if __name__ == "__main__":
    main()
