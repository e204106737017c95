"""``diagnose``: from a failure to its cause, in one search composed of the others."""
