"""Command lines that run a world in Gazebo without a window, for a given number of steps and with a seed.

Gazebo is not deterministic even so: its physics, its plugins and the robot's own programs run side by side. Treat its
failures as flaky.
"""

from __future__ import annotations

from rootward.errors import InputError

STEP = 0.001
"""Seconds that one step of Gazebo takes unless the world says otherwise."""


def gz_sim(
    world: str = "{file}", *, seconds: float = 45.0, seed: int | str = "{seed}", record: str | None = None
) -> list[str]:
    """For gz sim (Harmonic and its kin): a server that starts at once, with its log in the folder ``record``."""
    logged = [] if record is None else ["--record-path", record]
    return ["gz", "sim", "-s", "-r", "--iterations", _steps(seconds), "--seed", str(seed), *logged, world]


def gzserver(
    world: str = "{file}", *, seconds: float = 45.0, seed: int | str = "{seed}", record: str | None = None
) -> list[str]:
    """For Gazebo classic (11)."""
    logged = [] if record is None else ["-r", "--record_path", record]
    return ["gzserver", "--seed", str(seed), "--iters", _steps(seconds), *logged, world]


def _steps(seconds: float) -> str:
    if not 0 < seconds < 1e9:
        raise InputError(f"a run takes a positive number of simulated seconds, not {seconds!r}")
    return str(max(1, round(seconds / STEP)))
