"""The sum of two temperatures with an offset has no meaning, nor have products, unless they are converted to kelvin."""

import random

from real.points import Point, grid

SOURCE = "Pint documentation, Temperature conversion: OffsetUnitCalculusError, autoconvert_offset_to_baseunit"
PACKAGES = ["pint==0.23"]
KIND = "options"
CONDITION = (
    "operation = add, and one unit is degC or degF and the other one is not delta_degC; "
    "or operation = mul or truediv, one of the units is degC or degF, and not autoconvert"
)
UNITS = ("degC", "degF", "kelvin", "delta_degC")


def fails(config: Point) -> bool:
    units = {config["unit"], config["other_unit"]}
    if not units & {"degC", "degF"} or config["operation"] == "sub":
        return False
    return "delta_degC" not in units if config["operation"] == "add" else not config["autoconvert"]


def points(rng: random.Random) -> list[Point]:
    choices = grid(operation=("add", "sub", "mul", "truediv"), unit=UNITS, other_unit=UNITS, autoconvert=(False, True))
    values = [(-40, 1), (200, 200), (0, 1), *((rng.randint(-40, 200), rng.randint(1, 200)) for _ in range(30))]
    return [{**choice, "value": value, "other_value": other} for choice in choices for value, other in values]
