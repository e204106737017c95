"""Designs: few instances in which every combination of values of any t parameters occurs, and points that are spread.

If no instance of such a covering array fails, no cause of up to t equalities exists.
"""

from rootward.search.design.arrays import hypercube
from rootward.search.design.constraints import Box, Constraints, Instance, forbidden
from rootward.search.design.covering import covering

__all__ = ["Box", "Constraints", "Instance", "covering", "forbidden", "hypercube"]
