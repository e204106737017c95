"""Learning: a first model from good recordings, as a file that a person reads and corrects."""
