"""Exploration: what is asked, what each stage is for, and what is said of it."""
