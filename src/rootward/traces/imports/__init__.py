"""Models that others wrote, in the formats of other tools."""

from rootward.traces.imports.odx import odx_services
from rootward.traces.imports.uppaal import read_uppaal

__all__ = ["odx_services", "read_uppaal"]
