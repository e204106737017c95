"""Install the packages that the properties need, and say which Debian packages and reducers are missing.

Folders that exist are skipped; afterwards the cases run offline. Set ROOTWARD_REAL to the folder given by ``--into``
when you measure. ``--reducers`` also installs shrinkray, picire and picireny into virtual environments.

    ./dev exec python benchmarks/files/install.py [--into FOLDER] [--reducers] [NAME ...]
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1])]

from real import environments  # noqa: E402

from files import tools  # noqa: E402
from files.corpus import cases  # noqa: E402

OLDEST = {"shrinkray": "python3.12"}
"""The Python that a reducer needs, if it is newer than ours."""
REDUCERS = {"shrinkray": ["shrinkray==26.9.13.0"], "picire": ["picire==21.8", "picireny==21.8", "setuptools<81"]}


def main() -> int:
    parser = argparse.ArgumentParser(description="See the docstring.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="cases whose packages are installed (all)")
    parser.add_argument("--into", type=Path, default=environments.DEFAULT, help="the folder of all environments")
    parser.add_argument("--reducers", action="store_true", help="also install reducers from PyPI")
    options = parser.parse_args()
    failed = 0
    for pins in sorted({tuple(sorted(case.packages)) for case in cases(options.names)}):
        print(", ".join(pins) or "nothing", flush=True)
        try:
            environments.install(pins, options.into)
        except subprocess.CalledProcessError as error:
            failed += 1
            print(f"  failed: exit code {error.returncode}", flush=True)
    for name, pins in REDUCERS.items() if options.reducers else ():
        folder = tools.REDUCERS / name
        if not folder.exists():
            if (python := shutil.which(OLDEST.get(name, sys.executable))) is None:
                print(f"{name}: needs {OLDEST[name]}")
                continue
            subprocess.run([python, "-m", "venv", folder], check=True)
            subprocess.run([folder / "bin" / "pip", "install", "--quiet", *pins], check=True)
    for case in cases(options.names):
        if case.missing:
            print(f"{case.name}: {case.missing}")
    for name in tools.TOOLS:
        print(f"{name}: {tools.version_of(name) or 'not installed'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
