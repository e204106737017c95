"""Parse with two shells that disagree."""

import subprocess
import sys


def judge(path: str) -> int:
    if subprocess.run(["dash", "-n", path], capture_output=True).returncode == 0:
        return 0
    # bash says what is wrong with a part that it can skip, too.
    bash = subprocess.run(["bash", "-n", path], capture_output=True)
    return int(bash.returncode == 0 and not bash.stderr)


if __name__ == "__main__":
    sys.exit(judge(sys.argv[1]))
