"""Two phases: what is asked in each, what is believed, and that both causes are found exactly, for fewer runs."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.errors import InputError
from rootward.lab.events import Event, TrialStarted
from rootward.lab.lab import Lab
from rootward.rules import Atom, Conjunction, Rule
from rootward.search.ask import Ask, Search
from rootward.searches.causes.causes import Cause, Causes
from rootward.searches.causes.checkpoint import Checkpoint, instrument
from rootward.searches.causes.decision_tree import ddt
from rootward.searches.causes.facts import Phase, Rest
from rootward.searches.causes.phases import CHECKPOINT, split_history, two_phases
from rootward.searches.causes.pipeline import Pipeline
from rootward.searches.causes.runs import Runs
from rootward.space.candidate import Configuration
from rootward.space.space import Choice, Ordinal, Space
from rootward.verdict import FAIL, PASS, Verdict
from tests.properties import examples

GRAPH = {"load": ["clean"], "clean": ["fit"], "fit": ["score"], "score": []}
PARAMS = {"load": ["a"], "clean": ["b"], "fit": ["c"], "score": ["d"]}
SPACE = Space({name: Choice(range(3)) for name in "abcd"})
CHECK = instrument(GRAPH, SPACE, params=PARAMS)


def both(pipeline: Pipeline, runs: Runs) -> Search[Configuration, Causes]:
    """Runs everything; the causes are what is left when failing instances are simplified."""
    runs, causes = runs.without(()), Causes(goal="all", of=len(pipeline))
    left = [one for one in product(*map(range, pipeline.sizes)) if one not in runs and pipeline.allows(one)]
    answers = yield Ask([pipeline.configuration(one) for one in left], best=causes, note="all")
    for one, outcome in zip(left, answers, strict=True):
        assert outcome is not None
        runs.add(one, outcome.verdict is FAIL)
    failing = [pipeline.configuration(one) for one in runs.failing]
    rule = Rule(Conjunction(Atom(name, "=", value) for name, value in one.items()) for one in failing)
    found = rule.simplify(pipeline.space).conjunctions
    return Causes(details=tuple(map(Cause, found)), goal="all", of=len(pipeline), guarantee=(Rest.PASSED,))


def one(pipeline: Pipeline, runs: Runs) -> Search[Configuration, Causes]:
    found = yield from both(pipeline, runs)
    return Causes(details=found.details[:1], goal="one", of=found.of)


class Subject:
    """Fails in the first half where ``first`` holds, which the check sees, and in the second where ``second`` does."""

    def __init__(self, first: Rule, second: Rule) -> None:
        self.first, self.second, self.asked = first, second, list[dict[str, Any]]()

    def __call__(self, configuration: Mapping[str, Any]) -> Verdict:
        self.asked.append(dict(configuration))
        return self.verdict(configuration)

    def verdict(self, configuration: Mapping[str, Any]) -> Verdict:
        if self.first.holds(configuration):
            return FAIL
        return FAIL if CHECKPOINT not in configuration and self.second.holds(configuration) else PASS


def notes(found: Causes) -> list[str]:
    """What a person is told beside the causes."""
    said: list[str] = found.to_dict()["notes"]
    return said


def rule(*conjunctions: Mapping[str, Any]) -> Rule:
    return Rule(Conjunction(Atom(name, "=", value) for name, value in each.items()) for each in conjunctions)


def known(subject: Subject, *texts: str, mark: Mapping[str, Any] | None = None) -> Runs:
    """Runs of the past: ``0120`` for a = 0, b = 1, c = 2, d = 0."""
    runs = Runs(Pipeline(SPACE))
    for text in texts:
        configuration = dict(zip("abcd", map(int, text), strict=True))
        instance = runs.pipeline.encode(configuration)
        assert instance is not None
        runs.add(instance, subject.verdict({**configuration, **(mark or {})}) is FAIL)
    return runs


def found_by(subject: Subject, runs: Runs, method: Any = both, **options: Any) -> Causes:
    with Lab(subject) as lab:
        return lab.run(two_phases(runs.pipeline, runs, CHECK, method, **options))


def two() -> Subject:
    return Subject(rule({"a": 1, "b": 2}), rule({"c": 0}))


def test_the_checkpoint() -> None:
    assert (CHECK.node, CHECK.exclusive, CHECK.others) == ("clean", ("a", "b"), ("c", "d"))


def test_first_the_check_then_the_end() -> None:
    subject = two()
    found = found_by(subject, known(subject, "1211", "0000", "0011"))
    assert found.causes == [*rule({"a": 1, "b": 2}).conjunctions, *rule({"c": 0}).conjunctions]
    assert found.complete
    assert found.of == 4
    short = [one for one in subject.asked if CHECKPOINT in one]
    whole = [one for one in subject.asked if CHECKPOINT not in one]
    assert subject.asked == short + whole
    assert {one[CHECKPOINT] for one in short} == {"clean"}
    # What comes after the checkpoint does not matter to it, and stays as in a run that passed.
    assert {(one["c"], one["d"]) for one in short} == {(1, 1)}
    assert len(short) == 9
    # 00 passes there, and two known runs have it: 0000 and 0011 are not run again.
    assert {(one["a"], one["b"]) for one in whole} == {(0, 0)}
    assert len(whole) == 7
    assert found.trials == 16
    assert notes(found) == [
        "At clean: a = 1 and b = 2.",
        "With a = 0, b = 0, for which the check passes: c = 0.",
    ]
    assert found.to_dict()["guarantee"] == "All other combinations were run and passed.", (
        "both phases say so, it is said once"
    )


def test_what_is_known_of_the_check_is_not_asked_again() -> None:
    subject = two()
    runs = known(subject, "1211", "0000", "0011")
    checked = known(subject, "1222", "0021", "2220", mark={CHECKPOINT: "clean"})
    found = found_by(subject, runs, checked=checked)
    short = {(one["a"], one["b"]) for one in subject.asked if CHECKPOINT in one}
    assert not short & {(1, 2), (0, 0), (2, 2)}
    assert len(short) == 6
    assert len(found.causes) == 2


def test_runs_with_other_passing_values_are_believed() -> None:
    subject = two()
    # 22 and 10 pass at the checkpoint, so these runs say what 00 would say with the same c and d.
    found = found_by(subject, known(subject, "1211", "0000", "0011", "2201", "1022"))
    whole = {(one["c"], one["d"]) for one in subject.asked if CHECKPOINT not in one}
    assert whole == {(0, 2), (1, 0), (1, 2), (2, 0), (2, 1)}
    assert len(found.causes) == 2


def test_a_phase_without_failures_is_left_out() -> None:
    beyond = Subject(rule(), rule({"c": 0, "d": 1}))
    found = found_by(beyond, known(beyond, "1201", "2201", "0000"))
    assert found.causes == list(rule({"c": 0, "d": 1}).conjunctions)
    assert notes(found)[0] == "At clean, no run failed."
    assert sum(CHECKPOINT in one for one in beyond.asked) == 3
    inside = Subject(rule({"b": 2}), rule())
    found = found_by(inside, known(inside, "1201", "2211", "0000"))
    assert found.causes == list(rule({"b": 2}).conjunctions)
    assert notes(found)[1] == "With a = 0, b = 0, for which the check passes, no run failed."
    assert (found.goal, found.guarantee) == ("all", (Rest.PASSED,))


def test_goal_one_ends_with_the_first() -> None:
    subject = two()
    found = found_by(subject, known(subject, "1211", "0000", "0011"), one)
    assert found.causes == list(rule({"a": 1, "b": 2}).conjunctions)
    assert all(CHECKPOINT in asked for asked in subject.asked)
    beyond = Subject(rule(), rule({"c": 0}))
    assert found_by(beyond, known(beyond, "1201", "0011"), one).causes == list(rule({"c": 0}).conjunctions)


def test_a_check_that_never_passes() -> None:
    subject = Subject(Rule.always(), rule())
    found = found_by(subject, known(subject, "1201", "0000"))
    assert not found.complete
    assert notes(found) == [
        "At clean, every run failed.",
        "The check never passed, so the part after it could not be searched.",
    ]


def test_a_check_that_does_not_isolate() -> None:
    """The end also fails where a = 2, which the check does not see."""
    subject = Subject(rule({"b": 2}), rule({"a": 2, "c": 1}, {"c": 0}))
    runs = known(subject, "0211", "0011", "0101", "2011")
    found = found_by(subject, runs)
    assert any(note.startswith("The check does not isolate the part before it: two runs") for note in notes(found))
    # Only what was run with the fixed values is believed, and with these the answer is right.
    assert found.causes == [*rule({"b": 2}).conjunctions, *rule({"c": 0}).conjunctions]


def test_a_cause_in_both_halves_is_no_business_of_two_phases() -> None:
    """The known failure passes the check, and passes at the end, too, with other values that pass the check."""
    subject = Subject(rule(), rule({"a": 2, "c": 1}))
    found = found_by(subject, known(subject, "2011", "0000", "0022"))
    assert found.causes == []
    assert [note.partition(":")[0] for note in notes(found)] == [
        "At clean, no run failed.",
        "The check does not isolate the part before it",
        "With a = 0, b = 0, for which the check passes, no run failed.",
    ]


def test_what_the_check_shares_with_other_ways() -> None:
    """a reaches the end through a node beside the checkpoint, too."""
    graph = {"load": ["clean", "side"], "clean": ["fit"], "side": ["fit"], "fit": []}
    check = instrument(
        graph, SPACE, params={"load": ["a"], "clean": ["b"], "side": ["c"], "fit": ["d"]}, possible=["clean"]
    )
    assert (check.exclusive, check.row.shared) == (("b",), ("a",))
    subject = Subject(rule({"b": 2}), rule({"a": 1, "d": 0}))
    runs = known(subject, "0211", "1010", "0000")
    with Lab(subject) as lab:
        found = lab.run(two_phases(runs.pipeline, runs, check, both))
    assert found.causes == [*rule({"b": 2}).conjunctions, *rule({"a": 1, "d": 0}).conjunctions]
    assert notes(found)[-1].startswith(
        "The check also depends on a: what is said about it was shown for the fixed values"
    )
    # What is known of the check with another a says nothing of the first phase, where a is 0.
    checked = known(subject, "1100", mark={CHECKPOINT: "clean"})
    subject.asked.clear()
    with Lab(subject) as lab:
        lab.run(two_phases(runs.pipeline, runs, check, both, checked=checked))
    assert {asked["b"] for asked in subject.asked if CHECKPOINT in asked} == {0, 1, 2}


def test_what_must_not_be_run_is_not() -> None:
    never = rule({"a": 0, "b": 1}, {"a": 0, "c": 2}, {"a": 1, "d": 2})
    subject = two()
    past = known(subject, "1211", "0000", "0011")
    pipeline = Pipeline(SPACE, never=never, cost=lambda one: 1.0 + one["c"])
    runs = Runs(pipeline)
    for instance in (*past.failing, *past.passing):
        runs.add(instance, bool(past.has_failed(instance)))
    prices = []

    def priced(part: Pipeline, known: Runs) -> Search[Configuration, Causes]:
        prices.append(part.price((0, 0)))
        return both(part, known)

    with Lab(subject) as lab:
        found = lab.run(two_phases(pipeline, runs, CHECK, priced))
    assert len(found.causes) == 2
    assert len(subject.asked) == 8 + 4
    assert not any(never.holds(asked) for asked in subject.asked)
    assert prices == [2.0, 1.0]


def test_a_budget_leaves_what_the_first_phase_found() -> None:
    subject = two()
    runs = known(subject, "1211", "0000", "0011")
    with Lab(subject, budget=11) as lab:
        found = lab.run(two_phases(runs.pipeline, runs, CHECK, both))
    assert (found.complete, found.stopped) == (False, "budget")
    assert found.causes == list(rule({"a": 1, "b": 2}).conjunctions)


def test_more_jobs_same_answer() -> None:
    subject = two()
    runs = known(subject, "1211", "0000", "0011")
    with ThreadPoolExecutor(3) as threads, Lab(subject, jobs=3, executor=threads) as lab:
        found = lab.run(two_phases(runs.pipeline, runs, CHECK, ddt))
    alone = found_by(subject, runs, ddt)
    assert (found, found.asked, found.notes) == (alone, alone.asked, alone.notes)


def broken(one: Mapping[str, Any]) -> bool:
    """What the subject that ``two`` makes says, without keeping count: what is remembered must not change it."""
    return (one["a"], one["b"]) == (1, 2) or (CHECKPOINT not in one and one["c"] == 0)


def test_the_same_again_runs_nothing(tmp_path: Path) -> None:
    runs = known(two(), "1211", "0000", "0011")
    for expected in (16, 0):
        events: list[Event] = []
        with Lab(rw.fails_when(broken), store=tmp_path / "store.db", on_event=events.append) as lab:
            found = lab.run(two_phases(runs.pipeline, runs, CHECK, both))
        assert len(found.causes) == 2
        assert sum(isinstance(event, TrialStarted) for event in events) == expected


def test_a_history_of_both() -> None:
    """Rows with a checkpoint are what its check said; those of another node say nothing here."""
    ends, checks = split_history(
        [
            ({"a": 1}, True),
            ({"a": 2, CHECKPOINT: "clean"}, PASS),
            ({"a": 3, CHECKPOINT: "load"}, FAIL),
            ({"a": 4}, FAIL),
        ],
        "clean",
    )
    assert ends == [({"a": 1}, True), ({"a": 4}, FAIL)]
    assert checks == [({"a": 2}, PASS)]


def test_what_does_not_fit() -> None:
    subject = two()
    runs = known(subject, "1211", "0000")

    def start(check: Checkpoint, pipeline: Pipeline = runs.pipeline, past: Runs = runs) -> None:
        next(two_phases(pipeline, past, check, both))

    with pytest.raises(InputError, match="no failing run is known, so there is nothing to explain"):
        start(CHECK, past=known(subject, "0011"))
    with pytest.raises(InputError, match="the checkpoint does not have the parameter 'b'"):
        start(instrument(GRAPH, {"a": [0, 1, 2], "d": [0, 1, 2]}, params={"load": ["a"], "score": ["d"]}))
    with pytest.raises(InputError, match="the space does not have the parameter 'b'"):
        start(CHECK, Pipeline(SPACE.restrict("acd")))
    with pytest.raises(InputError, match="does not help at any node"):
        start(instrument({"a": []}, SPACE, params={"a": ["a", "b", "c", "d"]}))
    named = Space({CHECKPOINT: Choice("ab"), "a": Choice("ab")})
    with pytest.raises(InputError, match="no parameter can have this name"):
        start(
            instrument({"n": ["m"], "m": []}, named, params={"n": ["a"], "m": [CHECKPOINT]}, possible=["n"]),
            Pipeline(named),
        )


# Against the truth


@st.composite
def halves(draw: st.DrawFn) -> tuple[Rule, Rule]:
    def conjunctions(names: str) -> Rule:
        atom = st.tuples(st.sampled_from(names), st.sampled_from(["=", "!=", "<=", ">"]), st.integers(0, 2))
        atoms = st.lists(atom, min_size=1, max_size=2)
        return Rule(Conjunction(Atom(*one) for one in each) for each in draw(st.lists(atoms, max_size=2)))

    return conjunctions("ab"), conjunctions("cd")


@examples(60)
@given(halves(), st.lists(st.text("012", min_size=4, max_size=4), min_size=1, max_size=8), st.integers(0, 8))
def test_what_is_found_is_true_and_explains_every_known_failure(
    truth: tuple[Rule, Rule], texts: list[str], checked: int
) -> None:
    subject = Subject(*truth)
    runs = known(subject, *texts)
    if not runs.failing:
        return
    found = found_by(subject, runs, checked=known(subject, *texts[:checked], mark={CHECKPOINT: "clean"}))
    for values in product(range(3), repeat=4):
        configuration = dict(zip("abcd", values, strict=True))
        if found.rule.holds(configuration):
            assert any(half.holds(configuration) for half in truth)
    if all(note.passed for note in found.notes if isinstance(note, Phase)):  # then there was nothing to compare with
        assert found.complete
        assert all(found.rule.holds(runs.pipeline.configuration(one)) for one in runs.failing)


def test_decision_trees_need_fewer_runs_with_a_check() -> None:
    names = [f"p{i}" for i in range(8)]
    nodes = [f"N{i}" for i in range(8)]
    space = Space({name: Ordinal(range(4)) for name in names})
    params = {node: [name] for node, name in zip(nodes, names, strict=True)}
    check = instrument({node: nodes[i + 1 : i + 2] for i, node in enumerate(nodes)}, space, params=params)
    assert check.node == "N3"
    truth = rule({"p0": 1, "p2": 3}), rule({"p5": 2, "p6": 0})
    subject, pipeline = Subject(*truth), Pipeline(space)
    runs, checked = Runs(pipeline), Runs(pipeline)
    for row in np.random.default_rng(0).integers(0, pipeline.sizes, size=(80, 8)).tolist():
        configuration = pipeline.configuration(row)
        runs.add(tuple(row), subject.verdict(configuration) is FAIL)
        checked.add(tuple(row), subject.verdict({**configuration, CHECKPOINT: "N3"}) is FAIL)
    with Lab(subject) as lab:
        without = lab.run(ddt(pipeline, runs))
    with Lab(subject) as lab:
        found = lab.run(two_phases(pipeline, runs, check, ddt, checked=checked))
    assert found.rule.equivalent(truth[0] | truth[1], space)
    assert found.trials < without.trials
    assert isinstance(found, rw.Finding)
