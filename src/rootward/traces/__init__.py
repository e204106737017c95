"""Triage: where a recorded trace departs from a model of what is required, why, and which traces do so alike."""
