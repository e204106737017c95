"""Let a driver who follows the intelligent driver model approach a parked car."""

import json
import sys

import numpy
from highway_env.road.road import Road, RoadNetwork
from highway_env.vehicle.behavior import IDMVehicle
from highway_env.vehicle.kinematics import Vehicle

MAX_SECONDS = 40
STANDSTILL = 0.5
"""Metres a second."""


class Crash(Exception):
    """The cars collided."""


def run(config: dict) -> None:
    network = RoadNetwork.straight_road_network(1, speed_limit=40)
    road = Road(network, np_random=numpy.random.RandomState(0))
    lane, speed, frequency = network.get_lane(("0", "1", 0)), config["speed"], config["frequency"]
    driver = IDMVehicle(road, lane.position(0, 0), speed=speed, target_speed=speed, enable_lane_change=False)
    road.vehicles = [driver, Vehicle(road, lane.position(config["gap"], 0), speed=0)]
    for _ in range(MAX_SECONDS * frequency):
        road.act()
        road.step(1 / frequency)
        if driver.crashed:
            raise Crash(f"at {driver.speed:g} m/s")
        if driver.speed < STANDSTILL:
            return


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
