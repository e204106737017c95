"""Let a car drive up to a car that stands on the road."""

import json
import os
import subprocess
import sys
import tempfile

import libsumo
import sumo

ROUTES = """
<routes>
  <vType id="car" carFollowModel="{model}" sigma="0" tau="{tau!r}" minGap="2.5" maxSpeed="{speed}" speedDev="0"/>
  <route id="road" edges="road"/>
  <vehicle id="standing" type="car" route="road" depart="0" departPos="400" departSpeed="0">
    <stop lane="road_0" endPos="401" duration="1000"/>
  </vehicle>
  <vehicle id="moving" type="car" route="road" depart="0" departPos="100" departSpeed="{speed}"/>
</routes>
"""
MAX_SECONDS = 120
STANDSTILL = 0.01
"""Metres a second."""


class Collision(Exception):
    """The cars collided."""


def build_road(folder: str) -> str:
    """Write a straight road and return the path of its file."""
    nodes, edges, net = (os.path.join(folder, name) for name in ("road.nod.xml", "road.edg.xml", "road.net.xml"))
    with open(nodes, "w") as file:
        file.write('<nodes><node id="a" x="0" y="0"/><node id="b" x="1000" y="0"/></nodes>')
    with open(edges, "w") as file:
        file.write('<edges><edge id="road" from="a" to="b" numLanes="1" speed="60"/></edges>')
    netconvert = os.path.join(sumo.SUMO_HOME, "bin", "netconvert")
    subprocess.run([netconvert, "-n", nodes, "-e", edges, "-o", net], check=True, capture_output=True)
    return net


FOLDER = tempfile.TemporaryDirectory()
ROAD = build_road(FOLDER.name)


def run(config: dict) -> None:
    routes = os.path.join(FOLDER.name, "cars.rou.xml")
    with open(routes, "w") as file:
        file.write(ROUTES.format(**config))
    options = [
        "--step-length",
        repr(config["step_length"]),
        "--collision.action",
        "warn",
        "--no-step-log",
        "--no-warnings",
    ]
    libsumo.start(["sumo", "-n", ROAD, "-r", routes, *options])
    try:
        while libsumo.simulation.getTime() < MAX_SECONDS:
            libsumo.simulationStep()
            if libsumo.simulation.getCollidingVehiclesNumber():
                raise Collision(f"after {libsumo.simulation.getTime():g} s")
            if "moving" in libsumo.vehicle.getIDList() and libsumo.vehicle.getSpeed("moving") < STANDSTILL:
                return
    finally:
        libsumo.close()


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
