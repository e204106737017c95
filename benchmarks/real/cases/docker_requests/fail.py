"""Ask a Docker daemon for its state, with chosen versions of docker and requests."""

import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))

from versions import folders, run_program

FOLDERS = folders()
PROGRAM = """
import sys, docker, requests
address, version = sys.argv[1:]
client = docker.APIClient(base_url=address, version=version, timeout=5)
try:
    client.ping()
except requests.exceptions.ConnectionError:
    pass  # no daemon is here to answer
"""
ADDRESSES = {"unix": "unix:///no/such/docker.sock", "tcp": "tcp://127.0.0.1:9"}


def run(config: dict) -> None:
    path = [FOLDERS[f"requests=={config['requests']}"], FOLDERS[f"docker=={config['docker']}"]]
    run_program(PROGRAM, path, ADDRESSES[config["connection"]], config["api"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
