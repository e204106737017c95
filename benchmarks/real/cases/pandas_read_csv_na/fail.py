"""Write a table with a name to CSV and read it as text."""

import csv
import io
import json
import sys

import pandas

QUOTING = {"minimal": csv.QUOTE_MINIMAL, "all": csv.QUOTE_ALL}


class LostName(Exception):
    """The name that was read is another one."""


def run(config: dict) -> None:
    file = io.StringIO()
    writer = csv.writer(file, quoting=QUOTING[config["quoting"]])
    if config["header"]:
        writer.writerow(["name", "city"])
    writer.writerow([config["name"], "Berlin"])
    file.seek(0)
    header = 0 if config["header"] else None
    name = pandas.read_csv(file, dtype=str, header=header, engine=config["engine"]).iloc[0, 0]
    if name != config["name"]:
        raise LostName(repr(name))


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
