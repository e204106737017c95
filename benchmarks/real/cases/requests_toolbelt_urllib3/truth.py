"""urllib3 2 has no urllib3.contrib.appengine, which requests-toolbelt imported."""

import random

from real.points import Point, grid

SOURCE = "requests-toolbelt 1.0.0 (2023-05-01): fixed compatibility with urllib3 2, appengine removed"
PACKAGES: list[str] = []
TOOLBELT = ("0.9.1", "0.10.0", "0.10.1", "1.0.0")
URLLIB3 = ("1.25.11", "1.26.18", "2.0.2", "2.2.3")
VARIANTS = {
    **{f"requests-toolbelt=={version}": [f"requests-toolbelt=={version}", "requests==2.31.0"] for version in TOOLBELT},
    **{f"urllib3=={version}": [f"urllib3=={version}"] for version in URLLIB3},
}
KIND = "pair"
APPENGINE = "requests_toolbelt.adapters.appengine"
MODULES = (
    "requests_toolbelt",
    "requests_toolbelt.multipart",
    "requests_toolbelt.sessions",
    "requests_toolbelt.adapters.ssl",
    APPENGINE,
    "requests_toolbelt.utils.dump",
)
CONDITION = (
    "requests_toolbelt != 1.0.0 and urllib3 in {2.0.2, 2.2.3}; or requests_toolbelt = 1.0.0 and module = "
    "requests_toolbelt.adapters.appengine"
)


def fails(config: Point) -> bool:
    if config["requests_toolbelt"] == "1.0.0":
        return bool(config["module"] == APPENGINE)
    return config["urllib3"] in ("2.0.2", "2.2.3")


def points(rng: random.Random) -> list[Point]:
    return grid(requests_toolbelt=TOOLBELT, urllib3=URLLIB3, module=MODULES, optimize=(False, True))
