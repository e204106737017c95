"""Experimental designs: covering arrays, and points that are evenly spread.

A covering array of strength t is a small set of instances in which every combination of values of any t parameters
occurs. If none of its instances fails, no cause of up to t equalities exists.
"""

from rootward.search.design.arrays import hypercube
from rootward.search.design.constraints import Box, Constraints, Instance, forbidden_boxes
from rootward.search.design.covering import covering_array

__all__ = ["Box", "Constraints", "Instance", "covering_array", "forbidden_boxes", "hypercube"]
