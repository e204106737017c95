"""Reductions: the published ones against their papers, ours against brute force and planted answers."""
