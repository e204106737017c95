"""A diagnosis of recordings: the causes for which they depart from a model, with nothing run."""

from pathlib import Path

import pytest

import rootward as rw
from rootward.diagnosis.handover import bundle
from rootward.diagnosis.plan import Plan
from rootward.report.sentences.diagnosis import sentences, step_result
from rootward.study import Study, load_study
from rootward.traces.triage import TraceExamined, Triage

ROOT = Path(__file__).parents[2]
MODEL, TRACES = ROOT / "examples" / "models" / "uds_basic.yaml", ROOT / "tests" / "data" / "traces"


def studied(folder: Path, files: str) -> Study:
    where = f'model = "{MODEL}"\nfiles = "{TRACES / files}"\nparams = {{ S3 = "500ms" }}\n'
    (folder / "study.toml").write_text(f"[traces]\n{where}")
    return load_study(folder / "study.toml")


def test_each_class_of_faults_is_explained(tmp_path: Path) -> None:
    heard: list[TraceExamined] = []
    found = rw.diagnose(studied(tmp_path, "*"), on_event=heard.append)  # type: ignore[arg-type]
    [step] = found.steps
    assert isinstance(step.finding, Triage)
    assert len(heard) == step.finding.traces
    assert [one.headline() for one in found.explanations] == [
        "It behaves as if timer S3 never ran out.",
        "It behaves as if ECUReset did not set d0100 (res ECUReset <sub>...).",
        "It behaves as if ReadDataByIdentifier always took longer than 50 ms.",
    ]
    for one, explained in zip(step.finding.classes, found.explanations, strict=True):
        assert explained.signature is not None
        assert explained.signature.endswith(f" [{one.id}]"), "which is the same tomorrow"
    assert "seen in   3 traces, for example bad_s3.asc" in str(found)
    assert (found.trials, found.asked, found.cost()) == (0, 0, "Nothing was run.")


def test_it_is_certain_where_every_recording_was_held_against_the_change(tmp_path: Path) -> None:
    found = rw.diagnose(studied(tmp_path, "*"), jobs=2)
    [step] = found.steps
    assert isinstance(step.finding, Triage)
    for one, explained in zip(step.finding.classes, found.explanations, strict=True):
        few = all(len({fault.trace for fault in group}) <= 3 for group in one.groups)
        proved = all(fault.checked for fault in one.faults)
        assert explained.certain is (few and proved and ", or " not in one.cause)


def test_recordings_that_conform(tmp_path: Path) -> None:
    found = rw.diagnose(studied(tmp_path, "good*"))
    assert found.complete
    assert found.explanations == ()
    assert str(found).startswith("No failure was found.")
    assert " conform" in step_result(found.steps[0])


def test_what_cannot_be_judged_is_no_diagnosis(tmp_path: Path) -> None:
    (tmp_path / "empty.asc").write_text("")
    with pytest.raises(rw.InputError, match=r"no trace could be judged; the first: .*empty\.asc"):
        rw.diagnose(studied(tmp_path, str(tmp_path / "empty.asc")))


def test_it_is_handed_over(tmp_path: Path) -> None:
    study = studied(tmp_path, "bad_s3.asc")
    paths = bundle.write(rw.diagnose(study), study, tmp_path / "out")
    assert [path.name for path in paths] == ["page.html", "issue.md", "finding.json"], "there is nothing to run"
    assert "behaves as if" in (tmp_path / "out" / "issue.md").read_text()


def test_the_plan(tmp_path: Path) -> None:
    plan = Plan.of(studied(tmp_path, "*"))
    assert [step.name for step in plan.steps] == ["triage"]
    assert "where do they depart from it, and which few causes explain that? Nothing is run." in str(plan)
    with pytest.raises(rw.InputError, match="the step triage cannot be skipped"):
        Plan.of(studied(tmp_path, "*"), skip=["triage"])


def test_ctrl_c_ends_it_with_what_is_known(tmp_path: Path) -> None:
    def stop(event: TraceExamined) -> None:
        if event.done == 4:
            raise KeyboardInterrupt

    found = rw.diagnose(studied(tmp_path, "bad*"), on_event=stop)  # type: ignore[arg-type]
    assert (found.complete, found.stopped, found.certain) == (False, "interrupted", False)
    assert found.explanations
    assert all("Not all recordings were examined." in sentences(one.unknown) for one in found.explanations)
    assert found.cost() == "Nothing was run; not final (interrupted)"
