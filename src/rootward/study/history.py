"""``[history]``: earlier runs from a table, a tracker or the store; ``[constraints]``: combinations never to run."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rootward.errors import InputError
from rootward.formats.tables import moments
from rootward.formats.tables.history import HistoryTable, read_history
from rootward.rules import Atom, Conjunction, Literal
from rootward.space.fields import show
from rootward.space.space import Space
from rootward.verdict import Verdict

if TYPE_CHECKING:
    from rootward.store.store import Store

KnownTrial = tuple[dict[str, Any], Verdict]


@dataclass(frozen=True)
class StoredRuns:
    """The stored trials of the same subject, up to a date if one is given."""

    as_of: str | dt.date | None = None

    def __post_init__(self) -> None:
        if self.as_of is not None:
            moments.end_of(self.as_of)  # report an invalid date now, not when the runs are read

    def read(self, store: Store, identity: str, space: Space) -> Iterator[tuple[dict[str, Any], Verdict]]:
        """Read the trials from an open store; see ``from_store``."""
        return from_store(store, identity, space, as_of=self.as_of)

    def read_from(self, where: str, identity: str, space: Space) -> list[tuple[dict[str, Any], Verdict]]:
        """Read the trials from the store at a path or URL.

        If the store does not exist, returns an empty list and does not create the store.
        """
        from rootward.store.store import Store

        store = Store.open_existing(where)
        if store is None:
            return []
        with store:
            return list(self.read(store, identity, space))


def from_store(
    store: Store, identity: str, space: Space, *, as_of: str | dt.date | None = None
) -> Iterator[tuple[dict[str, Any], Verdict]]:
    """Yield the trials of a subject in its newest epoch whose configurations fit the space, oldest first."""
    end = None if as_of is None else moments.end_of(as_of).timestamp()
    runs = [run for run in store.runs() if run.settings.get("subject") == identity]
    newest = {run.subject: run.epoch for run in sorted(runs, key=lambda run: run.epoch)}
    for run in runs:
        if run.epoch == newest[run.subject]:
            for trial in store.trials(run.id):
                if (end is None or trial["finished"] <= end) and _fits(trial["candidate"], space):
                    yield space.check(trial["candidate"]), Verdict(trial["verdict"])


def from_tracker(
    where: str,
    folder: Path,
    *,
    verdict: str | None = None,
    ignore: Iterable[str] = (),
    as_of: str | dt.date | None = None,
    **which: str | None,
) -> HistoryTable:
    """Read the runs of a tracker at a URL, or at a path relative to ``folder``.

    For the keyword arguments ``which``, see ``read_tracked``.
    """
    from rootward.formats.tracking.past_runs import TrackedTrials
    from rootward.formats.tracking.registry import read_tracked

    runs = read_tracked(where if "://" in where else folder / where, **which)
    return read_history(TrackedTrials(runs, verdict=verdict, ignore=ignore, as_of=as_of))


def known_trials(history: Iterable[tuple[Mapping[str, Any], Verdict]], space: Space) -> list[KnownTrial]:
    """Return the runs of a history that fit the space, each as a checked configuration with its verdict."""
    return [(space.check(settings), verdict) for settings, verdict in history if _fits(settings, space)]


def _fits(candidate: Any, space: Space) -> bool:
    if not isinstance(candidate, Mapping) or candidate.keys() != {*space.names}:
        return False
    return all(field.contains(candidate[name]) for name, field in space.items())


def parse_literal(name: str, said: Any, space: Space) -> Literal:
    """Parse the condition on one field of a combination: a value, a list of values, or ``{ ">" = 3 }``."""
    field = space[name]
    if isinstance(said, Mapping):
        if not said:
            raise InputError('expected a comparison such as { ">" = 3 }, got {}')
        return Literal(name, [Conjunction(Atom(name, op, value) for op, value in said.items())])
    values = said if isinstance(said, list) else [said]
    if not values:
        raise InputError("expected a value, or a list of at least one value")
    for value in values:
        if not field.contains(value):
            raise InputError(f"expected {field}, got {show(value)}")
    return Literal(name, [Conjunction([Atom(name, "=", field.coerce(value))]) for value in values])
