"""Check cases: the property holds of the input, does not of an empty file, and gives the same answer when asked again.

./dev exec python benchmarks/files/check.py [NAME ...]
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1])]

from files.corpus import Case, cases, files_of  # noqa: E402
from files.measure import PASSING, judge_once  # noqa: E402


def check(case: Case) -> str:
    """Return what is wrong, or an empty text."""
    if case.missing:
        return case.missing
    codes = {judge_once(case, case.input) for _ in range(2)}
    if len(codes) > 1 or codes & set(PASSING):
        return f"the property does not hold of the input: exit codes {sorted(codes)}"
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder) / case.input.name
        if case.input.is_dir():
            shutil.copytree(case.input, empty)
            for path in files_of(empty):
                path.unlink()
        else:
            empty.touch()
        if (code := judge_once(case, empty)) not in PASSING:
            return f"the property holds of an empty input: exit code {code}"
    return ""


def main() -> int:
    wrong = 0
    for case in cases(sys.argv[1:]):
        start = time.monotonic()
        problem = check(case)
        wrong += bool(problem)
        print(f"{case.name}: {problem or 'as documented'}, {(time.monotonic() - start) / 3:.2f} s each", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
