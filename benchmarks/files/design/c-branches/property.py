"""Compile with and without a warning as an error."""

import subprocess
import sys

GCC = ["gcc", "-x", "cpp-output", "-fsyntax-only", "-w"]
WARN = ["gcc", "-x", "cpp-output", "-fsyntax-only", "-Werror=duplicated-branches"]


def judge(path: str) -> int:
    if subprocess.run([*WARN, path], capture_output=True).returncode == 0:
        return 0
    return int(subprocess.run([*GCC, path], capture_output=True).returncode == 0)


if __name__ == "__main__":
    sys.exit(judge(sys.argv[1]))
