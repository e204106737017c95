"""What a person reads, and the same as data."""

import json
import re
from dataclasses import replace

import rootward as rw
from rootward.traces.grouping.mutant import as_if
from rootward.traces.output.data import MAX_EVENTS, as_data
from rootward.traces.output.text import summary
from rootward.traces.triage import Triage

from .conftest import MODEL, TRACES


def test_the_summary_says_who_fails_why_and_where(finding: Triage) -> None:
    said = summary(finding)
    assert said.startswith("3 of 4 traces depart from UDS basic (demo ECU), for 3 causes:\n")
    for piece in (
        "It behaves as if ReadDataByIdentifier always took longer than 50 ms",
        "after 80.967 ms: 30.967 ms too late",
        "It behaves as if timer S3 never ran out",
        "expected  res ECU WriteDataByIdentifier NRC 7F",
        "It behaves as if ECUReset did not set d0100",
        "expected  res ECU ReadDataByIdentifier 01000000 (the value of d0100)",
        "observed  res ECU ReadDataByIdentifier 01001234",
        "because   d0100: set to 0000 by ECUReset",
        "seen in   1 trace: bad_noreset.asc, message 24 (line 32) at 0.862875 s",
        "1 further departure in these traces is explained by the same causes.",
    ):
        assert piece in said
    assert max(map(len, said.splitlines())) < 400


def test_nothing_wrong_nothing_there(model: rw.Model) -> None:
    good = TRACES / "good.asc"
    assert str(rw.triage(model, rw.read_traces(good))) == "The trace conforms to UDS basic (demo ECU)."
    both = str(rw.triage(model, rw.read_traces([good, TRACES / "good.blf"])))
    assert both == "All 2 traces conform to UDS basic (demo ECU)."
    assert str(rw.triage(model, [])) == "There are no traces."


def test_what_was_not_judged_is_told(model: rw.Model) -> None:
    [good] = rw.read_traces(TRACES / "good.asc")
    partly, empty = replace(good, name="some", problems=("some: line 1: noise",)), rw.Trace("empty", ())
    other = rw.Trace("other", (rw.Event(0, "told", "X", "Y"),))
    said = str(rw.triage(model, [good, partly, empty, other])).splitlines()
    assert said[:4] == [
        "1 of 4 traces conforms to UDS basic (demo ECU).",
        "",
        "1 trace could be judged only in part, and that part conforms: some.",
        "2 traces could not be judged: empty, other.",
    ]
    assert str(rw.triage(model, [partly])).startswith("The trace conforms to UDS basic (demo ECU) as far as it could")
    assert str(rw.triage(model, [other])).startswith("The trace could not be judged.\n")


def test_that_no_more_faults_are_looked_for_is_told(model: rw.Model) -> None:
    wrong = rw.Event(0, "res", "ECU", "ECUReset", "01")
    finding = rw.triage(model, [rw.Trace("bad", (wrong,) * 30)])
    assert finding.cut == as_data(finding)["cut"] == 1
    assert "1 trace has 20 departures; no more than that are searched for in a trace." in str(finding)
    assert rw.triage(model, [rw.Trace("less bad", (wrong,) * 19)]).cut == 0


def test_one_trace_is_spoken_of_as_one(model: rw.Model) -> None:
    said = str(rw.triage(model, rw.read_traces(TRACES / "bad_s3.blf")))
    assert said.startswith("The trace departs from UDS basic (demo ECU), for 1 cause:\n")
    assert ", message 21 (frame " in said


def test_a_missing_answer(model: rw.Model) -> None:
    asked = rw.Event(0, "req", "ECU", "ReadDataByIdentifier", "F190")
    finding = rw.triage(model, [rw.Trace("silent", (asked,), end=20_000_000)])
    said = str(finding)
    assert "silent, at the end of the trace" in said
    assert "observed  nothing until the end of the recording, 20 s later\n" in said
    [one] = as_data(finding)["classes"]
    assert one["example"]["since"] == 0


def test_a_recording_that_was_cut_is_not_blamed_without_a_word(model: rw.Model) -> None:
    asked = rw.Event(0, "req", "ECU", "ReadDataByIdentifier", "F190")
    finding = rw.triage(model, [rw.Trace("cut", (asked,), end=20_000)])
    assert "nothing until the end of the recording, 20 ms later: the recording may have stopped too early\n" in str(
        finding
    )
    [fault] = finding.faults
    assert (fault.took, fault.limit, fault.margin) == (20_000, 50_000, None)


