"""Count the missing cells of text columns with two readers that disagree."""

import csv
import sys

import pandas

COLUMNS = ("iata", "name", "city", "state")


def judge(path: str) -> int:
    try:
        with open(path, newline="", encoding="utf-8") as file:
            lines = list(csv.DictReader(file, strict=True))
        table = pandas.read_csv(path)
    except (ValueError, csv.Error):
        return 0
    ours = sum(not line.get(name) for line in lines for name in COLUMNS if name in line)
    theirs = sum(int(table[name].isna().sum()) for name in COLUMNS if name in table)
    return int(theirs > ours)


if __name__ == "__main__":
    sys.exit(judge(sys.argv[1]))
