"""Write a cell of a table in a dialect of CSV."""

import csv
import io
import json
import sys

QUOTING = {
    "minimal": csv.QUOTE_MINIMAL,
    "all": csv.QUOTE_ALL,
    "nonnumeric": csv.QUOTE_NONNUMERIC,
    "none": csv.QUOTE_NONE,
}


def run(config: dict) -> None:
    writer = csv.writer(
        io.StringIO(),
        delimiter="\t" if config["delimiter"] == "tab" else config["delimiter"],
        quoting=QUOTING[config["quoting"]],
        doublequote=config["doublequote"],
        escapechar=None if config["escapechar"] == "none" else "\\",
    )
    writer.writerow(["id", config["cell"]])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
