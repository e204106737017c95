"""Command lines that run a world in Gazebo without a window, for a given simulated time and with a seed.

Even with a seed, Gazebo is not deterministic: its physics, its plugins and the robot's own programs run in parallel.
Treat its failures as flaky.
"""

from __future__ import annotations

from rootward.errors import InputError

STEP = 0.001
"""Simulated seconds of one step of Gazebo, unless the world sets another value."""


def gz_sim(
    world: str = "{file}", *, seconds: float = 45.0, seed: int | str = "{seed}", record: str | None = None
) -> list[str]:
    """Return the command for gz sim (Harmonic and related versions).

    It runs a server that starts the simulation at once. If ``record`` is given, the server records to this folder.
    """
    logged = [] if record is None else ["--record-path", record]
    return ["gz", "sim", "-s", "-r", "--iterations", _steps(seconds), "--seed", str(seed), *logged, world]


def gzserver(
    world: str = "{file}", *, seconds: float = 45.0, seed: int | str = "{seed}", record: str | None = None
) -> list[str]:
    """Return the command for Gazebo classic (11)."""
    logged = [] if record is None else ["-r", "--record_path", record]
    return ["gzserver", "--seed", str(seed), "--iters", _steps(seconds), *logged, world]


def _steps(seconds: float) -> str:
    if not 0 < seconds < 1e9:
        raise InputError(f"seconds must be a positive number of simulated seconds, got {seconds!r}")
    return str(max(1, round(seconds / STEP)))
