"""The folders that Hydra writes, one for each job of a sweep: ``multirun/DATE/TIME/0/.hydra/overrides.yaml``.

The settings are the overrides on the command line of any job (``rate=0.5 db=mysql``), and other values in which the
jobs' configurations differ, for example after an edit. A job without an override has the value of its own
configuration, or for a config group, its choice. So a new job can be started with ``rate={rate} db={db}``.

Hydra stores neither the results of a job nor its success. So the job must have written its results to a file in its
folder, whose name is given (``result``); a job without that file has failed.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rootward.errors import InputError
from rootward.formats.tables.sources import flatten_dotted
from rootward.formats.tracking import yaml_file
from rootward.formats.tracking.run import Experiment, PastRun, RunState
from rootward.space.candidate import dump

MARK = ".hydra/overrides.yaml"
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[/_ T-](\d\d)[-_.:](\d\d)[-_.:](\d\d)")
_OVERRIDE = re.compile(r"(?P<how>\+\+?|~)?(?P<name>[^=+~][^=]*)(=(?P<value>.*))?", re.DOTALL)
_ABSENT = object()


def read(folder: Path, result: str | None) -> Experiment:
    """Read the jobs below the folder, earliest first."""
    jobs = [_Job(mark.parents[1]) for mark in sorted(folder.rglob(MARK))]
    if not jobs:
        raise InputError(f"{folder} has no Hydra jobs: expected folders with {MARK}")
    if result is None:
        raise InputError(
            "Hydra stores no results: set result to the name of the file with them in each job's folder, "
            "such as results.json"
        )
    if not any((job.folder / result).is_file() for job in jobs):
        raise InputError(f"none of the {len(jobs)} jobs in {folder} has a file {result}")
    names = _settings(jobs)
    runs = [_run(job, names, folder, result) for job in jobs]
    return Experiment(str(folder), tuple(sorted(runs, key=lambda run: run.finished or 0)))


@dataclass
class _Job:
    folder: Path

    @cached_property
    def overrides(self) -> dict[str, str | None]:
        """The override of each name. It is None if the name was deleted (``~name``)."""
        path = self.folder / MARK
        found: dict[str, str | None] = {}
        for override_text in yaml_file.read(path, list):
            override = _OVERRIDE.fullmatch(str(override_text))
            if override is None:
                raise InputError(f"{path}: expected an override such as rate=0.1, got {override_text!r}")
            found[override["name"]] = None if override["how"] == "~" else override["value"]
        return found

    @cached_property
    def config(self) -> dict[str, Any]:
        return yaml_file.read(self.folder / ".hydra" / "config.yaml", dict)

    @cached_property
    def choices(self) -> Mapping[str, Any]:
        """The choice of each config group. Hydra stores the choices since version 1.1."""
        path = self.folder / ".hydra" / "hydra.yaml"
        found = _at(yaml_file.read(path, dict), "hydra.runtime.choices") if path.is_file() else None
        return found if isinstance(found, Mapping) else {}

    def value(self, name: str) -> Any:
        found = _at(self.config, name)
        if found is not _ABSENT and not isinstance(found, Mapping):
            return dump(found) if isinstance(found, list) else found
        return self.overrides[name] if name in self.overrides else self.choices.get(name)

    @property
    def moment(self) -> float:
        """The start time of the job.

        It is read from the names of the job's folders, or else from the time of a file in its folder.
        """
        if found := _MOMENT.search(self.folder.as_posix()):
            try:
                return dt.datetime.fromisoformat(f"{found[1]}T{':'.join(found.groups()[1:])}+00:00").timestamp()
            except ValueError:
                pass  # the digits are not a date
        return (self.folder / MARK).stat().st_mtime


def _settings(jobs: Sequence[_Job]) -> list[str]:
    """Return the names that any job overrides, and the names of other values in which the jobs differ."""
    overridden = list(dict.fromkeys(name for job in jobs for name in job.overrides))
    first, *others = [dict(flatten_dotted(job.config)) for job in jobs]
    differ = [name for name in _names([first, *others]) if any(_differ(first, other, name) for other in others)]
    return overridden + [name for name in differ if not any(_is_within(name, group) for group in overridden)]


def _names(configs: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    return iter(dict.fromkeys(name for config in configs for name in config))


def _differ(one: Mapping[str, Any], other: Mapping[str, Any], name: str) -> bool:
    mine, theirs = one.get(name, _ABSENT), other.get(name, _ABSENT)
    return type(mine) is not type(theirs) or mine != theirs


def _is_within(name: str, group: str) -> bool:
    path = group.replace("/", ".")
    return name == path or name.startswith(f"{path}.")


def _run(job: _Job, names: Sequence[str], folder: Path, result: str) -> PastRun:
    path = job.folder / result
    ended = path.is_file()
    return PastRun(
        id=job.folder.relative_to(folder).as_posix(),
        status="FINISHED" if ended else "FAILED",
        state=RunState.FINISHED if ended else RunState.FAILED,
        finished=job.moment,
        settings={name: job.value(name) for name in names},
        results=_results(path) if ended else {},
    )


def _results(path: Path) -> dict[str, Any]:
    found = yaml_file.value(path)
    if isinstance(found, Mapping):
        return {name: dump(value) if isinstance(value, list) else value for name, value in flatten_dotted(found)}
    return {"result": dump(found) if isinstance(found, list) else found}


def _at(node: Any, path: str) -> Any:
    """Return the value at a dotted path, or _ABSENT."""
    for name in path.split("."):
        if not isinstance(node, Mapping) or name not in node:
            return _ABSENT
        node = node[name]
    return node
