"""The sentences of facts: a chapter for each family that has facts, each with a function ``sentence``."""
