"""Readers and writers of the file formats that users bring: documents, scenes, recordings, tables, trackers."""
