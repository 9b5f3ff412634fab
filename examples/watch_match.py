"""Follow a match over HTTP until it is over: `python watch_match.py URL [MATCH]`, for example http://127.0.0.1:7070.

Without MATCH it follows the newest one. It needs only the standard library; `URL/openapi.json` describes the whole API.
"""

import json
import sys
import time
from typing import Any
from urllib.request import urlopen


def get(url: str) -> Any:
    with urlopen(url, timeout=10) as answer:
        return json.load(answer)


def newest(server: str) -> str:
    matches = get(f"{server}/api/matches?limit=1")["matches"]
    if not matches:
        sys.exit("the server has no matches")
    return str(matches[0]["id"])


def follow(server: str, match: str) -> None:
    seen = 0
    while True:
        over = (
            get(f"{server}/api/matches/{match}")["status"] == "over"
        )  # read before the events, so that none is missed
        for event in get(f"{server}/api/matches/{match}/events?after={seen}&limit=1000")["events"]:
            seen += 1
            facts = {key: value for key, value in event.items() if key not in ("event", "at", "seq")}
            print(event["event"], json.dumps(facts))
        if over:
            return
        time.sleep(0.5)


if __name__ == "__main__":
    server, *match = sys.argv[1:]
    follow(server, match[0] if match else newest(server))
