"""A diagnosis as a bug report: whatever is known of it already, and whatever the subject calls its things."""

import functools
import html
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.diagnosis.diagnose import diagnose
from rootward.explanation.diagnosis import (
    REPRODUCER,
    TEST,
    UNMEASURED,
    Artifact,
    Diagnosis,
    Explanation,
    FailureCause,
    Step,
)
from rootward.explanation.facts import (
    Before,
    Check,
    CommandFailed,
    Gap,
    NoSimpleCondition,
    OtherTexts,
    OverlookedFields,
    RegressionRun,
)
from rootward.explanation.reasons import FailsWith
from rootward.report.answer import sentence, title
from rootward.report.data import document, run_from_store, run_of
from rootward.report.issue import summary
from rootward.report.kinds.diagnosis import PRESENTER, paragraph, step_run
from rootward.report.page import page, step
from rootward.report.sentences.diagnosis import step_result
from rootward.rules import Atom, Estimate, Rule, Score, Term
from rootward.searches.causes.causes import Causes
from rootward.store.store import Store
from rootward.study import Study
from rootward.subjects.function import Function
from tests.properties import examples, few
from tests.report.samples import EVIL
from tests.report.test_schema import faults

from .samples import FAILING, diagnosis, explanation, found, study

ARTIFACTS = (
    Artifact(REPRODUCER, "reproducer.json", b'{"speed": 120}', "run out/reproducer.json", CommandFailed("exit code 1")),
    Artifact(TEST, "test_it.py", b"def test_it(): ...\n", "pytest out/test_it.py", RegressionRun(1, 1, 0, 0)),
)


def told(one: Diagnosis) -> dict[str, Any]:
    return run_of(replace(one, artifacts=ARTIFACTS))


explanations = st.builds(
    lambda **parts: replace(explanation(), **parts),
    signature=st.none() | st.just("too fast"),
    rate=st.sampled_from([UNMEASURED, Estimate(1.0, 0.7, 1.0), Estimate(0.5, 0.3, 0.7)]),
    failing=st.none() | st.just(FAILING),
    reduction=st.none() | st.just(explanation().reduction),
    order=st.sampled_from([(), (Before("a", "b"),)]),
    causes=st.sampled_from(
        [(), explanation().causes, explanation().causes * 2, (FailureCause(Rule.of_terms([]), {}),)]
    ),
    relevant=st.sampled_from([(), ("speed",), ("speed", "gear")]),
    check=st.none() | st.sampled_from([Check(), explanation().check]),
    details=st.sampled_from([(), (found()["causes"],)]),
    unknown=st.sampled_from([(), (Gap.NO_REPAIR,)]),
)
steps = st.lists(
    st.sampled_from(diagnosis().steps).flatmap(
        lambda one: st.sampled_from([one, replace(one, finding=None), replace(one, complete=False, seconds=None)])
    ),
    max_size=6,
)


@examples(40)
@given(
    st.lists(explanations, max_size=2),
    steps,
    st.booleans(),
    st.sampled_from([None, "budget"]),
    st.booleans(),
    st.booleans(),
)
def test_wherever_it_ended_there_is_a_report(
    some: list[Explanation], taken: list[Step], complete: bool, stopped: str | None, with_files: bool, trials: bool
) -> None:
    evidence = diagnosis().evidence if trials else None
    one = Diagnosis(
        study="x", explanations=tuple(some), steps=tuple(taken), complete=complete, stopped=stopped, evidence=evidence
    )
    run = told(one) if with_files else run_of(one)
    assert faults(document([run])) == []
    shown = page(document([run]))
    assert (">Final answer" in shown or "\nFinal answer" in shown) is complete
    assert sentence(run)
    written = summary(document([run]))
    assert written.startswith("# ")
    assert ("**Not final**" in written) is not complete


@functools.cache
def started(budget: int) -> Diagnosis:
    """A real one, which ends when its budget does."""
    space = rw.Space({"speed": rw.Int(0, 200), "gear": rw.Choice("PRND"), "load": rw.Float(0, 1)})
    fails = rw.fails_when(lambda c: c["speed"] >= 80 and c["gear"] in "RN")
    known = Study("real", Path("none.toml"), Function(fails), space, FAILING)
    return diagnose(known, budget=budget)


@pytest.mark.parametrize("budget", few(3, [1, 12, 500, 4, 6, 30]))
def test_a_real_one_at_the_end_of_its_budget(budget: int) -> None:
    run = run_of(started(budget))
    assert faults(document([run])) == []
    assert len(page(document([run]))) > 10_000
    assert summary(document([run]))


