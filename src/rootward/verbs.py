"""The verbs: each builds a search and hands it to a lab; no logic of its own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypedDict, TypeVar, Unpack, cast

from rootward import notebook
from rootward.errors import InputError
from rootward.lab.budget import Budget
from rootward.lab.events import Event
from rootward.lab.lab import Lab
from rootward.rules import Rule
from rootward.search.ask import Search
from rootward.search.relay import first_best
from rootward.search.repeat import Policy, Repeat, often_enough
from rootward.searches import causes as configurations
from rootward.searches import conditions, exploration, products, reduction, rows
from rootward.searches.causes.causes import Causes
from rootward.searches.causes.checkpoint import Checkpoint
from rootward.searches.causes.facts import NothingRun
from rootward.searches.causes.past import Past, Table
from rootward.searches.causes.phases import parted, two_phases
from rootward.searches.causes.runs import History, read
from rootward.searches.conditions.rule_finding import RuleFinding
from rootward.searches.conditions.verify import verified
from rootward.searches.exploration.failures import Failures
from rootward.searches.products.product_set import ProductSet
from rootward.searches.reduction.reduction import Reduction
from rootward.searches.reduction.surroundings import Positions
from rootward.searches.reduction.task import Task
from rootward.searches.rows.bad_rows import BadRows
from rootward.searches.rows.tables import Tables
from rootward.space.candidate import Elements
from rootward.space.space import Space
from rootward.store.store import Store
from rootward.subjects import Subject, with_timeout
from rootward.subjects.command import Command
from rootward.subjects.function import as_subject
from rootward.subjects.patched import patched

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
    """Called with everything that happens; see ``rootward.lab.events``."""
    fresh: bool
    """Start over: believe no trial of earlier runs."""
    name: str
    """What the user calls what is being run, in the list of runs."""
    command: str
    """The command line that began it, for reports."""


class DdenvOptions(TypedDict, total=False):
    """What DDEnv takes; see ``rootward.searches.reduction.ddenv``."""

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
    name, tested = method_of(reduction.METHODS, method, auto="sieve"), as_subject(subject, isolate=False)
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
        "seed": seed_in(lab),
        **own,
    }
    search = task.search(reduction.METHODS[name], **asked)
    with lab_of(tested, lab) as running:
        found: Reduction[E] = running.run(search, failing=task.elements.all, name="reduce", about={"method": name})
    return found


@contextmanager
def lab_of(subject: Subject | Callable[..., Any], options: LabOptions) -> Iterator[Lab]:
    """A lab; in a notebook, one that shows how it goes, unless someone else listens."""
    with ExitStack() as stack:
        if options.get("on_event") is None and notebook.in_kernel():
            options = {**options, "on_event": stack.enter_context(notebook.shown())}
        yield stack.enter_context(Lab(subject, **options))


def _parted(options: Mapping[str, Any]) -> tuple[LabOptions, dict[str, Any]]:
    """The options of the lab, and the others."""
    lab = {name: value for name, value in options.items() if name in LabOptions.__annotations__}
    return cast(LabOptions, lab), {name: value for name, value in options.items() if name not in lab}


def find(
    space: Space,
    subject: Subject | Callable[..., Any],
    *,
    nominal: Mapping[str, Any] | Sequence[Mapping[str, Any]] = (),
    never: Rule | None = None,
    outside: Rule | None = None,
    most: int | None = None,
    enough: int | None = None,
    **lab: Unpack[LabOptions],
) -> Failures:
    """Inputs that fail, where none is known.

    ``nominal``: one or several configurations that should work; changes start from them, and if one of them fails, that
    is the answer. ``never``: combinations that must not be run. ``outside``: a cause that is known already: only what
    it does not hold for is run. ``most``: how many configurations are run at most (2000). ``enough``: how many more
    after the first that fails, to see failures with other signatures (as many as it took, from 12 to 60).
    """
    check_space(space)
    about = {"most": most, "enough": enough}
    bases = [nominal] if isinstance(nominal, Mapping) else nominal
    method = exploration.METHODS["stages"]
    search = method(space, nominal=bases, never=never, outside=outside, **about, seed=seed_in(lab))
    with lab_of(subject, lab) as running:
        found: Failures = running.run(search, name="find", about=about)
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
    name = method_of(products.METHODS, method, auto="columns")
    options: dict[str, Any] = {"samples": samples, "seed": seed_in(lab)}
    if flaky is True or not (flaky is False or flaky == 1):
        if name == "hpsl":
            raise InputError("hpsl takes a failure to show every time: for a flaky one, choose auto or give repeat=")
        options["flaky"] = flaky
        lab.setdefault("repeat", FIRST_SEEN)
    check_space(space)
    known = space.check(failing)
    search = products.METHODS[name](space, known, **options)
    with lab_of(subject, lab) as running:
        found: ProductSet = running.run(search, failing=known, name="triggers", about={"method": name})
    return found


def rule(
    space: Space,
    subject: Subject | Callable[..., Any],
    failing: Mapping[str, Any] | None = None,
    *,
    fields: Collection[str] | None = None,
    method: str = "auto",
    verify: int | None = None,
    flaky: bool | float = False,
    **lab: Unpack[LabOptions],
) -> RuleFinding:
    """The exact condition of a failure, as it would stand in code.

    ``failing``: a configuration that fails; without one, any failure that is met counts. ``fields``: only these may
    change; the others keep the value with which it fails. ``verify``: how many fresh runs at the end measure the
    balanced accuracy of the rule (None: as many as the method likes). ``flaky``: how often a configuration that fails
    does so, such as 0.8; True takes it for one half. Methods: ``alo`` (ALO-Trees, the paper's), ``boundaries``;
    ``auto`` is the best we have.
    """
    name = method_of(conditions.METHODS, method, auto="boundaries")
    check_space(space)
    known = None if failing is None else space.check(failing)
    free = free_fields(space, fields, known)
    check_verify(verify)
    if flaky:
        lab.setdefault("repeat", often_enough(0.5 if flaky is True else rate_of(flaky), missed=0.002))
    own: dict[str, Any] = {"fields": free, "seed": seed_in(lab)}
    if name == "boundaries":
        search = conditions.METHODS[name](space, known, **own, verify=verify)
    else:
        search = verified(conditions.METHODS[name](space, known, **own), space, known, **own, runs=verify or 0)
    about = {"method": name, "fields": free, "verify": verify}
    with lab_of(subject, lab) as running:
        found: RuleFinding = running.run(search, failing=known, name="rule", about=about)
    return found


def causes(
    space: Space,
    subject: Subject | Callable[..., Any] | None,
    history: History | Table = (),
    *,
    goal: Literal["one", "all"] = "all",
    method: str = "auto",
    never: Rule | None = None,
    certify: int | Literal["statistical"] | None = None,
    beyond: bool = False,
    flaky: bool | float = False,
    cost: Callable[[Mapping[str, Any]], float] | None = None,
    checkpoint: Checkpoint | None = None,
    **lab: Unpack[LabOptions],
) -> Causes:
    """Which combinations of settings always fail, as short as possible.

    ``history``: earlier runs, as ``(configuration, verdict)`` (True: it failed) or as ``read_history`` gives them.
    Without a subject nothing is run, and the causes are what the history suggests. ``never``: combinations that must
    not be run. ``certify``: go on until every combination of so many settings outside of the causes was run; else
    until many runs in a row find nothing new. ``beyond``: look for the bounds of numbers between the values seen.
    ``flaky``: how often a configuration that fails does so, such as 0.7; True takes it for one half. ``cost``: what a
    configuration costs to run; cheap ones are preferred. ``checkpoint``: a check inside of the pipeline, see
    ``best_checkpoint``. Methods: ``shortcut``, ``stacked_shortcut``, ``ddt``, ``bugdoc`` (the paper's), ``bayes``;
    ``auto`` is the best we have.
    """
    name = method_of(configurations.METHODS, method, auto="bayes")
    own: dict[str, Any] = {"goal": goal, "seed": seed_in(lab)}
    if name == "bayes":
        own |= {"certify": None if certify == "statistical" else certify, "beyond": beyond}
    elif beyond or certify not in (None, "statistical"):
        raise InputError(f"{name} is the paper's: certify and beyond go with the method auto")
    if not flaky:
        rate = 1.0
    else:
        rate = 0.5 if flaky is True else rate_of(flaky)
        lab.setdefault("repeat", often_enough(rate, missed=0.01))
    if name == "bayes":
        own["rate"] = rate
    if checkpoint is not None and not isinstance(checkpoint, Checkpoint):
        raise InputError(f"a checkpoint is what best_checkpoint gives, not {checkpoint!r:.80}")
    ends, checks = (history, None) if checkpoint is None else parted(pairs(history), checkpoint.node)
    past = Past(space, ends, never=never, cost=cost, flaky=rate < 1)
    search = partial(configurations.METHODS[name], **own)
    if checkpoint is None:
        asked: Search[Any, Causes] = past.told(search)
    else:
        checked = read(past.pipeline, [(space.check(one), failed) for one, failed in checks or ()])
        asked = two_phases(past.pipeline, past.runs, checkpoint, search, checked=checked)
    if subject is None:
        return _suggested(asked)
    about = {
        "method": name,
        "goal": goal,
        "certify": certify,
        "beyond": beyond,
        "checkpoint": checkpoint and checkpoint.node,
    }
    with lab_of(subject, lab) as running:
        return running.run(asked, name="causes", about=about)


def _suggested(search: Search[Any, Causes]) -> Causes:
    """What a search would say before anything is run."""
    best = first_best(search)
    return replace(best, tested=False, guarantee=(), notes=(*best.notes, NothingRun(len(best.details))))


def bad_rows(
    bad: Any,
    good: Any,
    subject: Subject | Callable[..., Any],
    *,
    key: str | Sequence[str],
    columns: str | Iterable[str] | None = None,
    method: str = "auto",
    **lab: Unpack[LabOptions],
) -> BadRows:
    """Which rows and cells of a bad table make it fail, given one good version of it or several.

    A table is the path of a CSV or Parquet file, or a Polars, pandas or Arrow table. ``subject`` is a function of the
    table, which it gets in the form of ``bad`` (of a file: as a Polars frame), or a command with ``{file}``. ``key``:
    the column, or columns, by which a row is known. Values for repair come from the first good table; the others tell
    what is usual. ``columns``: look only at these. Methods: ``opportunistic`` (the paper's), ``adaptive``; ``auto`` is
    the best we have.
    """
    tables = Tables.of(bad, good, key, columns, text=isinstance(subject, Command))
    return bad_rows_in(tables, subject, method=method, **lab)


def bad_rows_in(
    tables: Tables, subject: Subject | Callable[..., Any], *, method: str = "auto", **lab: Unpack[LabOptions]
) -> BadRows:
    """``bad_rows`` of tables that have been compared."""
    name = method_of(rows.METHODS, method, auto="adaptive")
    search = rows.METHODS[name](tables)
    with lab_of(patched(subject, tables), lab) as running:
        found: BadRows = running.run(search, failing=tables.failing, name="rows", about={"method": name})
    return found


# What a verb is given, checked before anything is run: whoever mistypes is told what was expected.


def method_of(methods: Mapping[str, object], method: str, *, auto: str) -> str:
    name = auto if method == "auto" else method
    if name not in methods:
        raise InputError(f"there is no method {method!r}; choose auto, {', '.join(sorted(methods))}")
    return name


def seed_in(lab: Mapping[str, object]) -> int:
    seed: object = lab.get("seed", 0)
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise InputError(f"seed is a whole number, 0 or more, not {seed!r:.80}")
    return seed


def rate_of(flaky: object) -> float:
    if not isinstance(flaky, int | float) or not 0 < flaky <= 1:
        raise InputError(f"flaky is how often it fails, a number above 0 and at most 1, not {flaky!r}")
    return float(flaky)


def check_space(space: object) -> None:
    if not isinstance(space, Space):
        raise InputError(f"the fields are given as a Space, not as {space!r:.80}")


def check_verify(verify: object) -> None:
    if verify is not None and (isinstance(verify, bool) or not isinstance(verify, int) or verify < 0):
        raise InputError(f"verify is a number of fresh runs, 0 or more, not {verify!r:.80}")


def free_fields(
    space: Space, fields: Collection[str] | None, failing: Mapping[str, Any] | None
) -> tuple[str, ...] | None:
    """The fields that may change, in the order of the space; None for all."""
    if fields is None:
        return None
    if isinstance(fields, str):
        raise InputError(f"fields is a list of names, not the text {fields!r:.80}")
    if failing is None:
        raise InputError("fields says what may change: the others keep the values of a failing configuration; give one")
    return space.restrict(fields).names


def pairs(history: History | Table) -> History:
    if isinstance(history, Table):
        raise InputError("with a checkpoint, give the history as pairs of configuration and verdict")
    return history
