"""Compile a folder of sources as two standards."""

import subprocess
import sys
from pathlib import Path


def judge(path: str) -> int:
    sources = sorted(Path(path).rglob("*.cpp"))
    if not sources:
        return 0
    options = ["-I", path, "-fsyntax-only", "-Werror=deprecated-declarations", *sources]
    if subprocess.run(["g++", "-std=c++17", *options], capture_output=True).returncode == 0:
        return 0
    return int(subprocess.run(["g++", "-std=c++14", *options], capture_output=True).returncode == 0)


if __name__ == "__main__":
    sys.exit(judge(sys.argv[1]))
