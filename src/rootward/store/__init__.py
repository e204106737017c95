"""The store of trials, runs and findings: a SQLite file or a PostgreSQL database."""
