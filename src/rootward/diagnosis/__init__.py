"""``diagnose``: from a failure to its cause, in one search that is made of the others."""
