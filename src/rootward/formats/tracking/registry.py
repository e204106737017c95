"""The experiment trackers and how each is recognised: at an address, in a database, a folder or a journal."""

from __future__ import annotations

from pathlib import Path

from rootward.errors import InputError
from rootward.formats.files import check_regular, open_file
from rootward.formats.tracking import hydra, mlflow, optuna
from rootward.formats.tracking.run import Experiment

KINDS = ("mlflow", "optuna", "hydra")
SQLITE = b"SQLite format 3\0"
"""The first bytes of a SQLite file."""
EXPECTED = "an MLflow server, database or folder, an Optuna database or journal, or the folder of a Hydra sweep"


def read_tracked(
    where: str | Path,
    *,
    kind: str | None = None,
    experiment: str | None = None,
    study: str | None = None,
    result: str | None = None,
) -> Experiment:
    """Read the runs that a tracker stores at an address, in a database, a folder or a journal.

    :param kind: the tracker, needed if several have stored runs there
    :param experiment: the name of the experiment, for MLflow
    :param study: the name of the study, for Optuna
    :param result: the file with the results in the folder of each job, for Hydra
    """
    if kind is not None and kind not in KINDS:
        raise InputError(f"expected one of {', '.join(KINDS)}, got {kind!r}")
    place = str(where)
    said = {"mlflow": experiment, "optuna": study, "hydra": result}
    if place.lower().startswith(("http://", "https://")):
        _check(place, ["mlflow"], kind, said)
        return mlflow.read_server(place, experiment)
    if "://" in place or _is_database(Path(place)):
        return _read_database(place, kind, said)
    path = Path(place)
    if path.is_dir():
        found = _check(place, _kinds_of_folder(path), kind, said)
        return hydra.read(path, result) if found == "hydra" else mlflow.read_folder(path, experiment)
    if not path.exists():
        raise InputError(f"there is no file or folder {path}")
    check_regular(path)
    _check(place, ["optuna"] if optuna.is_journal(path) else [], kind, said)
    return optuna.read_journal(path, study)


def is_tracked(path: Path) -> bool:
    """Return True if a tracker wrote the file.

    The name of the file does not matter: a journal may be called ``runs.jsonl``.
    """
    return path.is_file() and (_is_database(path) or optuna.is_journal(path))


def _is_database(path: Path) -> bool:
    if not path.is_file():
        return False
    with open_file(path) as file:
        return file.read(len(SQLITE)) == SQLITE


def _read_database(where: str, kind: str | None, said: dict[str, str | None]) -> Experiment:
    from rootward.formats.tracking import databases  # which needs SQLAlchemy

    with databases.open_database(where) as database:
        marks = {"mlflow": "latest_metrics", "optuna": "trial_params"}
        found = _check(database.title, [name for name in marks if marks[name] in database.tables], kind, said)
        try:
            if found == "mlflow":
                return databases.read_mlflow(database, said["mlflow"])
            return databases.read_optuna(database, said["optuna"])
        except (TypeError, AttributeError) as error:  # SQLite accepts text where a number is declared
            raise InputError(f"{database.title} has values of a wrong type: {error}") from error


def _kinds_of_folder(path: Path) -> list[str]:
    marks = {"mlflow": path.glob(f"*/{mlflow.META}"), "hydra": path.rglob(hydra.MARK)}
    return [kind for kind, found in marks.items() if any(found)]


def _check(place: str, found: list[str], kind: str | None, said: dict[str, str | None]) -> str:
    """Return the only tracker that has runs at ``place``.

    Raises InputError if no tracker or several trackers have runs there, or if an option is for another tracker.
    """
    meant = [one for one in found if kind in (None, one)]
    if not meant:
        expected = EXPECTED if kind is None else f"runs of {kind}"
        raise InputError(f"{place} has no tracked runs: expected {expected}")
    if len(meant) > 1:
        raise InputError(f"{place} has runs of {' and of '.join(meant)}: choose one by its kind")
    options = {"mlflow": "an experiment", "optuna": "a study", "hydra": "a file with results"}
    for other, value in said.items():
        if value is not None and other != meant[0]:
            raise InputError(f"{place} has runs of {meant[0]}, but {options[other]} is only for {other}")
    return meant[0]
