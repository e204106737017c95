"""Calculate with two temperatures."""

import json
import operator
import sys

import pint

REGISTRIES = {
    autoconvert: pint.UnitRegistry(autoconvert_offset_to_baseunit=autoconvert) for autoconvert in (False, True)
}


def run(config: dict) -> None:
    registry = REGISTRIES[config["autoconvert"]]
    one = registry.Quantity(config["value"], config["unit"])
    other = registry.Quantity(config["other_value"], config["other_unit"])
    getattr(operator, config["operation"])(one, other)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
