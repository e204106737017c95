"""Run a model: the states that are possible after each step of a recording."""
