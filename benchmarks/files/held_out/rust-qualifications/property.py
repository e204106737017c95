"""Compile with and without a warning as an error."""

import subprocess
import sys

RUSTC = ["rustc", "--crate-type", "lib", "--emit", "metadata", "-o", "out.rmeta", "--cap-lints", "warn"]
WARN = [*RUSTC[:-2], "-A", "warnings", "-D", "unused_qualifications"]


def judge(path: str) -> int:
    if subprocess.run([*WARN, path], capture_output=True).returncode == 0:
        return 0
    return int(subprocess.run([*RUSTC, path], capture_output=True).returncode == 0)


if __name__ == "__main__":
    sys.exit(judge(sys.argv[1]))
