"""Simulate a robot that falls, without a controller."""

import sys

import mujoco

STEPS, LEGS = 400, 3


def judge(path: str) -> int:
    try:
        model = mujoco.MjModel.from_xml_path(path)
    except ValueError:
        return 125
    data = mujoco.MjData(model)
    floors = [i for i in range(model.ngeom) if model.geom_type[i] == mujoco.mjtGeom.mjGEOM_PLANE]
    for _ in range(STEPS):
        mujoco.mj_step(model, data)
        pairs = [{contact.geom1, contact.geom2} for contact in data.contact]
        touching = {geom for pair in pairs if pair & set(floors) for geom in pair - set(floors)}
        if len({model.geom_bodyid[geom] for geom in touching}) >= LEGS:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(judge(sys.argv[1]))
