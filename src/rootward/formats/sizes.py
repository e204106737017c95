"""An amount of memory as people write it: ``512M``."""

from __future__ import annotations

import re

from rootward.errors import InputError

_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}
_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\s*", re.IGNORECASE)


def bytes_of(size: str | int) -> int:
    """``2G``, ``1.5 GiB`` or ``4096`` as a number of bytes; K is 1024."""
    match = _SIZE.fullmatch(str(size))
    amount = int(float(match[1]) * 1024 ** _POWERS[match[2].upper()]) if match else 0
    if amount < 1:
        raise InputError(f"expected an amount of memory such as 512M or 2G, got {size!r}")
    return amount
