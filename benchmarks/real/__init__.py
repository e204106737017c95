"""Failures of public software: studies as a user would write them, each with its true condition."""
