"""Install the packages that the cases need, each distinct set of pins into its own folder.

Folders that exist are skipped; afterwards the cases run offline. Set ROOTWARD_REAL to the folder given by ``--into``
when you run the corpus.

    ./dev exec python benchmarks/real/install.py [--into FOLDER] [NAME...]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1])]

from real import environments  # noqa: E402
from real.corpus import cases  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description="See the docstring.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="cases whose packages are installed (all)")
    parser.add_argument("--into", type=Path, default=environments.DEFAULT, help="the folder of all environments")
    options = parser.parse_args()
    failed = 0
    for pins in sorted({pins for case in cases(options.names) for pins in case.all_pins}):
        print(", ".join(pins), flush=True)
        try:
            environments.install(pins, options.into)
        except subprocess.CalledProcessError as error:
            failed += 1
            print(f"  failed: exit code {error.returncode}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
