"""A tris-lines client with three faults, which docs/protocol-tools.md finds: `python toy.py HOST PORT`.

Only the standard library is used.
"""

import socket
import sys

CELLS = range(1, 10)

host, port = sys.argv[1], int(sys.argv[2])
server = socket.create_connection((host, port))
taken = set()


def moves(count=1):
    free = sorted(set(CELLS) - taken, reverse=True)[:count]
    print("I play", *free)
    server.sendall(b"".join(b"%d\n" % cell for cell in free))
    return free[0]


first = False
played = None
for line in server.makefile("r"):
    word = line.strip()
    print("the server says", word)
    if word == "WAIT":
        first = True
    elif word == "READY":
        played = moves() if first else None
    elif word == "KO":
        taken.add(played)
        played = moves(2)
    elif word == "OK":
        taken.add(played)
    elif "," in word:
        *marks, result = word.split(",")
        taken |= {cell for cell, mark in enumerate(marks) if mark != "0"}
        if result:
            break
        played = moves()
    else:
        break

server.sendall(b"bye")
server.close()
