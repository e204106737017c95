"""SQLAlchemy 2 has no Engine.execute and does not execute plain texts, which pandas 1.5 relies on; pandas 2.2 does not
know SQLAlchemy 1.4."""

import random

from real.points import Point, grid

SOURCE = "pandas issue 51015 (SQLAlchemy 2.0 with pandas 1.5); pandas 2.2.0: SQLAlchemy 2.0 is the oldest supported"
PACKAGES: list[str] = []
PANDAS = ("1.5.0", "1.5.3", "2.0.3", "2.2.3")
SQLALCHEMY = ("1.4.26", "1.4.46", "1.4.54", "2.0.0", "2.0.36")
ACTIONS = ("query", "text query", "table", "write")
OTHERS = ["numpy==1.26.4", "python-dateutil==2.9.0.post0", "pytz==2024.2", "tzdata==2024.2"]
VARIANTS = {
    **{f"pandas=={version}": [f"pandas=={version}", *OTHERS] for version in PANDAS},
    **{f"sqlalchemy=={version}": [f"sqlalchemy=={version}"] for version in SQLALCHEMY},
}
KIND = "pair"
CONDITION = (
    "AttributeError: pandas in {1.5.0, 1.5.3} and sqlalchemy in {2.0.0, 2.0.36} and connection = engine and action != "
    "write, or pandas = 2.2.3 and sqlalchemy in {1.4.26, 1.4.46, 1.4.54} and action != text query; TypeError: the same "
    "versions with action = text query; ObjectNotExecutableError: pandas in {1.5.0, 1.5.3} and sqlalchemy in {2.0.0, "
    "2.0.36} and action = query and connection = connection"
)


def fails(config: Point) -> bool | str:
    action, by_engine = config["action"], config["connection"] == "engine"
    new = config["sqlalchemy"] in SQLALCHEMY[3:]
    if config["pandas"] == "2.2.3" and not new:
        return "TypeError" if action == "text query" else "AttributeError"
    if config["pandas"] in PANDAS[:2] and new and by_engine:
        return "AttributeError" if action != "write" else False
    executed = config["pandas"] in PANDAS[:2] and new and action == "query"
    return "ObjectNotExecutableError" if executed else False


def points(rng: random.Random) -> list[Point]:
    return grid(pandas=PANDAS, sqlalchemy=SQLALCHEMY, action=ACTIONS, connection=("engine", "connection"))
