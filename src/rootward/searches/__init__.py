"""The search algorithms, one package per family. Each is a generator function and knows nothing of the lab."""
