"""What a person reads, and the same as data."""

import json
from dataclasses import replace

import rootward as rw
from rootward.traces.output.data import MOST, as_data
from rootward.traces.output.text import summary
from rootward.traces.triage import Triage

from .conftest import MODEL, TRACES


def test_the_summary_says_who_fails_why_and_where(finding: Triage) -> None:
    said = summary(finding)
    assert said.startswith("3 of 4 traces depart from UDS basic (demo ECU), for 3 causes:\n")
    for piece in (
        "It behaves as if ReadDataByIdentifier could take longer than 50 ms",
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
    both = str(rw.triage(model, rw.read_traces([good, good])))
    assert both == "All 2 traces conform to UDS basic (demo ECU)."
    assert str(rw.triage(model, [])) == "There are no traces."


def test_one_trace_is_spoken_of_as_one(model: rw.Model) -> None:
    said = str(rw.triage(model, rw.read_traces(TRACES / "bad_s3.blf")))
    assert said.startswith("The trace departs from UDS basic (demo ECU), for 1 cause:\n")
    assert ", message 21 (frame " in said


def test_a_missing_answer(model: rw.Model) -> None:
    asked = rw.Event(0, "req", "ECU", "ReadDataByIdentifier", "F190")
    finding = rw.triage(model, [rw.Trace("silent", (asked,), end=20_000_000)])
    said = str(finding)
    assert "silent, at its end" in said
    assert "observed  nothing until the end of the recording" in said
    [one] = as_data(finding)["classes"]
    assert one["example"]["since"] == 0


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
    assert len(shown) <= MOST
    assert {0, 2000, 2001} <= set(shown)
    assert 1000 not in shown
