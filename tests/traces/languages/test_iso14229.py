"""The model of any ECU: what ISO 14229-1 requires is judged, and what it leaves open is not."""

from __future__ import annotations

import pytest

import rootward as rw
from rootward.errors import InputError
from rootward.formats.recordings.uds import decode_request, decode_response
from rootward.traces.linting import lint
from rootward.traces.model.event import EVERYONE, Event, Trace

MS = 1000


def talk(text: str, end: int = 20_000) -> Trace:
    """A trace of words: ``>22F190`` to the ECU, ``*3E80`` to all, ``<62F190AA`` from it, ``!`` a broken message;
    ``+80`` waits 80 ms. Each message comes 10 ms after the last one."""
    now, events = 0, []
    for word in text.split():
        if word[0] == "+":
            now += int(word[1:]) * MS
            continue
        now += 10 * MS
        if word[0] == "!":
            events.append(Event(now, "err", "ECU", "truncated"))
            continue
        decoded = (decode_response if word[0] == "<" else decode_request)(bytes.fromhex(word[1:]))
        kind, ecu = {">": ("req", "ECU"), "*": ("req", EVERYONE), "<": ("res", "ECU")}[word[0]]
        events.append(Event(now, kind, ecu, decoded.operation, decoded.payload))
    return Trace("talk", tuple(events), now + end * MS)


def faults(text: str, **params: str) -> list[tuple[str, int]]:
    finding = rw.triage(rw.load_model("iso14229", **params), [talk(text)])
    assert all(fault.checked for fault in finding.faults)
    return [(fault.kind, fault.index) for fault in finding.faults]


RIGHT = [
    ">22F190 <62F190AA",
    ">22F190 <7F2231",
    ">22F190F191 <62F190AA",  # identifiers that are not supported are left out
    ">22F190F191 <62F191AA",
    ">22F190 <7F2278 +4000 <7F2278 +4000 <62F190AA",
    ">1003 <5003003201F4 >2701 <670112345678 >2702AAAA <6702",
    ">2702AAAA <7F2735",
    ">3E80 +100 >3E80 +100 >22F190 <62F190AA",
    ">1083 +100 >22F190 <62F190AA",
    ">1083 <7F1022",
    ">1083 <7F1078 +900 <5003003201F4",
    "*22F190 +500 *3E80",
    "*22F190 <7F2278 +900 <7F2231",
    "*1003 <5003003201F4",
    ">31010203 <7101020300 >31010203AA <7F3131",
    ">2E0100AA <6E0100 >2F010003AA <6F010003AA >3601AA <7601 >3E00 <7E00 >14FFFFFF <54",
    ">86050000 <C605 >3E00 <7E00 <62F190AA",  # an event that was asked for
    ">2A01F2 <6A >3E00 <7E00 <62F190AA",
    ">BA01 <7FBA11 >15 <7F1511 >BA01 <FA01",
    ">10 <7F1013 >2E01 <7F2E13 >3101 <7F3113",  # too short: refused as the ECU likes
    ">0100 +500 >22F190 <62F190AA",  # OBD: what is not supported may be left unanswered
    "<62F190AA >3E00 <7E00",  # asked before the recording began
    ">22F190 >3E00 <62F190AA",  # the tester did not wait
    ">22F190 >22F191 +80 <62F190AA",
    ">1101 <5101 >22F190 +300 >22F190 +300 >22F190 <62F190AA",  # a reset takes time
    ">1002 <5002003201F4 >22F190 +300 >3E00 <7E00",
    "!  <62F190AA",
    ">22F190 ! +500 >3E00 <7E00",
    ">1003 <500300C801F4 >22F190 +150 <62F190AA",  # the ECU announces a P2 of 200 ms
    ">1101 <5101 >1003 <500300C801F4 >3E00 <7E00 >22F190 +150 <62F190AA",
    "*1083 +100 >3E00 <7E00 >22F190 +150 <62F190AA",  # nobody knows what it would have announced
    ">22F190 <62F190AA >1003 <5003003201F4 >2A01F2 <6A +100 <62AA >1003 <5003003201F4 +100 <62AA",  # still periodic
    ">22F190 <62F190AA >868500 +500 <62F190AA",  # an event that was asked for without a response
    ">22F190 <62F190AA >860500 <C605 >22F190 <62F191AA <62F190AA",  # an event before the answer
    ">3E00 <7E00 >3E80 >2A01FE <6A <7EAA",  # a periodic message that looks like a response
    ">1003 <500300C801F4 >3E00 <7E00 >BA01 +150 <7FBA11",
    ">1003 <500300320320 >3E00 <7E00 >31810203 <7F3178 +7000 <71010203",
    "*3E00 >3E00 <7E00 <7E00",  # one response to each request
    "*22F190 >3E00 <62F190AA +500 >3E00 <7E00",
    ">22F190 <7F2238",  # secured data transmission is required
]
WRONG = [
    (">3E00 <7E00 >22F190", "missing", 3),
    (">22F190 +60 <62F190AA", "late", 1),
    (">22F190 <7F2278 +6000 <62F190AA", "late", 2),
    (">22F190 <62F191AA", "forbidden", 1),
    (">22F190 <62F190", "forbidden", 1),
    (">3E00 <7E00 >22F190F191", "missing", 3),
    (">22F190 <7F2235", "forbidden", 1),  # an invalid key, but there is no key
    (">22F190 <7F2212", "forbidden", 1),  # there is no sub-function either
    (">22F190 <7F2201", "forbidden", 1),
    (">22F190 <7F223100", "forbidden", 1),
    (">1003 <5002003201F4", "forbidden", 1),
    (">1003 <5083003201F4", "forbidden", 1),
    (">3E00 <7E0000", "forbidden", 1),
    (">3E80 <7E00", "forbidden", 1),
    (">3E80 <7F3E78", "missing", 2),
    (">2E0100AA <6E01", "forbidden", 1),
    (">31010203 <71010204", "forbidden", 1),
    (">3601AA <7602", "forbidden", 1),
    (">3E00 <7E00 <7E00", "forbidden", 2),
    ("*22F190 <7F2231", "forbidden", 1),
    ("*1003 <7F1012", "forbidden", 1),
    (">3E00 <7E00 >BA01", "missing", 3),
    (">BA01 <7FBA01", "forbidden", 1),
    (">3E00 <7E00 >10", "missing", 3),
    (">1003 <5003003201F4 >3E00 <7E00 >22F190 +60 <62F190AA", "late", 5),
    (">1101 <5101 >22F190 +300 >22F190 <62F190AA >22F190", "missing", 6),
]


