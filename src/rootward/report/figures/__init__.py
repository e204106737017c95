"""Pictures of findings, as SVG inside a page: no scripts, nothing loaded, readable in light and dark."""

from rootward.report.figures.bound import bound
from rootward.report.figures.curve import curve
from rootward.report.figures.flow import flow
from rootward.report.figures.lanes import lanes
from rootward.report.figures.parallel import parallel
from rootward.report.figures.pictures import pictures
from rootward.report.figures.rates import rates
from rootward.report.figures.scatter import planes
from rootward.report.figures.table import table
from rootward.report.figures.top_down import maps
from rootward.report.figures.tried import tried

__all__ = [
    "bound",
    "curve",
    "flow",
    "lanes",
    "maps",
    "parallel",
    "pictures",
    "planes",
    "rates",
    "table",
    "tried",
]
