"""Record the suite: ``python record.py OUT [--fault NAME ...] [--virtual-time]``.

Each case is written to ``OUT/case.asc`` and ``OUT/case.blf``. With faults, the suite is run once for each of them, and
the files are in ``OUT/fault``. Exit code 1 if a case did not pass.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from ecu import FAULTS
from tester import run_all


def main() -> int:
    parser = argparse.ArgumentParser(description="Run the suite against a simulated control unit and record it.")
    parser.add_argument("out", type=Path, metavar="OUT", help="folder for the recordings")
    known = [*FAULTS, "all"]
    parser.add_argument("--fault", action="append", choices=known, metavar="NAME", help="one of " + ", ".join(known))
    parser.add_argument("--virtual-time", action="store_true", help="fast, and the same recordings on every machine")
    options = parser.parse_args()
    chosen = list(FAULTS) if options.fault and "all" in options.fault else options.fault
    runs = [(options.out / fault, [fault]) for fault in chosen] if chosen else [(options.out, [])]
    return max(record(out, faults, options.virtual_time) for out, faults in runs)


def record(out: Path, faults: list[str], simulated: bool) -> int:
    begin = time.perf_counter()
    results = run_all(out, faults=faults, simulated=simulated)
    failed = [result for result in results if result.problem]
    for result in failed:
        print(f"{result.case}: {result.problem}")
    name = ", ".join(faults) or "no fault"
    print(f"{name}: {len(results) - len(failed)} of {len(results)} passed in {time.perf_counter() - begin:.1f} s")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
