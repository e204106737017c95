"""Compile with two compilers that disagree."""

import subprocess
import sys

UNDECLARED = b"'__PRETTY_FUNCTION__' undeclared"


def judge(path: str) -> int:
    # Never -o /dev/null: tcc removes its output first, and for root that replaces the device.
    tcc = subprocess.run(["tcc", "-w", "-c", "-o", "out.o", path], capture_output=True)
    if UNDECLARED not in tcc.stderr:
        return 0
    gcc = subprocess.run(["gcc", "-w", "-x", "cpp-output", "-fsyntax-only", path], capture_output=True)
    return int(gcc.returncode == 0)


if __name__ == "__main__":
    sys.exit(judge(sys.argv[1]))
