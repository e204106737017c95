"""Read with two parsers that disagree."""

import sys

import yaml
from ruamel.yaml import YAML, YAMLError


def judge(path: str) -> int:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        ours = yaml.safe_load(text)
        theirs = YAML(typ="safe", pure=True).load(text)
    except (yaml.YAMLError, YAMLError, ValueError):
        return 0
    return int(repr(ours) != repr(theirs))


if __name__ == "__main__":
    sys.exit(judge(sys.argv[1]))
