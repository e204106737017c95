"""Run with two versions of the language."""

import subprocess
import sys

SECONDS = 5


def judge(path: str) -> int:
    return int(runs("lua5.1", path) and not runs("lua5.4", path))


def runs(program: str, path: str) -> bool:
    done = subprocess.run([program, path], stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(judge(sys.argv[1]))
