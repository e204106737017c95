"""Simulate a mass on a spring for 2,000 steps."""

import json
import sys

import mujoco

MODEL = """
<mujoco>
  <option gravity="0 0 0" timestep="{timestep!r}" integrator="{integrator}"/>
  <worldbody>
    <body>
      <joint type="slide" axis="1 0 0" stiffness="{stiffness!r}"/>
      <geom size="0.1" mass="{mass!r}"/>
    </body>
  </worldbody>
</mujoco>
"""
STEPS = 2000
mujoco.set_mju_user_warning(lambda message: None)  # otherwise each warning is also written to a file


class Unstable(Exception):
    """MuJoCo gave up and reset the simulation."""


def run(config: dict) -> None:
    model = mujoco.MjModel.from_xml_string(MODEL.format(**config))
    data = mujoco.MjData(model)
    data.qpos[0] = config["start"]
    mujoco.mj_step(model, data, STEPS)
    if any(warning.number for warning in data.warning):
        raise Unstable(f"after {data.time:g} s")


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
