"""Pictures of a run, where there is something to draw with."""

import struct
import zlib

import numpy as np
import pytest

from rootward.formats.scenes.scene import SceneModel
from rootward.subjects.world import World, film

pytest.importorskip("mujoco")


def test_a_picture_survives_as_png() -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (5, 7, 3), dtype=np.uint8)
    data = film.png(pixels)
    assert struct.unpack(">2I", data[16:24]) == (7, 5)
    start = data.index(b"IDAT")
    (length,) = struct.unpack(">I", data[start - 4 : start])
    rows = np.frombuffer(zlib.decompress(data[start + 4 : start + 4 + length]), np.uint8).reshape(5, 22)
    assert (rows[:, 1:].reshape(5, 7, 3) == pixels).all()


def test_no_renderer_is_no_crash(floor: SceneModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(film, "RENDERERS", ["nonsense"])
    assert film.frames(World(goal=(1.0, 0.0)), [floor], seed=1) is None


@pytest.mark.rest
@pytest.mark.slow
def test_a_strip_of_a_run(floor: SceneModel, wall: SceneModel) -> None:
    strip = film.frames(World(goal=(4.0, 0.0)), [floor, wall], seed=1, count=3)
    if strip is None:
        pytest.skip("nothing to draw with on this machine")
    assert struct.unpack(">2I", strip[16:24]) == (3 * 320, 240)
