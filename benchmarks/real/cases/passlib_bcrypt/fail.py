"""Hash a password and verify it, with chosen versions of Passlib and bcrypt."""

import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))

from versions import folders, run_program

FOLDERS = folders()
PROGRAM = """
import sys, passlib.hash
scheme, length = sys.argv[1:]
password = "p" * int(length)
hasher = getattr(passlib.hash, scheme).using(rounds=4 if "bcrypt" in scheme else 1000)
assert hasher.verify(password, hasher.hash(password))
"""


def run(config: dict) -> None:
    path = [FOLDERS[f"bcrypt=={config['bcrypt']}"], FOLDERS[f"passlib=={config['passlib']}"]]
    run_program(PROGRAM, path, config["scheme"], str(config["length"]))


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
