"""Join customers with their orders."""

import json
import sys

import pandas


def run(config: dict) -> None:
    customers = pandas.DataFrame({"customer": [1, 2, 3], "city": ["Bonn", "Kiel", "Ulm"]})
    orders = pandas.DataFrame({"customer": [1, 1, 3], "payer": [1, 2, 3], "price": [9.5, 20.0, 3.0]})
    on, left_on, right_on, validate = (
        None if config[name] == "none" else config[name] for name in ("on", "left_on", "right_on", "validate")
    )
    pandas.merge(
        customers,
        orders,
        how=config["how"],
        on=on,
        left_on=left_on,
        right_on=right_on,
        left_index=config["left_index"],
        right_index=config["right_index"],
        validate=validate,
        indicator=config["indicator"],
    )


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
