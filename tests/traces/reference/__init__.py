"""Oracles for the engine of traces: slow, plain, and independent of it."""
