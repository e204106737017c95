"""Write a table as JSON."""

import json
import sys

import pandas


def run(config: dict) -> None:
    table = pandas.DataFrame({"name": ["pen", "ink"], "price": [1.5, 20.25]})
    table["day"] = pandas.to_datetime(["2024-01-01", "2024-02-01"])
    table.to_json(
        orient=config["orient"],
        lines=config["lines"],
        index=config["index"],
        date_format=config["date_format"],
        double_precision=config["double_precision"],
        force_ascii=config["force_ascii"],
        indent=config["indent"],
    )


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
