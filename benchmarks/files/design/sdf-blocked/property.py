"""Roll a ball through a world whose boxes do not move."""

import sys
import xml.etree.ElementTree as ET

import mujoco
import numpy as np

START, SPEED, RADIUS = (-5.0, 0.15, 0.25), 3.0, 0.2
STEPS, BLOCKED, FALLEN = 2000, 2.0, 0.1
"""Steps of 2 ms; the ball is blocked if it did not get as far as this x, and fell if it is below this z."""


def judge(path: str) -> int:
    try:
        world = ET.parse(path).getroot().find("world")
        spec = scene(world)
        model = spec.compile()
    except (ET.ParseError, ValueError, AttributeError, TypeError):
        return 125
    data = mujoco.MjData(model)
    data.qvel[0], data.qvel[4] = SPEED, SPEED / RADIUS
    for _ in range(STEPS):
        mujoco.mj_step(model, data)
        if data.qpos[2] < FALLEN or data.qpos[0] > BLOCKED:
            return 0
    return 1


def scene(world: ET.Element) -> mujoco.MjSpec:
    spec = mujoco.MjSpec()
    ball = spec.worldbody.add_body(pos=START)
    ball.add_freejoint()
    ball.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[RADIUS, 0, 0])
    for model in world.findall("model"):
        body = add(spec.worldbody, model)
        for link in model.findall("link"):
            part = add(body, link)
            for collision in link.findall("collision"):
                size = numbers(collision.find("geometry").find("box").find("size"), 3)
                boxed = add(part, collision)
                boxed.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=[number / 2 for number in size])
    return spec


def add(parent, element: ET.Element):
    pose = element.find("pose")
    values = numbers(pose, 6) if pose is not None else [0.0] * 6
    return parent.add_body(pos=values[:3], quat=quaternion(*values[3:]))


def numbers(element: ET.Element, count: int) -> list[float]:
    values = [float(word) for word in element.text.split()]
    if len(values) != count:
        raise ValueError(f"{count} numbers expected")
    return values


def quaternion(roll: float, pitch: float, yaw: float) -> np.ndarray:
    result = np.zeros(4)
    mujoco.mju_euler2Quat(result, np.array([roll, pitch, yaw]), "XYZ")
    return result


if __name__ == "__main__":
    sys.exit(judge(sys.argv[1]))
