"""The search by boundaries, which finds the exact condition of a failure; boundaries.py explains it."""
