"""Parse with two parsers that disagree."""

import shutil
import subprocess
import sys

import esprima


def judge(path: str) -> int:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        esprima.parseScript(text)
        return 0
    except (esprima.Error, RecursionError):
        shutil.copyfile(path, "script.js")
        return int(subprocess.run(["node", "--check", "script.js"], capture_output=True).returncode == 0)


if __name__ == "__main__":
    sys.exit(judge(sys.argv[1]))
