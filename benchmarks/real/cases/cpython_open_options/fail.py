"""Open a file."""

import json
import os
import sys
import tempfile


def run(config: dict) -> None:
    encoding, newline = (None if config[name] == "none" else config[name] for name in ("encoding", "newline"))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "file.txt")
        open(path, "w").close()
        open(path, config["mode"], config["buffering"], encoding, None, newline, config["closefd"]).close()


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
