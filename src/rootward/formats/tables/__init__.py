"""Tables: the history of earlier runs, the table in which bad rows are searched, and trials written as a table."""
