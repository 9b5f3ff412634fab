"""An engine for tests: it plays the first choice; its argument says how it fails in its third decision, if at all."""

import json
import os
import sys
import time


def main() -> None:
    way, asked = (sys.argv[1:] or [""])[0], 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            print(json.dumps({"type": "ready", "name": "first"}), flush=True)
            print("a note", file=sys.stderr, flush=True)
        elif message["type"] == "choose":
            asked += 1
            if asked == 3 and way == "die":
                os._exit(3)
            if asked == 3 and way == "sleep":
                time.sleep(60)
            number = 99 if asked == 3 and way == "illegal" else 0
            print(json.dumps({"type": "choice", "id": message["id"], "number": number}), flush=True)


main()
