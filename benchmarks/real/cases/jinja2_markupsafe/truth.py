"""MarkupSafe 2.1.0 removed soft_unicode, which Jinja2 2 imports."""

import random

from real.points import Point, grid

SOURCE = "MarkupSafe 2.1.0 changes: soft_unicode removed"
PACKAGES: list[str] = []
JINJA2 = ("2.10.3", "2.11.3", "3.0.3", "3.1.2", "3.1.4")
MARKUPSAFE = ("1.1.1", "2.0.1", "2.1.0", "2.1.5", "3.0.2")
VARIANTS = {
    **{f"jinja2=={version}": [f"jinja2=={version}"] for version in JINJA2},
    **{f"markupsafe=={version}": [f"markupsafe=={version}"] for version in MARKUPSAFE},
}
KIND = "pair"
CONDITION = "jinja2 in {2.10.3, 2.11.3} and markupsafe in {2.1.0, 2.1.5, 3.0.2}"


def fails(config: Point) -> bool:
    return config["jinja2"] in JINJA2[:2] and config["markupsafe"] in MARKUPSAFE[2:]


def points(rng: random.Random) -> list[Point]:
    return grid(jinja2=JINJA2, markupsafe=MARKUPSAFE, template=("value", "macro", "filter"), autoescape=(False, True))
