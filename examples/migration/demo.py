"""A dump of 174 lines does not load, and SQLite does not say which rows are to blame. Which lines matter?"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
OUT = Path(".rootward/demo")


def run(*argv: str | Path) -> int:
    return subprocess.run(argv).returncode


def main() -> int:
    OUT.mkdir(parents=True, exist_ok=True)
    dump, small, report = HERE / "dump.sql", OUT / "small.sql", OUT / "report.html"
    load = [sys.executable, "-I", HERE / "load.py"]

    print(f"A shop's export of {len(dump.read_text().splitlines())} lines does not load into SQLite:\n")
    print(f"$ python load.py {dump.name}")
    print(subprocess.run([*load, dump], stderr=subprocess.PIPE, text=True).stderr)

    print("Which two rows? The message does not say. Rootward tries smaller and smaller files:\n")
    print(f"$ rootward reduce {dump.name} --signature 'error: (.*)' -- python load.py {{file}}\n", flush=True)
    lab = ["--jobs", "2", "--fresh", "--store", OUT / "demo.db", "--report", report, "-o", small]
    code = run(
        sys.executable, "-m", "rootward", "reduce", dump, *lab, "--signature", "error: (.*)", "--", *load, "{file}"
    )
    if code == 0:
        print("\nSo two accounts share one address, written differently, and the index wants it once.")
    return code


if __name__ == "__main__":
    sys.exit(main())
