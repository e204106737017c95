"""Measure ``diagnose`` on failures of public software, beside a decision tree, ALO-Trees, HPSL and Hypothesis.

The cases are in `benchmarks/real`; install their packages first (`benchmarks/real/install.py`). Half of them, chosen by
a hash of their names, were looked at during development (*design*); the other half was only measured (*held-out*). A
held-out case that was opened to learn from it counts as *design* from then on. A claim is judged on the points of its
case: the whole space, or a dense grid and points on both sides of every border, and also at the border and the
constants of the claim itself. Where a claim says "unless another failure comes first", points at which another failure
shows are not counted.

Columns:

- *stated*: share of diagnoses that state the true condition of the failure in the study. It must agree on all points;
  only the last bits of floats may differ.
- *certain*: share of diagnoses that are certain of it.
- *certain and false*: number of claims, about this or another failure, that are called certain and are wrong.
- *accuracy*: balanced accuracy of the stated condition; *precision* and *recall* likewise, on the points of the case.
- *trials*: runs of the software.
- *ms*: processor time of Rootward itself for each trial, in milliseconds.

Accuracy, precision, recall, trials and ms: the median, with the worst in parentheses. Cases without a simple condition
are in a row of their own: there, the right answer is not to claim one. Results are kept in a file, so that a run can be
resumed; those of other sources of Rootward or of the cases are ignored.
"""

from __future__ import annotations

import argparse

from real.run import measure


def main() -> None:
    parser = argparse.ArgumentParser(description="See the docstring.")
    parser.add_argument("--seeds", type=int, default=3, help="number of diagnoses of each case (3)")
    print((__doc__ or "").strip())
    measure(half="all", seeds=parser.parse_args().seeds, peers=True, details=False)


if __name__ == "__main__":
    main()
