"""Decode a token in base64, whose padding was often removed."""

import base64
import json
import sys


def run(config: dict) -> None:
    token = "A" * config["characters"] + "=" * config["padding"] + "\n" * config["newline"]
    decode = base64.urlsafe_b64decode if config["urlsafe"] else base64.b64decode
    decode(token)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
