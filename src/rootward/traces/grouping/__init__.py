"""Group the faults that have the same cause."""
