"""Two versions of one check in a copter's attitude control, side by side.

    python3 attitude.py state.json

In acro mode, a trainer can keep the copter from rolling too far: if it is set to LIMITED and the roll angle is beyond
a limit, it is turned back. Exit code 1 if the versions before and after the fix decide differently.
"""

import json
import sys

OFF, LEVELLING, LIMITED = 0, 1, 2
"""The settings of the trainer."""


def limits_before(acro_roll, angle_max, acro_trainer):
    """Return True if the roll is limited. Angles are in hundredths of a degree."""
    return abs(acro_roll) > 4500 and acro_trainer == LIMITED


def limits_after(acro_roll, angle_max, acro_trainer):
    return abs(acro_roll) > angle_max and acro_trainer == LIMITED


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        state = json.load(file)
    if limits_before(**state) != limits_after(**state):
        sys.exit("the roll limit is wrong")
