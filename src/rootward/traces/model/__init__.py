"""Models and traces: automata with guards and event patterns, and recorded events."""
