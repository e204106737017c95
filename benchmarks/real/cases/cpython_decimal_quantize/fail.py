"""Give an amount a fixed number of decimal places."""

import json
import sys
from decimal import Context, Decimal


def run(config: dict) -> None:
    context = Context(prec=config["precision"], rounding=config["rounding"])
    Decimal(config["amount"]).quantize(Decimal(1).scaleb(-config["places"]), context=context)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
