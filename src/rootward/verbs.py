"""The verbs: each builds a search and hands it to a lab; no logic of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, TypedDict, TypeVar, Unpack

from rootward.budget import Budget
from rootward.candidate import Elements
from rootward.errors import InputError
from rootward.events import Event
from rootward.lab import Lab
from rootward.repeat import Policy, Repeat
from rootward.searches import products, reduction
from rootward.searches.products.product_set import ProductSet
from rootward.searches.reduction.reduction import Reduction
from rootward.space import Space
from rootward.store import Store
from rootward.subjects import Subject

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


def reduce(
    elements: Iterable[E] | Elements[E],
    subject: Subject | Callable[..., Any],
    *,
    method: str = "auto",
    **lab: Unpack[LabOptions],
) -> Reduction[E]:
    """The smallest part of a failing list that still fails.

    ``subject`` gets the list of kept elements, in the original order. Methods: ``ddmin``; ``auto`` is the best we have.
    """
    items = elements if isinstance(elements, Elements) else Elements(elements)
    name = _method(reduction.METHODS, method, auto="ddmin")
    with Lab(subject, **lab) as running:
        found: Reduction[E] = running.run(
            reduction.METHODS[name](items), failing=items.all, name="reduce", about={"method": name}
        )
    return found


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
