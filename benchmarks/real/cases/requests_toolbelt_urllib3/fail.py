"""Import a module of requests-toolbelt, with chosen versions of it and of urllib3."""

import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))

from versions import folders, run_program

FOLDERS = folders()
PROGRAM = """
import importlib, sys
importlib.import_module(sys.argv[1])
"""


def run(config: dict) -> None:
    path = [FOLDERS[f"urllib3=={config['urllib3']}"], FOLDERS[f"requests-toolbelt=={config['requests_toolbelt']}"]]
    run_program(PROGRAM, path, config["module"], optimize=config["optimize"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
