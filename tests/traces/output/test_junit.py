"""What a build server gets."""

from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

import rootward as rw
from rootward.traces.output.junit import write_junit
from rootward.traces.tally import UnjudgedTrace
from rootward.traces.triage import Triage

from .conftest import BAD


def written(finding: Triage, path: Path) -> Element:
    names = dict.fromkeys((fault.trace, fault.path) for fault in finding.faults)
    others = [(one.trace, one.path) for one in finding.unjudged]
    write_junit(finding, [*names, *others, ("good.asc", "good.asc")], path)
    return fromstring(path.read_text(encoding="utf-8"))


def test_a_case_for_each_trace_and_the_class_is_the_type(finding: Triage, tmp_path: Path) -> None:
    broken = UnjudgedTrace("broken.asc", "broken.asc", "broken.asc: line 1: noise", partly=True)
    root = written(replace(finding, unjudged=(broken,)), tmp_path / "out.xml")
    [suite] = root
    assert (root.tag, suite.tag) == ("testsuites", "testsuite")
    for element in (root, suite):
        assert [element.get(key) for key in ("tests", "failures", "errors")] == ["5", "3", "1"]
    cases = {case.get("name"): case for case in suite}
    assert set(cases) == {*(f"{name}.asc" for name in BAD), "good.asc", "broken.asc"}
    assert len(cases["good.asc"]) == 0
    [error] = cases["broken.asc"]
    assert (error.tag, error.get("message")) == ("error", "broken.asc: line 1: noise")
    for one in finding.classes:
        [failure] = cases[one.representative.trace]
        assert failure.tag == "failure"
        assert failure.get("type") == one.id
        assert (failure.get("message") or "").startswith("It behaves as if ")
        assert "expected: " in (failure.text or "")
        assert "observed: " in (failure.text or "")


def test_hostile_names_stay_text(model: rw.Model, tmp_path: Path) -> None:
    event = rw.Event(0, "res", "<ECU>&\x00", "ReadDataByIdentifier", "]]>\ud800")
    finding = rw.triage(model, [rw.Trace('"><failure/>\x1b', (event,), path="\x07<a>")])
    assert finding.faults
    root = written(finding, tmp_path / "out.xml")
    [case] = [case for case in root.iter("testcase") if case.get("name") != "good.asc"]
    assert case.get("name") == '"><failure/>\ufffd'
    assert len(root.findall(".//failure")) == 1
