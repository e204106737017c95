"""Prove that a step is not allowed, and find the messages that make it so."""
