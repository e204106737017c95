"""Tables: the history of earlier runs, the tables that a search for bad rows compares, and trials as a table."""
