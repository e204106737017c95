"""Symmetric-log compression: numbers of every magnitude on one short axis, on which distances are meaningful.

Values that trigger failures are spread over orders of magnitude, and so are floating-point numbers. ALO-Trees therefore
measures distances and draws samples in symmetric log space. Ours is the base-2 logarithm, interpolated linearly between
the powers of two: ``[-1, 1]`` stays unchanged, and each further doubling of the magnitude adds one::

    0 -> 0    0.5 -> 0.5    1 -> 1    2 -> 2    3 -> 2.5    4 -> 3    -8 -> -4    2**31 -> 32    1.8e308 -> 1025

Linear interpolation needs no ``log`` and no ``exp``. The only error is one rounding, so the result is identical to the
last bit on every machine, for one number and for an array, and the loss of precision is known:

- it is odd and monotone; finite numbers land in ``[-1025, 1025]``;
- compressing and decompressing is exact for ``abs(x) <= 2``, for every float32 and for integers up to ``2**48``;
  elsewhere the relative error is at most ``2**-43``. (No logarithm into a 64-bit float can preserve all integers up to
  ``2**53``: from 32 to 54, where most of them would land, there are fewer floats than integers.)
- NaN and the infinities are not compressed: they pass unchanged in both directions; ``isfinite`` detects them.
"""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_PLACE = 1025.0  # the place of the largest float


def compress(value: float) -> float:
    """Return the place of ``value`` on the compressed axis."""
    size = abs(value)
    if size > 1:
        mantissa, exponent = math.frexp(size)
        size = (exponent - 1) + 2 * mantissa
    return math.copysign(size, value)


def decompress(place: float) -> float:
    """Return the value at ``place``. Beyond an end of the axis, this is the largest float with the sign of that end."""
    size = abs(place)
    if 1 < size < MAX_PLACE:
        whole = math.floor(size)
        size = math.ldexp(1 + (size - whole), whole - 1)
    elif MAX_PLACE <= size < math.inf:
        size = sys.float_info.max
    return math.copysign(size, place)


def compress_many(values: Any) -> NDArray[np.float64]:
    """Compress every element of an array, with the same result as ``compress`` to the last bit."""
    import numpy as np

    given = np.asarray(values, dtype=np.float64)
    size = np.abs(given)
    mantissa, exponent = np.frexp(size)
    return np.copysign(np.where(size > 1, (exponent - 1) + 2 * mantissa, size), given)


def decompress_many(places: Any) -> NDArray[np.float64]:
    """Decompress every element of an array, with the same result as ``decompress`` to the last bit."""
    import numpy as np

    given = np.asarray(places, dtype=np.float64)
    size = np.abs(given)
    inner = (size > 1) & (size < MAX_PLACE)
    whole = np.floor(size, where=inner, out=np.ones_like(size))
    logarithmic = np.ldexp(1 + np.where(inner, size - whole, 0), whole.astype(np.int64) - 1)
    outer = np.where((size >= MAX_PLACE) & (size < np.inf), sys.float_info.max, size)
    return np.copysign(np.where(inner, logarithmic, outer), given)
