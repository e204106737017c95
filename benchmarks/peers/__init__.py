"""Shared by the benchmarks: planted problems, lower bounds, and the methods to compare with."""
