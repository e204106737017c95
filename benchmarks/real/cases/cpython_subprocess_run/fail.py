"""Run a command with chosen streams."""

import json
import subprocess
import sys

STREAMS = {"none": None, "pipe": subprocess.PIPE, "devnull": subprocess.DEVNULL, "stdout": subprocess.STDOUT}


def run(config: dict) -> None:
    text = config["text"]
    given = {"input": "yes" if text else b"yes"} if config["input"] else {}
    if config["stdin"] != "none":
        given["stdin"] = STREAMS[config["stdin"]]
    subprocess.run(
        ["true"],
        capture_output=config["capture_output"],
        stdout=STREAMS[config["stdout"]],
        stderr=STREAMS[config["stderr"]],
        text=text,
        check=config["check"],
        **given,
    )


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
