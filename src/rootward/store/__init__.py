"""Where trials live: a SQLite file or a PostgreSQL database."""
