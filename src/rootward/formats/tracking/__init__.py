"""What experiment trackers know of past runs: MLflow, Optuna and Hydra, read as they left it and never written.

A reader gives ``Tracked``: the settings and results of each run, and whether it came to its end. ``Imported`` judges
them, and is then a table of trials like those that Rootward writes itself. None of the trackers needs to be installed.
"""
