"""Which faults have the same cause."""
