"""A model at work: which states are possible after what was recorded."""
