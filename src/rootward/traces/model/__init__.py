"""What is required and what was recorded: a model of automata with guards and patterns, and traces of events."""
