"""What a triage leaves behind for people and for other tools."""
