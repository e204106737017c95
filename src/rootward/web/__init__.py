"""Runs in the browser, while they go on and afterwards."""