def test_the_whole_says_what_when_and_how_to_see_it() -> None:
    run = told(diagnosis())
    title = "over-speed seems to fail when: speed >= 80 and gear in {N, R}"
    assert sentence(run) == title
    said = "".join(paragraph(run["finding"], run["finding"]["explanations"][0]))
    assert "Of 12 elements, 2 are needed: A (line 3) and B (line 8). Of 3 fields, 2 matter: speed and gear." in said
    written = summary(document([run]))
    assert written.startswith("# over-speed seems to fail when `speed >= 80 and gear in {N, R}`\n")
    assert "2 are needed: `A` (`line 3`) and `B` (`line 8`). Of 3 fields, 2 matter: `speed` and `gear`." in written
    assert "| `speed >= 80 and gear in {N, R}` |" in written
    for part in ("run out/reproducer.json", "Checked: fails, exit code 1.", "def test_it(): ...", "Only 2 of 4 values"):
        assert part in written
        assert part in page(document([run]))


@pytest.mark.parametrize(
    ("names", "about"),
    [
        (["speed"], "speed"),
        (["speed", "a b"], 'speed and "a b"'),
        (["acro_roll", "angle_max", "acro_trainer"], "acro_roll, angle_max and acro_trainer"),
        (list("abcdefg"), "a, b and 5 more fields"),
        (["x" * 60, "y" * 60], "2 fields"),
    ],
)
def test_a_title_is_short(names: list[str], about: str) -> None:
    rule = Rule.of_terms([Term.of([Atom(name, "=", "v" * 80) for name in names])])
    one = explanation(causes=(FailureCause(rule, {}),), relevant=tuple(names))
    run = run_of(replace(diagnosis(), explanations=(one,)))
    said = f"over-speed seems to fail under a condition on {about}"
    assert "".join(title(run)) == said
    assert f"<title>{html.escape(said).replace('&quot;', '&#34;')}</title>" in page(document([run]))
    assert summary(document([run])).partition("\n")[0].replace("`", "") == f"# {said}"
    long = run_of(replace(diagnosis(), study="s" * 200, explanations=(one,)))
    assert len("".join(title(long))) == 100


def test_two_failures_have_their_own_parts() -> None:
    two = replace(diagnosis(), explanations=(explanation(), explanation(signature="other")))
    files = (ARTIFACTS[0], replace(ARTIFACTS[0], name="reproducer-2.json", failure=2), ARTIFACTS[1])
    run = run_of(replace(two, artifacts=files))
    assert sentence(run).startswith("over-speed seems to fail in 2 ways, when: speed >= 80 and gear in {N, R} or ")
    written, shown = summary(document([run])), page(document([run]))
    assert written.index("# Failure 1: too fast") < written.index("# Failure 2: other")
    assert shown.count("reproducer-2.json</code>") == 1


def test_several_failures_have_the_verb_of_the_weakest() -> None:
    check = Check((10, 10), (0, 10), (7, 8), Score(18, 0, 0, 9))
    sure, proved = (replace(explanation(), check=one, unknown=()) for one in (check, replace(check, whole=True)))
    rough, doubtful = replace(sure, approximate=True), explanation()
    for explanations, verb in [
        ((proved, proved), "fails exactly"),
        ((proved, sure), "fails"),
        ((sure, rough), "fails roughly"),
        ((rough, doubtful), "seems to fail"),
    ]:
        run = run_of(replace(diagnosis(), explanations=explanations))
        assert sentence(run).startswith(f"over-speed {verb} in 2 ways, when: ")


def test_a_rate_from_few_random_inputs_is_not_stated() -> None:
    check = Check(score=Score(1, 0, 0, 59), refuting=(FAILING,), is_sample=True)
    said = str(replace(explanation(), check=check, approximate=True))
    assert said.splitlines()[0].startswith("It fails roughly when ")
    assert "unknown" not in said.splitlines()[0]
    assert "1 of them failed; too few predicted failures for a precision; too few failing runs for a recall." in said


def test_a_long_condition_that_is_not_certain_is_told_by_its_main_causes() -> None:
    rules = [Rule([[Atom(f"the_speed_of_wheel_{i}", ">", 80)]]) for i in range(8)]
    one = replace(explanation(), causes=tuple(FailureCause(rule, FAILING, i, i) for i, rule in enumerate(rules)))
    main = " or ".join(map(str, rules[4:]))
    assert one.headline() == f"It seems to fail when {main} or in 4 other cases."


def test_what_the_headline_says_is_not_repeated() -> None:
    one = Explanation(approximate=True, unknown=(NoSimpleCondition(("speed",)),))
    said = "No simple condition explains it. It depends on speed."
    assert str(one) == said
    issue = summary(document([told(replace(diagnosis(), explanations=(one,)))]))
    assert issue.count(said) == 2, "in the title and in the paragraph"


def test_each_step_sees_the_trials_of_its_kind() -> None:
    run = told(diagnosis())
    names = [one.name for one in diagnosis().steps]
    reduced, rule, causes = (step_run(run, names.index(name) + 1) for name in ("reduce", "rule", "causes"))
    assert reduced["trials"]["kept"]
    assert not reduced["trials"]["fields"]
    assert set(rule["trials"]["fields"]) == {"speed", "gear", "load"}
    assert rule["trials"]["listed"] == found()["triggers"].trials + found()["rule"].trials
    assert not any(-1 in column["index"] for column in rule["trials"]["fields"].values())
    assert set(causes["trials"]["fields"]) == {"mode", "n"}
    drawn = step(run, names.index("rule") + 1)
    assert "rw-plane" in drawn, "the runs of the rule are drawn, though others kept elements"
    assert "rw-parallel" in step(run, names.index("causes") + 1)


