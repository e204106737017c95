"""Parse with two parsers that disagree."""

import subprocess
import sys

import bashlex


def judge(path: str) -> int:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        bashlex.parse(text)
    except Exception:
        bash = subprocess.run(["bash", "-n", path], capture_output=True)
        return int(bash.returncode == 0 and not bash.stderr and bool(text.strip()))
    return 0


if __name__ == "__main__":
    sys.exit(judge(sys.argv[1]))
