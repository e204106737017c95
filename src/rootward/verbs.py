"""The verbs, Rootward's public functions. Each builds a search and hands it to a lab."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal, TypedDict, TypeVar, Unpack, cast, overload

from rootward import notebook
from rootward.errors import InputError
from rootward.formats.documents.whole_file import WholeFile
from rootward.lab.budget import Budget
from rootward.lab.events import Event
from rootward.lab.lab import Lab
from rootward.rules import Rule
from rootward.rules.derivation import Definition, check_defined, definition_of, derive
from rootward.search.ask import Search
from rootward.search.crucial_passes import passes_beside_rule, passes_without_one
from rootward.search.failure_rate import (
    ONCE,
    TUNING,
    Flaky,
    check_flaky,
    run_at_measured_rate,
    run_at_rate_of_first_failure,
    runs_to_trust,
    steady_runs_of,
)
from rootward.search.finding import Finding
from rootward.search.premises import (
    NO_PREMISES,
    Premises,
    check_premises,
    state_failure,
    stop_if_always_failing,
)
from rootward.search.relay import first_best
from rootward.search.repeat import Policy, Repeat, policy_for_rate, runs_to_see
from rootward.searches import causes as configurations
from rootward.searches import conditions, exploration, products, reduction
from rootward.searches.causes.causes import Causes
from rootward.searches.causes.checkpoint import Checkpoint
from rootward.searches.causes.facts import NothingRun
from rootward.searches.causes.history import HistoryBatches, KnownRuns
from rootward.searches.causes.phases import split_history, two_phases
from rootward.searches.causes.runs import History, read_runs
from rootward.searches.conditions.chance_passes import pivotal_passes, repeat_pivotal_passes
from rootward.searches.conditions.narrowing import MAX_FIELDS, learn_on_relevant
from rootward.searches.conditions.rule_finding import RuleFinding
from rootward.searches.conditions.verify import prove_rule, verify_rule
from rootward.searches.exploration.failures import Failures
from rootward.searches.products.product_set import ProductSet
from rootward.searches.products.relevant_fields import search_fields
from rootward.searches.reduction.files.coarse_to_fine import CoarseToFine, as_whole_file
from rootward.searches.reduction.files.file_reduction import FileReduction
from rootward.searches.reduction.files.shrink import TextPass
from rootward.searches.reduction.reduction import Reduction
from rootward.searches.reduction.surroundings import Positions
from rootward.searches.reduction.task import Task
from rootward.searches.rows import METHODS as ROW_METHODS
from rootward.searches.rows.bad_rows import BadRows
from rootward.searches.rows.tables import Tables
from rootward.space.candidate import Elements
from rootward.space.space import Space
from rootward.store.store import Store
from rootward.subjects import Subject, with_timeout
from rootward.subjects.command import Command
from rootward.subjects.function import Function, as_subject
from rootward.subjects.table_patches import patch_subject

E = TypeVar("E")
R = TypeVar("R", bound=Finding)
FIRST_FAILURE_REPEAT = Repeat.k_of_n(1, TUNING.measured_runs)
"""Policy for a failure whose rate is unknown: as many runs until it occurs once as would measure its rate."""
MAX_MISS_RATE, MAX_MISS_RATE_OF_RULE = 0.01, 0.002
"""Probability of missing a flaky failure. For a rule it is lower, because a rule rests on every single verdict."""


class LabOptions(TypedDict, total=False):
    """The options of the lab: optional keyword arguments that every verb takes."""

    jobs: int
    """Number of trials to run in parallel (1). With more than one, a Python function runs in worker processes."""
    executor: Executor | None
    """Any ``concurrent.futures.Executor`` that runs the trials, instead of this machine."""
    store: Store | str | Path | None
    """The database for trials: the path of a SQLite file, or a PostgreSQL URL. Without one, trials are not kept."""
    budget: int | Budget | None
    """A number of trials, or ``Budget(trials=, seconds=)``. When it is used up, the finding is the best one so far."""
    trials: int | None
    """Stop after this many trials: the same as ``budget=Budget(trials=)``."""
    seconds: float | None
    """Stop after this many seconds: the same as ``budget=Budget(seconds=)``."""
    repeat: Policy | str | None
    """Number of runs that decide a verdict, for failures that do not occur every time: ``Repeat.k_of_n(1, 4)``, or
    "1of4"."""
    seed: int
    """The seed of all random choices of the search, and of the seeds that the subject gets (0)."""
    on_event: Callable[[Event], None] | None
    """Called with each event; see ``rootward.lab.events``."""
    fresh: bool
    """Start over: ignore stored trials of earlier runs."""
    name: str
    """The name shown in the list of runs."""
    command: str
    """The command line that started the run, for reports."""


class DdenvOptions(TypedDict, total=False):
    """Options of ``reduce`` for the method ``ddenv``; see ``rootward.searches.reduction.ddenv``."""

    partition: str
    """The grouping of elements: model2model, timeseg, trajectoryseg or learner."""
    priority: str
    """The order of the groups: random, sequential, failure-proximal, average-trajectory-proximal,
    minimum-trajectory-proximal or timestep."""
    n_partitions: int
    """Number of parts to start with (2)."""
    dfk_it: int
    """Number of times that a run that did not fail is repeated."""
    dfk_to: float
    """The time-out of each run, in seconds."""


class ReduceOptions(LabOptions, DdenvOptions, total=False):
    """The further keyword arguments of ``reduce``."""


@overload
def reduce(
    elements: Path | WholeFile | CoarseToFine,
    subject: Subject | Callable[..., Any],
    *,
    trajectory: Sequence[Sequence[float]] = (),
    stop_at: float = 1.0,
    flaky: Flaky = None,
    share: float | None = None,
    confidence: float | None = None,
    until: str | None = None,
    passes: Sequence[TextPass] = (),
    **options: Unpack[ReduceOptions],
) -> FileReduction: ...


@overload
def reduce(
    elements: Iterable[E] | Elements[E],
    subject: Subject | Callable[..., Any],
    *,
    method: str = "auto",
    positions: Positions = None,
    trajectory: Sequence[Sequence[float]] = (),
    keep: Collection[E | str] = (),
    stop_at: float = 1.0,
    flaky: Flaky = None,
    share: float | None = None,
    confidence: float | None = None,
    **options: Unpack[ReduceOptions],
) -> Reduction[E]: ...


def reduce(
    elements: Iterable[E] | Elements[E] | Path | WholeFile | CoarseToFine,
    subject: Subject | Callable[..., Any],
    *,
    method: str = "auto",
    positions: Positions = None,
    trajectory: Sequence[Sequence[float]] = (),
    keep: Collection[E | str] = (),
    stop_at: float = 1.0,
    flaky: Flaky = None,
    share: float | None = None,
    confidence: float | None = None,
    until: str | None = None,
    passes: Sequence[TextPass] = (),
    **options: Unpack[ReduceOptions],
) -> Reduction[E] | FileReduction:
    """Find the smallest part of a failing list, or the smallest version of a failing file, that still fails.

    :param elements: any list, a document of :func:`~rootward.open_document`, or the ``Path`` of a file, folder or
        archive, whose text is then shortened freely
    :param subject: gets the list of kept elements, in the original order; of a file its bytes, of a folder or archive
        the list of its members
    :param method: ``ddmin``, ``probdd``, ``hdd`` (trees), ``ddenv``, ``sieve``; ``auto`` is the best we have
    :param positions: the positions of the elements: a mapping, a function of one element, or a list in the same order;
        the models of a scene have positions already
    :param trajectory: the path of the robot in the failing run: ``(t, x, y)`` or ``(t, x, y, z)``
    :param keep: elements that are never removed, or their names or patterns
    :param stop_at: stop once this share of the elements is removed
    :param flaky: the rate at which it fails, see :func:`~rootward.rule`
    :param share: a flaky result must fail at least at this share of the original's rate (0.5), shown by fresh runs
    :param confidence: the confidence required for that (0.95)
    :param until: for a file, the finest level: ``parts``, ``tokens`` or ``characters`` (the default)
    :param passes: for a file, further functions that yield smaller texts for a text and the name of its language
    :param options: the options of the lab, see :class:`~rootward.verbs.LabOptions`, and for ``ddenv`` those of
        :class:`~rootward.verbs.DdenvOptions`
    """
    if isinstance(elements, Path | WholeFile | CoarseToFine):
        lab, own = _split_options(options)
        if method != "auto" or keep or own or ((positions or trajectory) and not isinstance(elements, CoarseToFine)):
            raise InputError(
                "a file is reduced with the method auto, without keep, positions and trajectory: "
                "give rw.open_document(path) to select its parts"
            )
        return _reduce_file(
            elements,
            subject,
            trajectory,
            stop_at=stop_at,
            flaky=flaky,
            share=share,
            confidence=confidence,
            until=until,
            passes=passes,
            lab=lab,
        )
    if until is not None or passes:
        raise InputError("until and passes are for files only: give the Path of a file")
    name, tested = resolve_method(reduction.METHODS, method, auto="sieve"), as_subject(subject, isolate=False)
    lab, own = _split_options(options)
    if (limit := own.pop("dfk_to", None)) is not None:
        tested = with_timeout(tested, limit)
    supports = getattr(tested, "supports", None)
    task = Task.of(elements, keep=keep, positions=positions, trajectory=trajectory, stop_at=stop_at, supports=supports)
    asked = {"share": share, "confidence": confidence, "seed": read_seed(lab), **own}
    whole = task.elements.all
    if name == "ddenv":
        if flaky:
            raise InputError("ddenv repeats passing runs itself: use dfk_it instead of flaky")
        set_default_repeat(lab, FIRST_FAILURE_REPEAT)
        search = task.search(reduction.METHODS[name], **asked)
    elif name == "sieve":

        def make_search(rate: float) -> Search[Any, Reduction[E]]:
            flaky_options = {"flaky": True, "replays": tested.seeded or None} if rate < 1 else {}
            return task.search(reduction.METHODS[name], **asked, **flaky_options)

        search = _search_to_reduce(make_search, flaky, tested, lab, task)
    else:
        check_steady(name, flaky)
        search = task.search(reduction.METHODS[name], **asked)
        search = check_start_first(search, tested, whole, premises_of(tested, task=task))
    with open_lab(tested, lab) as running:
        found: Reduction[E] = running.run(search, failing=whole, name="reduce", about={"method": name})
    return found


def _reduce_file(
    given: Path | WholeFile | CoarseToFine,
    subject: Subject | Callable[..., Any],
    trajectory: Sequence[Sequence[float]],
    *,
    flaky: Flaky,
    lab: LabOptions,
    **own: Any,
) -> FileReduction:
    """Reduce a file: the parts of a world or recording first, if it is one, then its text."""
    tested = as_subject(subject, isolate=False)
    job = given if isinstance(given, CoarseToFine) else CoarseToFine(as_whole_file(given))
    own = {name: value for name, value in own.items() if value is not None}
    job = job.prepare(trajectory, getattr(tested, "supports", None))
    whole = job.failing
    premises = premises_of(tested, empty_file=job.empty)
    rate = expected_rate(flaky, lab)
    if rate != 1:
        set_default_repeat(lab, choose_first_repeat(rate))

    def make_search(rate: float) -> Search[Any, FileReduction]:
        return job.search(flaky=rate < 1, replays=tested.seeded, **own)

    make_search(1.0)  # so that wrong options are refused before anything is run
    if rate is not None:
        search = check_start_first(make_search(rate), tested, whole, premises)
    else:
        search = run_at_measured_rate(
            make_search,
            whole,
            steady=steady_runs_of(tested.seeded),
            missed=None,
            premises=premises,
            crucial=lambda found, passes, failing: [(found.content, True)],
            repeats=repeats_of(tested),
            seeded=tested.seeded,
        )
    with open_lab(tested, lab) as running:
        found: FileReduction = running.run(search, failing=whole, name="reduce", about={"method": "auto"})
    return found


def _search_to_reduce(
    make: Callable[[float], Search[Any, Reduction[E]]],
    flaky: Flaky,
    subject: Subject,
    lab: LabOptions,
    task: Task[E],
) -> Search[Any, Reduction[E]]:
    """Return the search of the sieve for the failure's rate.

    The flaky sieve measures the rate itself, and compares the result's rate with it.
    """
    whole, premises = task.elements.all, premises_of(subject, task=task)
    rate = expected_rate(flaky, lab)
    if rate is not None or flaky is not None or subject.seeded:
        if rate != 1:
            set_default_repeat(lab, choose_first_repeat(rate))
        return check_start_first(make(TUNING.unknown_rate if rate is None else rate), subject, whole, premises)
    make(1.0)  # so that wrong options are refused before anything is run
    set_default_repeat(lab, FIRST_FAILURE_REPEAT)

    def find_crucial(found: Reduction[E], passes: Iterable[Any], _: Any) -> list[tuple[Any, bool]]:
        needed = passes_without_one(found.selection, passes) if found.minimal else []
        return [(found.selection, True), *((one, False) for one in needed)]

    return run_at_measured_rate(
        make,
        whole,
        steady=steady_runs_of(subject.seeded),
        missed=None,
        premises=premises,
        crucial=find_crucial,
        repeats=repeats_of(subject),
        seeded=False,
    )


@contextmanager
def open_lab(subject: Subject | Callable[..., Any], options: LabOptions) -> Iterator[Lab]:
    """Open a lab. In a notebook it shows its progress, unless the caller gave ``on_event``."""
    with ExitStack() as stack:
        if options.get("on_event") is None and notebook.in_kernel():
            options = {**options, "on_event": stack.enter_context(notebook.show_progress())}
        yield stack.enter_context(Lab(subject, **options))


BUDGET_OPTIONS = ("budget", "trials", "seconds")
"""The options that limit a run."""


def with_defaults(defaults: Mapping[str, Any], given: Mapping[str, Any]) -> LabOptions:
    """Merge the given options into the defaults.

    A given ``budget`` replaces both default limits; a given ``trials`` or ``seconds`` replaces one of them, even if the
    default is a ``budget``.
    """
    others = {name: value for name, value in defaults.items() if name not in BUDGET_OPTIONS}
    limits: dict[str, Any] = {}
    if given.get("budget") is None:
        limits = asdict(Budget.of(*(defaults.get(name) for name in BUDGET_OPTIONS)))
    return cast(LabOptions, {**others, **limits, **given})


def _split_options(options: Mapping[str, Any]) -> tuple[LabOptions, dict[str, Any]]:
    """Split options into those of the lab and the others."""
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
    """Find inputs that fail, where none is known.

    :param space: the fields
    :param subject: gets a configuration
    :param nominal: one or several configurations that should pass. The search changes them; if one of them fails, that
        is the answer
    :param never: combinations that must not be run
    :param outside: a known cause: only configurations outside of it are run
    :param most: maximum number of configurations to run (2000)
    :param enough: number of configurations to run after the first failure, to find failures with other signatures (as
        many as the first failure took, but at least 12 and at most 60)
    :param lab: the options of the lab, see :class:`~rootward.verbs.LabOptions`
    """
    check_space(space)
    about = {"most": most, "enough": enough}
    bases = [nominal] if isinstance(nominal, Mapping) else nominal
    method = exploration.METHODS["stages"]
    tested = as_subject(subject, isolate=False)
    search = method(space, nominal=bases, never=never, outside=outside, **about, seed=read_seed(lab))
    search = check_start_first(search, tested, None, premises_of(tested, space))
    with open_lab(tested, lab) as running:
        found: Failures = running.run(search, name="find", about=about)
    return found


def triggers(
    space: Space,
    subject: Subject | Callable[..., Any],
    failing: Mapping[str, Any],
    *,
    method: str = "auto",
    flaky: Flaky = None,
    samples: int | None = None,
    **lab: Unpack[LabOptions],
) -> ProductSet:
    """Find the fields of a failing configuration that matter, and the values for which it fails.

    :param space: the fields
    :param subject: gets a configuration
    :param failing: a configuration that fails
    :param method: ``hpsl`` (the paper's schedule), ``columns``; ``auto`` is the best we have
    :param flaky: the rate at which a triggering configuration fails, see :func:`~rootward.rule`
    :param samples: number of random members of the set to run to measure its precision (a few)
    :param lab: the options of the lab, see :class:`~rootward.verbs.LabOptions`
    """
    name, tested = resolve_method(products.METHODS, method, auto="columns"), as_subject(subject, isolate=False)
    check_space(space)
    known = space.check(failing)
    options: dict[str, Any] = {"samples": samples, "seed": read_seed(lab)}
    if name == "columns":  # columns weighs single runs itself

        def make_search(rate: float) -> Search[Any, ProductSet]:
            return products.METHODS[name](space, known, rate=rate, **options)

        premises = premises_of(tested, space, known)
        search = search_at_rate(make_search, flaky, tested, lab, known, missed=None, premises=premises)
    else:
        check_steady(name, flaky)
        search = products.METHODS[name](space, known, **options)
        search = check_start_first(search, tested, known, premises_of(tested, space, known))
    with open_lab(tested, lab) as running:
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
    flaky: Flaky = None,
    derived: Mapping[str, Definition] | None = None,
    **lab: Unpack[LabOptions],
) -> RuleFinding:
    """Find the exact condition of a failure, as it would be written in code.

    :param space: the fields
    :param subject: gets a configuration
    :param failing: a configuration that fails; without one, any failure counts
    :param fields: the fields that may change; the others keep their value in ``failing``. If there are more than a
        dozen, those that matter are found first, as :func:`~rootward.triggers` does
    :param method: ``alo`` (ALO-Trees, the paper's), ``boundaries``; ``auto`` is the best we have
    :param verify: number of fresh runs at the end that measure the balanced accuracy of the rule; None: the method
        decides
    :param flaky: the rate at which a failing configuration fails, such as 0.8; True: measure the rate first; False: it
        fails every time; None: find out, by a few runs before the search and by repeating runs that the answer rests on
    :param derived: quantities that the condition may use like fields, by name: expressions over the fields, such as
        ``"width * height"``, or functions whose parameters are named like fields
    :param lab: the options of the lab, see :class:`~rootward.verbs.LabOptions`
    """
    name, tested = resolve_method(conditions.METHODS, method, auto="boundaries"), as_subject(subject, isolate=False)
    check_space(space)
    known = None if failing is None else space.check(failing)
    free = free_fields(space, fields, known)
    check_verify(verify)
    own: dict[str, Any] = {"fields": free, "seed": read_seed(lab)}
    quantities = derive(space, derived or {})
    if quantities and name != "boundaries":
        raise InputError(f"derived quantities need the method boundaries: remove derived, or method={method!r}")
    check_defined(space, quantities, [] if known is None else [known])
    own |= {"derived": quantities} if quantities else {}

    def make_search(rate: float) -> Search[Any, RuleFinding]:
        if rate == 1:
            return prove_rule(make_once(rate), space)
        if name != "boundaries":
            return make_once(rate)
        return repeat_pivotal_passes(
            partial(make_once, rate), find_pivotal, runs_to_see(rate, missed=MAX_MISS_RATE_OF_RULE)
        )

    def find_pivotal(found: RuleFinding, passes: Iterable[Any]) -> list[Any]:
        if not found.found:
            return []
        return [*pivotal_passes(space, found.rule, passes), *(pair.passes for pair in found.edges)]

    def make_once(rate: float) -> Search[Any, RuleFinding]:
        if name == "boundaries" and known is not None and len(free or space) > MAX_FIELDS:
            fields = list(free or space)
            fixed = [one for one in space if one not in fields]
            relevant = search_fields(space, known, fixed=fixed, rate=rate, seed=own["seed"])
            options = {"fields": fields, "seed": own["seed"], "verify": verify, "derived": quantities}
            return learn_on_relevant(relevant, space, known, **options)
        if name == "boundaries":
            return conditions.METHODS[name](space, known, **own, verify=verify)
        return verify_rule(conditions.METHODS[name](space, known, **own), space, known, **own, runs=verify or 0)

    premises = premises_of(tested, space, known, fields=free)
    search = search_at_rate(make_search, flaky, tested, lab, known, missed=MAX_MISS_RATE_OF_RULE, premises=premises)
    if known is None:
        search = state_failure(search)
    about: dict[str, Any] = {"method": name, "fields": free, "verify": verify}
    if quantities:
        about["derived"] = {str(one): definition_of(one) for one in quantities}
    with open_lab(tested, lab) as running:
        found: RuleFinding = running.run(search, failing=known, name="rule", about=about)
    return found


def causes(
    space: Space,
    subject: Subject | Callable[..., Any] | None,
    history: History | HistoryBatches = (),
    *,
    goal: Literal["one", "all"] = "all",
    method: str = "auto",
    never: Rule | None = None,
    certify: int | Literal["statistical"] | None = None,
    beyond: bool = False,
    flaky: Flaky = None,
    cost: Callable[[Mapping[str, Any]], float] | None = None,
    checkpoint: Checkpoint | None = None,
    **lab: Unpack[LabOptions],
) -> Causes:
    """Find the shortest combinations of settings that always fail.

    :param space: the settings
    :param subject: gets a configuration; None: nothing is run, and the causes are what the history suggests
    :param history: earlier runs, as ``(configuration, verdict)`` (True: it failed) or as
        :func:`~rootward.read_history` gives them
    :param goal: look for ``"one"`` cause, or for ``"all"``
    :param method: ``shortcut``, ``stacked_shortcut``, ``ddt``, ``bugdoc`` (the paper's), ``bayes``; ``auto`` is the
        best we have
    :param never: combinations that must not be run
    :param certify: continue until every combination of this many settings outside the causes was run; otherwise until
        many runs in a row find nothing new
    :param beyond: also try numbers between those in the history, to find exact bounds
    :param flaky: the rate at which a failing configuration fails, see :func:`~rootward.rule`
    :param cost: returns the cost of running a configuration; cheap ones are preferred
    :param checkpoint: a check inside the pipeline, as returned by :func:`~rootward.instrument`
    :param lab: the options of the lab, see :class:`~rootward.verbs.LabOptions`
    """
    name = resolve_method(configurations.METHODS, method, auto="bayes")
    own: dict[str, Any] = {"goal": goal, "seed": read_seed(lab)}
    if name == "bayes":
        own |= {"certify": None if certify == "statistical" else certify, "beyond": beyond}
    elif beyond or certify not in (None, "statistical"):
        raise InputError(f"certify and beyond need the method auto; {name} is the method of the paper")
    if checkpoint is not None and not isinstance(checkpoint, Checkpoint):
        raise InputError(f"checkpoint must be a Checkpoint, as returned by instrument(), not {checkpoint!r:.80}")
    kept = list(history) if isinstance(history, Iterator) else history  # an iterator could be read only once
    ends, checks = (kept, None) if checkpoint is None else split_history(check_pairs(kept), checkpoint.node)

    @cache
    def past_of(flaky: bool) -> KnownRuns:
        return KnownRuns(space, ends, never=never, cost=cost, flaky=flaky)

    def make_search(rate: float) -> Search[Any, Causes]:
        if rate == 1:
            return make_once(rate)
        runs = runs_to_see(rate, missed=MAX_MISS_RATE)
        return repeat_pivotal_passes(
            partial(make_once, rate), lambda found, passes: pivotal_passes(space, found.rule, passes), runs
        )

    def make_once(rate: float) -> Search[Any, Causes]:
        past = past_of(rate < 1)
        search = partial(configurations.METHODS[name], **own, **({"rate": rate} if name == "bayes" else {}))
        if checkpoint is None:
            return past.search_with_history(search)
        checked = read_runs(past.pipeline, [(space.check(one), failed) for one, failed in checks or ()])
        return two_phases(past.pipeline, past.runs, checkpoint, search, checked=checked)

    if subject is None:
        rate = expected_rate(flaky, lab) or TUNING.unknown_rate
        return _suggest_causes(make_search(1.0 if flaky is None else rate))
    tested = as_subject(subject, isolate=False)
    asked = state_failure(_search_for_causes(make_search, flaky, tested, lab, past_of, never))
    about = {
        "method": name,
        "goal": goal,
        "certify": certify,
        "beyond": beyond,
        "checkpoint": checkpoint and checkpoint.node,
    }
    with open_lab(tested, lab) as running:
        return running.run(asked, name="causes", about=about)


def _search_for_causes(
    make: Callable[[float], Search[Any, Causes]],
    flaky: Flaky,
    subject: Subject,
    lab: LabOptions,
    past_of: Callable[[bool], KnownRuns],
    never: Rule | None,
) -> Search[Any, Causes]:
    """Return the search for causes at the failure's rate.

    A failing run of the history is run again only if the rate has to be measured: because the user says that the
    failure is flaky, or because the subject takes a seed. Otherwise the first failing run that the search makes is.
    """
    failing = None
    if flaky is True or (flaky is None and subject.seeded):
        past = past_of(True)
        failing = past.failing
        premises = premises_of(subject, past.pipeline.space, failing, never=never)
    else:
        premises = premises_of(subject, past_of(False).pipeline.space)
    return search_at_rate(make, flaky, subject, lab, failing, premises=premises)


def _suggest_causes(search: Search[Any, Causes]) -> Causes:
    """Return what a search concludes from the history, before anything is run."""
    best = first_best(search)
    return replace(best, tested=False, guarantee=(), notes=(*best.notes, NothingRun(len(best.details))))


def rows(
    bad: Any,
    good: Any,
    subject: Subject | Callable[..., Any],
    *,
    key: str | Sequence[str],
    columns: str | Iterable[str] | None = None,
    method: str = "auto",
    flaky: Flaky = None,
    **lab: Unpack[LabOptions],
) -> BadRows:
    """Find the rows and cells of a bad table that make it fail, given one or several good versions of it.

    A table is the path of a CSV or Parquet file, or a Polars, pandas or Arrow table.

    :param bad: the table with which it fails
    :param good: one or several tables with which it passes; repairs take their values from the first, the others show
        what is usual
    :param subject: a function of the table, which has the type of ``bad`` (a Polars frame if that is a file), or a
        command with ``{file}``
    :param key: the column or columns that identify a row
    :param columns: the columns to compare (all)
    :param method: ``opportunistic`` (the paper's), ``adaptive``; ``auto`` is the best we have
    :param flaky: the rate at which the bad table fails, see :func:`~rootward.rule`
    :param lab: the options of the lab, see :class:`~rootward.verbs.LabOptions`
    """
    tables = Tables.of(bad, good, key, columns, text=isinstance(subject, Command))
    return search_rows(tables, subject, method=method, flaky=flaky, **lab)


def search_rows(
    tables: Tables,
    subject: Subject | Callable[..., Any],
    *,
    method: str = "auto",
    flaky: Flaky = None,
    **lab: Unpack[LabOptions],
) -> BadRows:
    """Do what ``rows`` does, with tables that are compared already."""
    name, tested = (
        resolve_method(ROW_METHODS, method, auto="adaptive"),
        as_subject(patch_subject(subject, tables), isolate=False),
    )
    search = search_at_rate(lambda _: ROW_METHODS[name](tables), flaky, tested, lab, tables.failing)
    with open_lab(tested, lab) as running:
        found: BadRows = running.run(search, failing=tables.failing, name="rows", about={"method": name})
    return found


# Failures that do not occur every time


def search_at_rate(
    make: Callable[[float], Search[Any, R]],
    flaky: Flaky,
    subject: Subject,
    lab: LabOptions,
    failing: object,
    *,
    missed: float | None = MAX_MISS_RATE,
    premises: Premises[Any] = NO_PREMISES,
) -> Search[Any, R]:
    """Return the search that ``make`` builds for the failure's rate; if that is unknown, the search measures it first.

    :param make: builds the search for a rate
    :param failing: the candidate whose rate is measured; None if no failing candidate is known
    :param missed: repeat passing runs until a failure is missed with this probability; None: the search weighs single
        runs itself
    :param premises: what is checked before the search begins
    """
    rate = expected_rate(flaky, lab)
    if rate is not None:
        if rate != 1:
            set_default_repeat(
                lab, choose_first_repeat(rate) if missed is None else policy_for_rate(rate, missed=missed)
            )
        search = make(rate)
        return check_start_first(search, subject, failing, premises)
    steady = steady_runs_of(subject.seeded) if flaky is None else None
    if failing is None:
        make(1.0)  # so that wrong options are refused before anything is run
        may_be_flaky = flaky is True or subject.seeded
        search = run_at_rate_of_first_failure(
            make,
            first_repeat=policy_for_rate(TUNING.unknown_rate, missed=missed or MAX_MISS_RATE) if may_be_flaky else ONCE,
            steady=steady,
            missed=missed,
            crucial=_runs_beside_answer,
            repeats=repeats_of(subject),
        )
        return check_start_first(search, subject, None, premises)
    set_default_repeat(lab, FIRST_FAILURE_REPEAT)
    search = run_at_measured_rate(
        make,
        failing,
        steady=steady,
        missed=missed,
        premises=premises,
        crucial=_runs_beside_answer,
        repeats=repeats_of(subject),
        seeded=subject.seeded,
    )
    return _stop_if_always_failing(search, subject, premises)


def check_start_first(
    search: Search[Any, R], subject: Subject, failing: object, premises: Premises[Any]
) -> Search[Any, R]:
    """Return the search, with checks that the subject starts and does not fail on everything.

    A Python function always starts. ``failing``: a failing candidate; None if none is known.
    """
    if failing is not None and not isinstance(subject, Function):
        search = check_premises(search, failing, premises)
    return _stop_if_always_failing(search, subject, premises)


def _stop_if_always_failing(search: Search[Any, R], subject: Subject, premises: Premises[Any]) -> Search[Any, R]:
    """Return the search, with the check unless there is nothing to check."""
    unneeded = isinstance(subject, Function) and premises.nothing is None
    return search if unneeded else stop_if_always_failing(search, premises)


def _runs_beside_answer(found: Finding, passes: Iterable[Any], failing: Any) -> list[tuple[Any, bool]]:
    """Return the runs on which a condition rests: passes next to it, and the failing run unless that is None.

    An answer that is no condition has none.
    """
    claim: Rule | None = getattr(found, "rule", None)
    if claim is None:
        return []
    known = [] if failing is None else [(failing, True)]
    return [*known, *((one, False) for one in passes_beside_rule(claim, passes))]


def repeats_of(subject: Subject) -> int:
    """Return how often to repeat each run that an answer rests on."""
    return runs_to_trust(steady_runs_of(subject.seeded), missed=TUNING.trusted_miss)


def premises_of(
    subject: Subject,
    space: Space | None = None,
    failing: Mapping[str, Any] | None = None,
    *,
    fields: Collection[str] | None = None,
    never: Rule | None = None,
    task: Task[Any] | None = None,
    empty_file: Any = None,
) -> Premises[Any]:
    """Return what to check before a search begins.

    For a file, that is an empty one; for elements, the empty list. For fields, it is a configuration in which all
    fields that may change have other values, which matters only if the command seems not to start, and a file without
    fields, which matters only if everything fails.
    """
    if empty_file is not None:
        is_command = isinstance(subject, Command)
        return Premises(empty_file if is_command else None, "an empty input", passes_on_simplest=is_command)
    if task is not None:
        nothing = task.elements.pick(sorted(task.elements.pinned))
        is_empty = isinstance(subject, Command) and not task.elements.pinned and len(task.elements) > 0
        return Premises(nothing if is_empty else None, "an empty input", passes_on_simplest=is_empty)
    if space is None:
        return NO_PREMISES
    empty: dict[str, Any] | None = {} if isinstance(subject, Command) and subject.reads_fields_from_file else None
    if failing is None:
        return Premises(nothing=empty)
    other = dict(failing)
    for name in space.names if fields is None else fields:
        other[name] = next((value for value in space.values(name) if value != failing[name]), failing[name])
    usable = other != failing and (never is None or not never.holds(other))
    return Premises(other if usable else None, "another input", nothing=empty)


def expected_rate(flaky: Flaky, lab: LabOptions) -> float | None:
    """Return the failure rate that follows from the options. Returns None if the rate has to be measured."""
    check_flaky(flaky)
    if lab.get("repeat") is not None:
        if flaky:
            raise InputError("use either flaky or repeat, not both")
        return 1.0
    if flaky is None or flaky is True:
        return None
    return float(flaky or 1)


def set_default_repeat(lab: LabOptions, policy: Policy) -> None:
    """Set the policy for repeating runs, unless the user chose one."""
    if lab.get("repeat") is None:
        lab["repeat"] = policy


def check_steady(name: str, flaky: Flaky) -> None:
    """Raise InputError if ``flaky`` says that the failure is flaky.

    Called for a method, ``name``, that cannot handle flaky failures.
    """
    check_flaky(flaky)
    if flaky is True or (flaky is not None and 0 < flaky < 1):
        raise InputError(f"the method {name} cannot handle flaky failures: use the method auto")


def choose_first_repeat(rate: float | None) -> Policy:
    """Return the policy for repeating a run until the failure occurs for the first time."""
    return (
        FIRST_FAILURE_REPEAT
        if rate is None
        else max(FIRST_FAILURE_REPEAT, policy_for_rate(rate, missed=MAX_MISS_RATE), key=lambda one: one.limit)
    )


# Checks of a verb's arguments, made before anything is run


def resolve_method(methods: Mapping[str, object], method: str, *, auto: str) -> str:
    """Return the name of the method, with ``auto`` resolved. Raises InputError for an unknown one."""
    name = auto if method == "auto" else method
    if name not in methods:
        raise InputError(f"unknown method {method!r}; expected one of auto, {', '.join(sorted(methods))}")
    return name


def read_seed(lab: Mapping[str, object]) -> int:
    """Return the seed among the options of the lab. Raises InputError if it is not a natural number."""
    seed: object = lab.get("seed", 0)
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise InputError(f"seed must be a whole number, 0 or more, not {seed!r:.80}")
    return seed


def check_space(space: object) -> None:
    if not isinstance(space, Space):
        raise InputError(f"space must be a rootward.Space, not {space!r:.80}")


def check_verify(verify: object) -> None:
    if verify is not None and (isinstance(verify, bool) or not isinstance(verify, int) or verify < 0):
        raise InputError(f"verify must be a number of runs, 0 or more, not {verify!r:.80}")


def free_fields(
    space: Space, fields: Collection[str] | None, failing: Mapping[str, Any] | None
) -> tuple[str, ...] | None:
    """Return the fields that may change, in the order of the space. Returns None if all may change."""
    if fields is None:
        return None
    if isinstance(fields, str):
        raise InputError(f"fields must be a list of names, not the string {fields!r:.80}")
    if failing is None:
        raise InputError("fields needs a failing configuration, whose values the other fields keep")
    return space.restrict(fields).names


def check_pairs(history: History | HistoryBatches) -> History:
    """Return the history if it consists of pairs.

    Raises InputError if it is a table, which cannot be used with a checkpoint.
    """
    if isinstance(history, HistoryBatches):
        raise InputError("with a checkpoint, give the history as pairs of configuration and verdict")
    return history
