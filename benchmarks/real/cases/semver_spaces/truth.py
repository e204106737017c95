"""The expression for a range from one version to another tries every way to divide the spaces.

50 spaces take less than 20 ms, 150 about 400 ms.
"""

import random

from real.points import Point, grid

SOURCE = "https://github.com/advisories/GHSA-c2qf-rxjj-qqgw (CVE-2022-25883)"
PACKAGES = ["npm:semver@7.5.1"]
KIND = "slow"
CONDITION = "spaces = 150 and (after is - or b, or after is - 2.0.0 and before is not 1.2.3)"


def fails(config: Point) -> bool:
    if config["spaces"] < 150:
        return False
    return config["after"] in ("-", "b") or (config["after"] == "- 2.0.0" and config["before"] != "1.2.3")


def points(rng: random.Random) -> list[Point]:
    return grid(
        before=("1.2.3", "^1.2", ">", "~", "a"),
        spaces=(0, 1, 10, 50, 150),
        after=("", "1", "<2.0.0", "- 2.0.0", "-", "b"),
        loose=(False, True),
    )
