"""Counted work, for the cases about slowness: the same on every machine, other than seconds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


class TooSlow(Exception):
    """It took more calls than allowed."""


def limit_calls(work: Callable[[], Any], max_calls: int) -> Any:
    """Return what the work returns, or raise TooSlow at the first call of a function beyond the limit."""
    calls = 0

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal calls
        if event in ("call", "c_call"):
            calls += 1
            if calls > max_calls:
                sys.setprofile(None)
                raise TooSlow(f"more than {max_calls} calls")

    sys.setprofile(count)
    try:
        return work()
    finally:
        sys.setprofile(None)
