"""Plays Tris against a bot over the native dialect: `python tic.py HOST PORT`.  Only the standard library is used."""

import base64
import json
import os
import random
import socket
import sys


class WebSocket:
    """As much of RFC 6455 as a client needs."""

    def __init__(self, host, port):
        self.socket = socket.create_connection((host, port))
        self.stream = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        fields = f"Host: {host}:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        self.socket.sendall(f"GET /ws HTTP/1.1\r\n{fields}Sec-WebSocket-Key: {key}\r\n\r\n".encode())
        assert b" 101 " in self.stream.readline(), "no WebSocket there"
        while self.stream.readline() != b"\r\n":
            pass

    def send(self, opcode, payload):
        mask = os.urandom(4)
        size = bytes([128 | len(payload)]) if len(payload) < 126 else b"\xfe" + len(payload).to_bytes(2, "big")
        self.socket.sendall(bytes([128 | opcode]) + size + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload)))

    def say(self, **message):
        self.send(1, json.dumps(message).encode())

    def hear(self):
        while True:
            first, size = self.stream.read(2)
            if size > 125:
                size = int.from_bytes(self.stream.read(2 if size == 126 else 8), "big")
            payload = self.stream.read(size)
            if first & 15 == 9:  # a ping wants a pong
                self.send(10, payload)
            else:
                return json.loads(payload)


server = WebSocket(sys.argv[1], int(sys.argv[2]))
server.say(type="hello", name="tic")
server.say(type="open", game="tris", bots=["", "random"])
answered = 0
while (message := server.hear())["type"] != "refused":
    state = message.get("state", {})
    if state.get("status") == "over":
        cells = state["view"]["cells"]
        print("\n".join(" ".join("XO."[2 if c is None else c] for c in cells[row : row + 3]) for row in (0, 3, 6)))
        print("won" if 0 in state["outcome"]["winners"] else "lost" if state["outcome"]["winners"] else "drawn")
        break
    choices = state.get("asked", {}).get("choices")
    if choices and state["moved"] > answered:
        answered = state["moved"]
        server.say(type="act", seq=state["seq"], action=random.choice(choices))
else:
    sys.exit(message["reason"])
