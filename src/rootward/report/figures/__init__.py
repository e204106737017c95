"""Pictures of findings, as SVG inside a page: no scripts, nothing loaded, readable in light and dark."""
