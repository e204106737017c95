"""The files of a diagnosis: the report, an input that fails with its command, and a regression test."""
