"""The results of a triage for people and for other tools: texts, data, JUnit, annotated recordings, certificates."""
