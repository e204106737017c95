"""The page of a triage: causes, the recording of each representative, and the way to all the others."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward.report.figures.lanes import draw_lanes
from rootward.report.kinds.triage import link

from .pages import fragment, page
from .test_page import OURS, Reader, scripts

ROOT = Path(__file__).parents[2]
TRACES = ROOT / "tests" / "data" / "traces"
ASK = rw.Event(0, "req", "ECU", "ReadDataByIdentifier", "F190")
TELL = replace(ASK, kind="res", payload="F1905756575A5A5A314A5A5857303030303031")


@pytest.fixture(scope="module")
def model() -> rw.Model:
    return rw.load_model(ROOT / "examples" / "models" / "uds_basic.yaml", S3="500ms")


@pytest.fixture(scope="module")
def finding(model: rw.Model) -> rw.Triage:
    return rw.triage(model, rw.read_traces(TRACES))


def at(event: rw.Event, time: int, **changes: Any) -> rw.Event:
    return replace(event, time=time, **changes)


def test_each_cause_has_its_card_and_is_listed(finding: rw.Triage) -> None:
    read = Reader(page(finding.to_dict()))
    ids = [attrs.get("id") for tag, attrs in read.tags if tag == "article"]
    assert ids == [f"run-1-class-{one.id}" for one in finding.classes]
    targets = [attrs["href"] for tag, attrs in read.tags if tag == "a" and attrs.get("class") != "skip"]
    assert targets == [f"#run-1-class-{one.id}" for one in finding.classes]  # no files without a place to link from
    for said in (
        "9 of 12 traces depart from UDS basic (demo ECU), for 3 causes:",
        "12 traces examined, 3 of them without a fault.",
        "It behaves as if timer S3 never ran out",
        "res ECU ReadDataByIdentifier 01000000 (the value of d0100)",
        "d0100: set to 0000 by ECUReset",
        "ReadDataByIdentifier is answered within 50 ms",
        "30.967 ms too late",
        "31 ms too late",
        "All 3 places where it occurs",
        "3 further departures that the same causes explain",
        "explained by the same cause",
        "due after 50 ms",
    ):
        assert said in read.text


def test_the_relevant_messages_are_marked(finding: rw.Triage) -> None:
    read = Reader(page(finding.to_dict()))
    marks = [attrs["class"] for tag, attrs in read.tags if tag == "tr" and "class" in attrs]
    assert marks.count("bad") == 3
    assert marks.count("relevant") == sum(len(one.representative.kept) - 1 for one in finding.classes)
    assert marks.count("silence") == 1
    for said in ("700.425 ms", "this time matters: it is more than 700 ms"):
        assert said in read.text
    dots = [attrs["class"] for tag, attrs in read.tags if tag == "circle"]
    assert dots.count("fault") == 3
    assert dots.count("relevant") == marks.count("relevant")


def test_it_loads_nothing_and_runs_nothing(finding: rw.Triage) -> None:
    text = page(finding.to_dict(), TRACES)
    read = Reader(text)
    assert scripts(read) == OURS
    assert not {"img", "iframe", "link"} & {tag for tag, _ in read.tags}
    assert "http" not in text.replace('http-equiv="Content-Security-Policy"', "")
    assert "bad_s3.asc" in {attrs.get("href") for tag, attrs in read.tags if tag == "a"}


def test_links_lead_from_the_page_to_the_recording(tmp_path: Path) -> None:
    assert link("", tmp_path) == ""
    assert link(str(tmp_path / "runs" / "a b.asc"), tmp_path) == "runs/a%20b.asc"
    assert link(str(tmp_path / "x.asc"), tmp_path / "out") == "../x.asc"
    assert ":" not in link("javascript:alert(1)", Path())
    assert link("a\udcff.asc", Path()) == "a%FF.asc"


def test_hostile_names_are_shown_as_they_are(model: rw.Model) -> None:
    bad = '<script>alert("1")</script>'
    events = (at(TELL, 5, ecu=bad, payload="<b>&amp;"), at(ASK, 9, ecu="\x00\ud800", operation=bad))
    trace = rw.Trace(bad, events, path=f"/tmp/{bad}", problems=(f"{bad}: noise",))
    finding = rw.triage(model, [trace])
    assert finding.faults
    data = finding.to_dict()
    text = page(data, Path("/tmp"))
    read = Reader(text)
    assert scripts(read) == OURS
    assert "b" not in {tag for tag, _ in read.tags}
    assert bad in read.text
    text.encode()
    fragment(data)


def test_faults_that_are_alike_and_equal_are_folded(model: rw.Model) -> None:
    def trace(name: str, value: str) -> rw.Trace:
        return rw.Trace(name, (ASK, at(TELL, 1000, payload=f"F190{value}")))

    finding = rw.triage(model, [trace("a", "11"), trace("b", "11"), trace("c", "22")])
    [one] = finding.classes
    assert (len(one.groups), len(one.exact)) == (1, 2)
    text = Reader(page(finding.to_dict())).text
    assert "All 3 places where it occurs" in text
    assert "3 similar, in 2 groups of equal ones" in text
    assert "2 with the same relevant messages and comparisons of time" in text


def test_a_long_recording_is_shortened(model: rw.Model) -> None:
    events = [at(one, 1000 * i) for i, one in enumerate([ASK, TELL] * 1200)]
    events[2001] = at(TELL, 2_001_000, payload="F190FF")
    text = page(rw.triage(model, [rw.Trace("long", tuple(events))]).to_dict())
    assert "The recording: 2,400 messages, 2 relevant" in text
    assert "messages left out" in text
    assert len(text) < 60_000


def test_an_answer_that_never_came_is_drawn_where_it_was_due(model: rw.Model) -> None:
    finding = rw.triage(model, [rw.Trace("silent", (ASK,), end=20_000_000)])
    text = page(finding.to_dict())
    read = Reader(text)
    assert "missing" in {attrs.get("class") for tag, attrs in read.tags if tag == "circle"}
    assert "no answer" in read.text
    assert "nothing until the end of the recording" in read.text


def test_no_faults_no_cards(model: rw.Model) -> None:
    read = Reader(page(rw.triage(model, rw.read_traces(TRACES / "good.asc")).to_dict()))
    assert "The trace conforms to UDS basic (demo ECU)." in read.text
    assert "article" not in {tag for tag, _ in read.tags}


def test_what_was_interrupted_says_so(finding: rw.Triage) -> None:
    text = Reader(page(replace(finding, complete=False, stopped="interrupted").to_dict())).text
    assert "Not final (interrupted)" in " ".join(text.split())


def test_lanes_need_events_and_have_a_limit(finding: rw.Triage) -> None:
    data = finding.to_dict()
    fault = data["faults"][data["classes"][0]["representative"]]
    assert draw_lanes(None, fault) is None
    event = {"time": 0, "kind": "req", "operation": "x", "payload": "", "line": None}
    many = [{**event, "index": i, "ecu": f"unit {i}"} for i in range(100)]
    drawn = draw_lanes({"events": many, "since": None, "length": 100}, {**fault, "kept": [50], "index": 50})
    assert drawn is not None
    assert drawn.count(' class="end"') == 12
    assert "to unit 50" in drawn
