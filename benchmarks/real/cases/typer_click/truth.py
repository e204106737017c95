"""Click 8.2 changed the signature of Parameter.make_metavar, which the help of Typer calls."""

import random

from real.points import Point, grid

SOURCE = "Typer 0.16.0 release notes: compatibility with Click 8.2"
PACKAGES: list[str] = []
TYPER = ("0.9.4", "0.12.5", "0.15.1", "0.15.3", "0.15.4", "0.16.0")
CLICK = ("8.0.4", "8.1.3", "8.1.8", "8.2.0", "8.2.1")
VARIANTS = {
    **{f"typer=={version}": [f"typer=={version}", "rich==13.9.4", "shellingham==1.5.4"] for version in TYPER},
    **{f"click=={version}": [f"click=={version}"] for version in CLICK},
}
KIND = "pair"
CONDITION = (
    "action = help and click in {8.2.0, 8.2.1} and typer != 0.16.0, except a flag without markup if typer != 0.9.4 "
    "(which ignores the markup)"
)


def fails(config: Point) -> bool:
    plain_flag = config["parameter"] == "flag" and config["markup"] == "none" and config["typer"] != "0.9.4"
    broken = config["click"] in ("8.2.0", "8.2.1") and config["typer"] != "0.16.0"
    return config["action"] == "help" and broken and not plain_flag


def points(rng: random.Random) -> list[Point]:
    return grid(
        typer=TYPER,
        click=CLICK,
        parameter=("flag", "option", "argument"),
        markup=("none", "rich"),
        action=("help", "run"),
    )
