"""The verbs: each builds a search and hands it to a lab; no logic of its own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, TypedDict, TypeVar, Unpack, cast

from rootward.budget import Budget
from rootward.candidate import Elements
from rootward.errors import InputError
from rootward.events import Event
from rootward.lab import Lab
from rootward.repeat import Policy, Repeat
from rootward.searches import products, reduction
from rootward.searches.products.product_set import ProductSet
from rootward.searches.reduction.reduction import Reduction
from rootward.searches.reduction.surroundings import Positions
from rootward.searches.reduction.task import Task
from rootward.space import Space
from rootward.store import Store
from rootward.subjects import Subject, with_timeout
from rootward.subjects.function import as_subject

E = TypeVar("E")
FIRST_SEEN = Repeat.k_of_n(1, 20)
"""For a search that does its own statistics: how long to wait for the failure to show at all."""


class LabOptions(TypedDict, total=False):
    """The same keyword arguments on every verb."""

    jobs: int
    """Trials at once (1). More than one puts a Python function into worker processes."""
    executor: Executor | None
    """Where trials run, instead of on this machine: any ``concurrent.futures.Executor``."""
    store: Store | str | Path | None
    """Where trials are kept: the path of a SQLite file, or a PostgreSQL URL. Without one, nothing outlives the lab."""
    budget: int | Budget | None
    """A number of trials, or ``Budget(trials=, seconds=)``; then the finding is the best one so far."""
    repeat: Policy | str | None
    """How many runs decide a verdict, if the failure does not show every time: ``Repeat.k_of_n(1, 4)``, or "1of4"."""
    seed: int
    """Everything random follows from it (0): the search's choices and the seeds that the subject gets."""
    on_event: Callable[[Event], None] | None
    """Called with everything that happens; see ``rootward.events``."""
    fresh: bool
    """Start over: believe no trial of earlier runs."""
    name: str
    """What the user calls what is being run, in the list of runs."""


class DdenvOptions(TypedDict, total=False):
    """What DDEnv takes; see ``rootward.searches.reduction.environment``."""

    partition: str
    """model2model, timeseg, trajectoryseg or learner."""
    priority: str
    """random, sequential, failure-proximal, average-trajectory-proximal, minimum-trajectory-proximal or timestep."""
    n_partitions: int
    dfk_it: int
    """How often a run that did not fail is repeated."""
    dfk_to: float
    """The time-out of each run, in seconds."""


class ReduceOptions(LabOptions, DdenvOptions, total=False):
    """All that ``reduce`` takes by keyword beside what it names."""


def reduce(
    elements: Iterable[E] | Elements[E],
    subject: Subject | Callable[..., Any],
    *,
    method: str = "auto",
    positions: Positions = None,
    trajectory: Sequence[Sequence[float]] = (),
    keep: Collection[E | str] = (),
    stop_at: float = 1.0,
    flaky: bool | None = None,
    share: float | None = None,
    confidence: float | None = None,
    **options: Unpack[ReduceOptions],
) -> Reduction[E]:
    """The smallest part of a failing list that still fails.

    ``subject`` gets the list of kept elements, in the original order. ``elements`` is any list, or a document of
    ``rootward.open_document``. ``positions`` (by element, by a function of one, or in order) and ``trajectory``
    (``(t, x, y)`` or ``(t, x, y, z)`` of the failing run) say where things are; models of a scene know it themselves.
    ``keep``: elements that must stay, by name or pattern. ``stop_at``: the share of elements that is enough to remove.

    A subject that takes a seed, or ``flaky=True``, may fail at random: then the result fails at least ``share`` (0.5)
    times as often as the original, at that ``confidence`` (0.95), shown by fresh runs. Methods: ``ddmin``, ``probdd``,
    ``hdd`` (trees), ``ddenv`` (with ``partition=``, ``priority=`` and so on), ``sieve``; ``auto`` is the best we have.
    """
    name, tested = _method(reduction.METHODS, method, auto="sieve"), as_subject(subject, isolate=False)
    lab, own = _parted(options)
    if flaky is None and name == "sieve":
        flaky = tested.seeded and "repeat" not in lab
    elif flaky and name not in ("sieve", "ddenv"):
        raise InputError(f"{name} takes a failure to show every time: for a flaky one, choose auto or give repeat=")
    if flaky and "repeat" in lab:
        raise InputError("flaky and repeat are two ways to deal with the same: give one of them")
    if flaky or name == "ddenv":
        lab.setdefault("repeat", FIRST_SEEN)
    if (limit := own.pop("dfk_to", None)) is not None:
        tested = with_timeout(tested, limit)
    supports = getattr(tested, "supports", None)
    task = Task.of(elements, keep=keep, positions=positions, trajectory=trajectory, stop_at=stop_at, supports=supports)
    asked = {
        "flaky": (flaky and name == "sieve") or None,
        "replays": (flaky and name == "sieve" and tested.seeded) or None,
        "share": share,
        "confidence": confidence,
        "seed": lab.get("seed", 0),
        **own,
    }
    search = task.search(reduction.METHODS[name], **asked)
    with Lab(tested, **lab) as running:
        found: Reduction[E] = running.run(search, failing=task.elements.all, name="reduce", about={"method": name})
    return found


def _parted(options: Mapping[str, Any]) -> tuple[LabOptions, dict[str, Any]]:
    """The options of the lab, and the others."""
    lab = {name: value for name, value in options.items() if name in LabOptions.__annotations__}
    return cast(LabOptions, lab), {name: value for name, value in options.items() if name not in lab}


def triggers(
    space: Space,
    subject: Subject | Callable[..., Any],
    failing: Mapping[str, Any],
    *,
    method: str = "auto",
    flaky: bool | float = False,
    samples: int | None = None,
    **lab: Unpack[LabOptions],
) -> ProductSet:
    """Which fields of a failing configuration matter, and for which of their values it fails.

    ``flaky``: how often a configuration that triggers the fault fails, such as 0.7; True has that measured first.
    ``samples``: how many random members of the set measure its precision; a few unless given. Methods: ``hpsl``
    (the paper's schedule), ``columns``; ``auto`` is the best we have.
    """
    name = _method(products.METHODS, method, auto="columns")
    options: dict[str, Any] = {"samples": samples, "seed": lab.get("seed", 0)}
    if flaky is True or not (flaky is False or flaky == 1):
        if name == "hpsl":
            raise InputError("hpsl takes a failure to show every time: for a flaky one, choose auto or give repeat=")
        options["flaky"] = flaky
        lab.setdefault("repeat", FIRST_SEEN)
    if not isinstance(space, Space):
        raise InputError(f"the fields are given as a Space, not as {space!r:.80}")
    known = space.check(failing)
    search = products.METHODS[name](space, known, **options)
    with Lab(subject, **lab) as running:
        found: ProductSet = running.run(search, failing=known, name="triggers", about={"method": name})
    return found


def _method(methods: Mapping[str, object], method: str, *, auto: str) -> str:
    name = auto if method == "auto" else method
    if name not in methods:
        raise InputError(f"there is no method {method!r}; choose auto, {', '.join(sorted(methods))}")
    return name
