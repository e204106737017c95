"""Runs of a program with chosen versions of its packages, for the cases about pairs of packages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence

WRAPPER = """
import json, sys
program = sys.argv.pop(1)
try:
    exec(program, {"__name__": "__main__"})
except Exception as error:
    print("\\n" + json.dumps([type(error).__name__, str(error)]))
    sys.exit(1)
"""


def folders() -> dict[str, str]:
    """Return the folder of each installed package, by its pin. Call it while fail.py is imported."""
    found: dict[str, str] = json.loads(os.environ["VARIANTS"])
    return found


def run_program(program: str, path: Sequence[str], *arguments: str, optimize: bool = False) -> None:
    """Run a program in a fresh interpreter that sees only these folders, and raise what it did not catch.

    An earlier folder hides the packages that a later one has, too. The exception has the name and the message of the
    one in the program, not its class. ``optimize``: with the flag -O, which removes assertions.
    """
    flags = ["-S", "-s", "-W", "ignore", *(["-O"] if optimize else [])]
    command = [sys.executable, *flags, "-c", WRAPPER, program, *arguments]
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    if done.returncode:
        name, message = json.loads(done.stdout.splitlines()[-1])
        raise type(name, (Exception,), {})(message)