def test_a_time_that_matters_is_told(finding: Triage) -> None:
    said = str(finding)
    assert "because   session: set to 1 by timer S3 (700.425 ms passed: more than 700 ms)" in said
    assert re.search(r"relevant +\(700\.425 ms pass: more than 700 ms\)\n +19 +0\.849715 s  req", said)
    [silences] = [fault["silences"] for fault in as_data(finding)["faults"] if fault["silences"]]
    assert silences == [{"before": 18, "passed": 700_425, "limit": 700_000}]


def test_what_is_never_allowed_is_not_expected(model: rw.Model) -> None:
    unasked = rw.Event(0, "res", "ECU", "SecurityAccess", "02")
    broken = rw.Event(0, "err", "ECU", "overlap", "62")
    for event, requirement in (
        (unasked, "SecurityAccess is answered only when asked, and as required"),
        (broken, "Messages are complete"),
    ):
        said = str(rw.triage(model, [rw.Trace("odd", (event,))]))
        assert "expected  nothing of this kind\n" in said
        assert f"required  {requirement}" in said


def test_an_answer_that_broke_off_is_one_cause(model: rw.Model) -> None:
    asked = rw.Event(0, "req", "ECU", "ReadDataByIdentifier", "F190")
    broken = rw.Event(10_000, "err", "ECU", "overlap", "62")
    other = rw.Event(200_000, "req", "ECU", "TesterPresent", "80")
    for events in ((asked, broken), (asked, broken, other)):
        finding = rw.triage(model, [rw.Trace("broken", events, end=300_000)])
        assert [(fault.kind, fault.consequence) for fault in finding.faults] == [("forbidden", False)]
    late = replace(broken, time=250_000)
    finding = rw.triage(model, [rw.Trace("two", (asked, other, late))])
    assert [(fault.kind, fault.consequence) for fault in finding.faults] == [("missing", False), ("forbidden", False)]


def test_causes_are_whole_and_earlier_messages_are_counted(finding: Triage) -> None:
    [one] = [one for one in finding.classes if one.representative.trace == "bad_noreset.asc"]
    many = replace(one.representative, kept=tuple(range(20)))
    long = replace(one, causes=(as_if("x " * 150),), representative=many)
    said = str(replace(finding, classes=(long,)))
    assert f"It behaves as if {'x ' * 149}x  [{one.id}]" in said
    assert "relevant  15 earlier messages, and\n" in said


def test_the_data_are_json_and_name_faults_by_number(finding: Triage) -> None:
    data = json.loads(json.dumps(finding.to_dict()))
    assert (data["finding"], data["traces"], data["conforming"], data["complete"]) == ("triage", 4, 1, True)
    faults = data["faults"]
    for one in data["classes"]:
        assert one["representative"] in one["faults"]
        assert sorted(one["faults"]) == sorted(number for group in one["groups"] for equal in group for number in equal)
        assert one["traces"] == len({(faults[number]["trace"], faults[number]["path"]) for number in one["faults"]})
        shown = {event["index"] for event in one["example"]["events"]}
        assert set(faults[one["representative"]]["kept"]) <= shown
    late = next(fault for fault in faults if fault["kind"] == "late" and not fault["consequence"])
    assert (late["limit"], late["took"], late["margin"], late["line"]) == (50_000, 80_967, 30_967, 7)
    assert all(fault["checked"] for fault in faults)
    assert sum(fault["consequence"] for fault in faults) == 1


def test_of_a_long_trace_only_what_is_near_is_kept() -> None:
    model = rw.load_model(MODEL)
    ask = rw.Event(0, "req", "ECU", "ReadDataByIdentifier", "F190")
    tell = replace(ask, kind="res", payload="F1905756575A5A5A314A5A5857303030303031")
    wrong = replace(tell, payload="F190FFFF")
    pairs = [(ask, tell)] * 1000 + [(ask, wrong)] + [(ask, tell)] * 200
    events = [replace(one, time=1000 * i) for i, one in enumerate(one for pair in pairs for one in pair)]
    finding = rw.triage(model, [rw.Trace("long", tuple(events))])
    [one] = as_data(finding)["classes"]
    shown = [event["index"] for event in one["example"]["events"]]
    assert one["example"]["length"] == 2402
    assert len(shown) <= MAX_EVENTS
    assert {0, 2000, 2001} <= set(shown)
    assert 1000 not in shown
