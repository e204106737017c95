"""The lab and its parts: the run, repetition, events, ask and tell, resume."""
