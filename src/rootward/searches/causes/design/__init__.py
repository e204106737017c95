"""Combinatorial design: few instances in which every combination of values of any t parameters occurs.

If no instance of such a covering array fails, no cause of up to t equalities exists.
"""

from rootward.searches.causes.design.constraints import Constraints, forbidden
from rootward.searches.causes.design.covering import covering

__all__ = ["Constraints", "covering", "forbidden"]
