"""Our client of tris-lines: python3 client.py HOST PORT. It plays the first free cell; improve `choose`."""

import socket
import sys


def choose(board):
    """Return the cell to play on a board of 0 (free), 1 and 2."""
    return board.index(0)


def play(lines, send):
    """Play one match; `lines` yields the server's lines, `send` sends one."""
    board, mark, cell = [0] * 9, 2, 0
    for line in lines:
        if line == "WAIT":
            mark = 1
        elif line == "READY" and mark == 2:
            pass  # the first player moves first
        elif line in ("READY", "KO"):
            if line == "KO":
                board[cell] = 3  # not there
            cell = choose(board)
            send(cell)
        elif line == "OK":
            board[cell] = mark
        elif line in ("W", "P", "DISCONNECTED"):
            print(line)
            return
        elif line.count(",") == 9:
            *cells, ending = line.split(",")
            if ending:
                print(ending)
                return
            board = [int(cell) for cell in cells]
            cell = choose(board)
            send(cell)


def read_lines(connection):
    """Yield whole lines: one read can return several of them, or a part of one."""
    data = b""
    while more := connection.recv(4096):
        data += more
        *lines, data = data.split(b"\n")
        for line in lines:
            yield line.decode("ascii", "replace").strip()


def main():
    with socket.create_connection((sys.argv[1], int(sys.argv[2]))) as connection:
        try:
            play(read_lines(connection), lambda cell: connection.sendall(f"{cell}\n".encode()))
        except (OSError, ValueError) as error:
            print(f"the match was aborted: {error}")


if __name__ == "__main__":
    main()
