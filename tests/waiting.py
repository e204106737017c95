"""Waiting for what is to happen, however busy the machine is: no test depends on how long something takes.

Where the point is that something costs little, its CPU time has a limit that only another order of growth can reach.
"""

from __future__ import annotations

import gc
import subprocess
import time
from collections.abc import Callable
from typing import Any

import pytest

PATIENCE = 240
"""Seconds after which something is taken to hang: a guard only, far above what a busy machine needs."""


def until(condition: Callable[[], Any], what: str, process: subprocess.Popen[Any] | None = None) -> Any:
    """Wait for the condition and return what it gave.

    The test fails if it never comes true, or if the process that is to bring it about has ended.
    """
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        ended = process is not None and process.poll() is not None
        if ended and (found := condition()):  # it may have been the last thing that the process did
            return found
        if ended or time.monotonic() > end:
            pytest.fail(f"{'its process ended' if ended else f'{PATIENCE} s passed'}, and still not: {what}")
        time.sleep(0.005)
    return found


def cpu_seconds(action: Callable[[], Any]) -> float:
    """Return the CPU time of this process that the action takes; other processes do not make it much longer.

    Garbage is not collected meanwhile: that takes the longer the more objects earlier tests have left.
    """
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        action()
        return time.process_time() - start
    finally:
        gc.enable()
