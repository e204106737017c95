"""The algorithms, one package per family. Each is a generator function; none knows of the lab."""
