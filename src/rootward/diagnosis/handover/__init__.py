"""What a diagnosis leaves behind: the report, an input that fails with its command, and a test for the fault."""
