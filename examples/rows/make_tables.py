"""Write the tables of this example: three good nightly exports of a shop, and one that makes the job fail."""

from __future__ import annotations

import csv
import random
from pathlib import Path

HERE = Path(__file__).parent
PRODUCTS = 400


def export(night: int) -> list[dict[str, str]]:
    """Return the export of a night: each has a few more ratings and slightly different prices."""
    fixed, moving = random.Random("products"), random.Random(night)
    rows = []
    for i in range(PRODUCTS):
        price = fixed.uniform(5, 80)
        paid = price * moving.uniform(0.97, 1.03)
        rows.append(
            {
                "product": f"P{i:04}",
                "ratings": str(fixed.randrange(20, 400) + night * moving.randrange(3)),
                "verdict": fixed.choice(["good", "good", "bad"]),
                "list_price": f"{price:.2f}",
                "paid": f"{paid:.2f}",
            }
        )
    return rows


def main() -> None:
    for night in (1, 2, 3):
        write(f"night{night}.csv", export(night))
    tonight = export(4)
    tonight[271]["verdict"] = "very good"
    tonight[58]["ratings"] = ""
    tonight[333]["list_price"], tonight[333]["paid"] = "12.00", "71.50"  # neither value alone is unusual
    write("tonight.csv", tonight)


def write(name: str, rows: list[dict[str, str]]) -> None:
    with open(HERE / name, "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


if __name__ == "__main__":
    main()
