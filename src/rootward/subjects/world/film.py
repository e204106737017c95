"""Draw a strip of pictures of one run with MuJoCo's renderer.

A machine without a screen, or without a graphics library, may be unable to draw, and the attempt can crash the process.
So the pictures are drawn in a separate process.
"""

from __future__ import annotations

import os
import pickle
import struct
import subprocess
import sys
import zlib
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from rootward.formats.scenes.scene import SceneModel
from rootward.subjects.world.assembly import assemble, complete_model
from rootward.subjects.world.drive import TICK, Course, Drive

RENDERERS = "egl", "osmesa"
SIZE = 240, 320
"""Height and width of one picture, in pixels."""
MARK = 0.8, 0.15, 0.1, 1.0
PATIENCE = 300.0


def frames(
    world: Course, models: Sequence[SceneModel], seed: int, count: int = 5, marked: Collection[SceneModel] = ()
) -> bytes | None:
    """Return a PNG with ``count`` moments of a run side by side, from first to last; None if the machine cannot draw.

    ``marked``: models to show in red.
    """
    request = pickle.dumps((world, tuple(models), seed, count, {model.index for model in marked}))
    command = [sys.executable, "-P", "-m", "rootward.subjects.world.film"]
    for renderer in RENDERERS:
        env = {**os.environ, "MUJOCO_GL": renderer, "PYTHONPATH": os.pathsep.join(sys.path)}
        try:
            done = subprocess.run(command, input=request, capture_output=True, env=env, timeout=PATIENCE, check=False)
        except subprocess.TimeoutExpired:
            continue
        if done.stdout.startswith(SIGNATURE):
            return done.stdout
    return None


def draw(world: Course, models: tuple[SceneModel, ...], seed: int, count: int, marked: Collection[int] = ()) -> bytes:
    """Draw the pictures in this process.

    The run is simulated twice: first to find out how long it takes, then to draw it.
    """
    import mujoco

    models = tuple(map(complete_model, models))
    assembly = assemble(models, world.start, world.load)
    if assembly is None:
        return b""
    for geometry, place in enumerate(assembly.owners):
        if place >= 0 and models[place].index in marked:
            assembly.physics.geom_rgba[geometry] = MARK
    length = Drive(world, models, assembly, seed).run().trajectory[-1][0]
    times = np.linspace(0.0, max(0.0, length - 2 * TICK), count).tolist()
    pictures: list[Any] = []
    with mujoco.Renderer(assembly.physics, *SIZE) as renderer:

        def watch(data: Any) -> None:
            if len(pictures) < count and data.time >= times[len(pictures)] - TICK / 2:
                renderer.update_scene(data, _camera(data))
                pictures.append(renderer.render())

        Drive(world, models, assembly, seed).run(watch)
    return png(np.concatenate(pictures, axis=1))


def _camera(data: Any) -> Any:
    """Return a camera that looks at the robot from above and from the side."""
    import mujoco

    camera = mujoco.MjvCamera()
    camera.lookat[:] = data.body("robot").xpos
    camera.distance, camera.azimuth, camera.elevation = 4.5, 60.0, -35.0
    return camera


SIGNATURE = b"\x89PNG\r\n\x1a\n"


def png(pixels: Any) -> bytes:
    """Encode a picture (height x width x 3 bytes) as PNG."""
    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    head = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)
    return SIGNATURE + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


if __name__ == "__main__":
    sys.stdout.buffer.write(draw(*pickle.load(sys.stdin.buffer)))
