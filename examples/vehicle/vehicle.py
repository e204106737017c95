"""The drive-by-wire controller of a small vehicle, and a checker that watches it.

    python3 vehicle.py messages.json

The file holds the messages M0 (start), M1, M2, ... (one for each cycle). Exit code 1 if the vehicle was faster than
allowed and the controller did not stop it.
"""

import json
import sys

MANUAL, HOLDING, DRIVING, STOPPED = "manual", "holding", "driving", "stopped"
LIMITS = {HOLDING: 0.0, DRIVING: 15.0}  # m/s while the computer is in charge; a human driver has no limit


class Controller:
    """Takes over from the driver, drives, and stops when driving is no longer safe."""

    def __init__(self, start):
        self.enabled = start["InitialMode"] != 0
        self.mode = MANUAL

    def cycle(self, message):
        """Handle one message; return True if a safety stop is commanded."""
        stop = self.mode in LIMITS and self.is_unsafe(message)
        self.mode = STOPPED if stop else self.next_mode(message)
        return stop

    def is_unsafe(self, message):
        too_fast = message["ActualSpeed"] > LIMITS[self.mode]
        return too_fast or message["EStopButton"] or not message["SystemConnected"]

    def next_mode(self, message):
        parked = message["BrakeApplied"] and message["CurrentGear"] == 0 and not message["MotorOn"]
        if self.mode == MANUAL and parked and self.may_take_over(message):
            return HOLDING
        if self.mode == HOLDING and message["MotorOn"] and not message["BrakeApplied"]:
            return DRIVING
        return self.mode

    def may_take_over(self, message):
        released = not message["EStopButton"] and message["IsStopped"] == 0
        return self.enabled and message["SystemConnected"] and released


def check(messages):
    """Return the cycles in which a safety stop was due and did not come.

    Requirement: while the computer is in charge, a vehicle that is faster than the limit, in either direction, is
    stopped in the same cycle.
    """
    start, *cycles = messages.values()
    controller = Controller(start)
    missed = []
    for number, message in enumerate(cycles, 1):
        limit = LIMITS.get(controller.mode)
        stopped = controller.cycle(message)
        if limit is not None and abs(message["ActualSpeed"]) > limit and not stopped:
            missed.append(number)
    return missed


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        missed = check(json.load(file))
    if missed:
        sys.exit("over-speed without a safety stop")
