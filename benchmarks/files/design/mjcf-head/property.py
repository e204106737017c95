"""Simulate a humanoid that falls."""

import sys

import mujoco

STEPS = 400


def judge(path: str) -> int:
    try:
        model = mujoco.MjModel.from_xml_path(path)
    except ValueError:
        return 125
    data = mujoco.MjData(model)
    names = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_GEOM, i) or "" for i in range(model.ngeom)]
    for _ in range(STEPS):
        mujoco.mj_step(model, data)
        for contact in data.contact:
            touching = {names[contact.geom1], names[contact.geom2]}
            if "floor" in touching and any(name.startswith("head") for name in touching):
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(judge(sys.argv[1]))
