"""Past runs from experiment trackers: MLflow, Optuna and Hydra. Their data is only read, never written.

A reader returns an ``Experiment``: the settings, results and final state of each run. ``TrackedTrials`` judges the
runs, and is then a table of trials like those that Rootward writes. None of the trackers needs to be installed.
"""