@pytest.mark.parametrize("text", RIGHT)
def test_what_the_standard_allows_conforms(text: str) -> None:
    assert faults(text) == []


@pytest.mark.parametrize(("text", "kind", "index"), WRONG)
def test_what_the_standard_forbids_is_one_departure(text: str, kind: str, index: int) -> None:
    assert faults(text) == [(kind, index)]


def test_the_times_can_be_given() -> None:
    assert faults(">22F190 +60 <62F190AA", P2="100ms") == []
    assert faults(">22F190 <7F2278 +6000 <62F190AA", P2x="8s") == []
    with pytest.raises(InputError, match="model iso14229: unknown parameter 'P3'"):
        rw.load_model("iso14229", P3="1s")


def test_each_ecu_is_judged_apart_and_named_after_the_symptom() -> None:
    one = talk(">3E00 <7E00 >22F190")
    other = tuple(Event(event.time, event.kind, "B", event.operation, event.payload) for event in one.events)
    both = Trace("both", tuple(sorted((*one.events, *other), key=lambda event: event.time)), one.end)
    finding = rw.triage("iso14229", [both])
    assert [fault.trace for fault in finding.faults] == ["both (ECU)", "both (B)"]
    [only] = finding.classes
    assert only.cause == ""
    assert only.representative.requirement == "ReadDataByIdentifier is answered within 50 ms"
    assert only.representative.written == ()
    assert "ReadDataByIdentifier: there is no answer" in str(finding)


def test_an_ecu_that_never_answers_is_not_judged() -> None:
    finding = rw.triage("iso14229", [talk(">22F190 *3E80 +2000 >3E00")])
    assert (finding.faults, finding.conforming) == ((), 0)
    assert "no response of ECU was recorded" in finding.unjudged[0].reason


def test_an_answer_that_may_come_after_the_recording_is_not_missing() -> None:
    found = [rw.triage("iso14229", [talk(">3E00 <7E00 >22F190", end)]).faults for end in (0, 50, 51)]
    assert [len(faults) for faults in found] == [0, 0, 1]


@pytest.mark.parametrize(
    "text",
    [">1A90 <5A90AA >22F190", ">3E <7E >22F190", ">1002 <50 >20 <60", ">3E01 <7E >22F190", ">1092 <5092 >22F190"],
)
def test_another_protocol_is_not_judged(text: str) -> None:
    finding = rw.triage("iso14229", [talk(text)])
    assert (finding.faults, finding.conforming) == ((), 0)
    assert "another protocol" in finding.unjudged[0].reason


def test_the_model_is_in_order() -> None:
    model = rw.load_model("iso14229")
    assert lint(model) == []
    assert model.params == {"P2": "50 ms", "P2x": "5 s"}
