"""Findings as documents."""
