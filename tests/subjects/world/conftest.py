"""Small scenes to put a robot into."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rootward.formats.scenes.scene import Pose, SceneModel, Shape

Make = Callable[..., SceneModel]


@pytest.fixture
def box() -> Make:
    def make(
        name: str, size: tuple[float, ...], at: tuple[float, ...], *, friction: float | None = None, **more: object
    ) -> SceneModel:
        shape = Shape("box", size, friction=friction)
        return SceneModel(more.pop("index", 0), name, Pose(*at), (shape,), **{"static": True, **more})  # type: ignore[arg-type]

    return make


@pytest.fixture
def floor(box: Make) -> SceneModel:
    return box("floor", (30.0, 30.0, 0.2), (0.0, 0.0, -0.1))


@pytest.fixture
def wall(box: Make) -> SceneModel:
    return box("wall", (0.2, 4.0, 1.0), (2.0, 0.0, 0.5), index=1)
