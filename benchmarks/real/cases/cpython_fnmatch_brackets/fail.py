"""Look for a file by its own name, as glob and --exclude options do."""

import fnmatch
import json
import sys


def run(config: dict) -> None:
    path = f"{config['folder']}/{config['name']}"
    match = fnmatch.fnmatchcase if config["case_sensitive"] else fnmatch.fnmatch
    assert match(path, path), path


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
