"""Read with two parsers that disagree."""

import json
import sys

import demjson3


def judge(path: str) -> int:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        value = json.loads(text)
        other = demjson3.decode(text)
    except (ValueError, RecursionError):
        return 0
    return int(repr(value) != repr(other))


if __name__ == "__main__":
    sys.exit(judge(sys.argv[1]))