def test_a_step_judges_by_its_own_failure() -> None:
    own = [{**row, "signature": "other" if i % 2 else row["signature"]} for i, row in enumerate(rows())]
    evidence = diagnosis().evidence
    assert evidence
    mixed = replace(diagnosis(), evidence=replace(evidence, trials=lambda: own))
    at = [one.name for one in mixed.steps].index("rule")
    about = replace(found()["rule"], signature="other")
    other = replace(mixed, steps=(*mixed.steps[:at], replace(mixed.steps[at], finding=about)))
    shares = [counted(step_run(run_of(one), at + 1)) for one in (mixed, other)]
    assert shares[0]["FAIL"] == shares[1]["OTHER"] > 0
    assert shares[0]["OTHER"] == shares[1]["FAIL"] > 0
    assert shares[0]["PASS"] == shares[1]["PASS"]


def test_each_step_says_how_long_its_trials_took() -> None:
    steps = started(500)._add_seconds(started(500).steps)
    asked = [step for step in steps if step.keys]
    assert len(asked) > 1
    evidence = started(500).evidence
    assert evidence
    before: set[str] = set()
    for one in asked:  # the time of what is made again belongs to the step that was the first to need it
        assert one.seconds is not None
        assert one.seconds > 0 or one.keys <= before
        before |= one.keys
    assert sum(step.seconds or 0 for step in steps) == pytest.approx(sum(row["seconds"] for row in evidence.trials()))


def rows() -> list[dict[str, Any]]:
    evidence = diagnosis().evidence
    assert evidence
    return list(evidence.trials())


def counted(run: dict[str, Any]) -> dict[str, int]:
    column = run["trials"]["columns"]["verdict"]
    return {name: column["index"].count(i) for i, name in enumerate(column["values"])}


def test_whatever_it_is_called_it_is_only_shown() -> None:
    evil = EVIL[0] + EVIL[2]
    rule = Rule.of_terms([Term.of([Atom(evil, "=", EVIL[1])])])
    bad = Explanation(
        signature=EVIL[1] + EVIL[7],
        failing={evil: EVIL[4]},
        order=(Before(evil, evil),),
        causes=(FailureCause(rule, {evil: EVIL[1]}),),
        relevant=(evil,),
        of=1,
        check=replace(explanation().check or Check(), refuting=({evil: EVIL[6]},)),
        unknown=(OtherTexts(evil),),
    )
    files = tuple(Artifact(kind, evil, evil.encode(), evil, CommandFailed(evil)) for kind in (REPRODUCER, TEST))
    one = Diagnosis(
        study=evil,
        explanations=(bad,),
        steps=(Step(evil, FailsWith(evil), (OverlookedFields((evil,)),), seconds=1),),
        artifacts=files,
    )
    run = run_of(one)
    assert faults(document([run])) == []
    shown = page(document([run])).partition('<script type="application/gzip"')[0]
    assert "<script" not in shown.lower()
    assert "<img" not in shown
    written = re.sub(r"^(`{3,}).*?^\1$", "", summary(document([run])), flags=re.MULTILINE | re.DOTALL)
    written = re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", written)
    assert "<script" not in written
    assert "<img" not in written
    assert len(written) < 30_000


def test_a_stored_one_is_told_alike(tmp_path: Path) -> None:
    check = "def check(c):\n    assert c['speed'] < 80\n"
    it = study(
        tmp_path / "s",
        'function = "station_stored:check"',
        "[fields]\nspeed = { type = 'int', lo = 0, hi = 200 }\n[failing]\nspeed = 120",
        station_stored__py=check,
    )
    made = diagnose(it, store=tmp_path / "store.db")
    with Store(tmp_path / "store.db") as store:
        run = run_from_store(store, store.runs()[-1])
    assert run["finding"] == json.loads(json.dumps(run_of(made)["finding"]))
    assert faults(document([run])) == []


def test_the_result_of_a_step_is_a_whole_sentence() -> None:
    said = {one.name: step_result(one) for one in diagnosis().steps}
    assert all(text.endswith(".") for text in said.values())
    causes = found()["causes"]
    assert isinstance(causes, Causes)
    assert said["causes"].endswith(f"passed): {' or '.join(map(str, causes.details))}.")


def test_two_failures_show_both_conditions_at_the_top() -> None:
    other = explanation(signature="stuck", causes=(FailureCause(Rule.of_terms([Term.of([Atom("load", ">", 1)])]), {}),))
    found = replace(diagnosis(), explanations=(explanation(), other))
    data = found.to_dict()
    shown = PRESENTER.conditions(data)
    assert shown == [str(explanation().rule), "load > 1"]
    assert PRESENTER.head(data) == "over-speed seems to fail in 2 ways, when"
