"""Every kind of change of a model has bugs that it names, and it is refuted by traces in which it does not happen."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rootward.traces.examine import Examiner
from rootward.traces.languages import load_model
from rootward.traces.model.event import Trace
from rootward.traces.model.model import Model
from rootward.traces.output.words import behaviour
from rootward.traces.running.engine import Engine
from rootward.traces.running.replay import find_witnesses
from rootward.traces.triage import Triage, triage
from tests.properties import examples, few

from .reference.ctr import trace

UNIT = """
model: unit
defaults: {p2: 50ms, pending: 500ms}
vars: {session: "01", sec: "00", seed1: none, seed2: none, talks: "00", d0100: "AA", d0101: "BB"}
services:
  0x10:
    sub 1: {positive: {set: {session: "01", sec: "00"}}}
    sub 2: {positive: {set: {session: "02", sec: "00"}}}
    sub 3: {positive: {set: {session: "03", sec: "00"}}}
  0x11:
    sub 1: {positive: {set: {session: "01", sec: "00", d0100: "AA", d0101: "BB"}}}
    sub 3: {positive: {set: {session: "01", sec: "00", d0100: "AA", d0101: "BB"}}}
  0x22:
    did 0100: {positive: {data: d0100}}
    did 0101: {positive: {data: d0101}}
    did 0200: {positive: {data: talks}}
    did 0201: {positive: {data: sec}}
    did 0202: {positive: {data: sec}}
    did F186: {positive: {data: session}}
  0x2E:
    require: ['session in ["02", "03"] else 0x7F']
    did 0100: {positive: {set: {d0100: $data}}}
    did 0101: {positive: {set: {d0101: $data}}}
  0x23:
    require: ['$data in ["1000", "1001"] else 0x31', 'sec in ["01", "02"] else 0x33']
    positive: {data: "AABB"}
  0x27:
    sub 1: {positive: {set: {seed1: $data}}}
    sub 2:
      require: ['seed1 not in [none] else 0x24', 'seed1 == $key else 0x35']
      derive: {key: xor_01}
      positive: {set: {sec: "01", seed1: none}}
    sub 3: {positive: {set: {seed2: $data}}}
    sub 4:
      require: ['seed2 not in [none] else 0x24', 'seed2 == $key else 0x35']
      derive: {key: xor_01}
      positive: {set: {sec: "02", seed2: none}}
  0x28:
    sub 0: {positive: {set: {talks: "00"}}}
    sub 1: {positive: {set: {talks: "01"}}}
  0x2F:
    require: ['session in ["02", "03"] else 0x7F']
    did 0100: {positive: {data: $request_data}}
  0x3E:
    sub 0: {positive: {}}
timers:
  S3:
    while: session in ["02", "03"]
    restart: [response, suppressed request]
    after: 2s
    slack: 100ms
    do: {session: "01", sec: "00"}
"""
SERVICES = {
    "10": "DiagnosticSessionControl",
    "11": "ECUReset",
    "22": "ReadDataByIdentifier",
    "23": "ReadMemoryByAddress",
    "27": "SecurityAccess",
    "28": "CommunicationControl",
    "2E": "WriteDataByIdentifier",
    "2F": "InputOutputControlByIdentifier",
    "3E": "TesterPresent",
}


@cache
def unit(text: str = UNIT) -> Model:
    with TemporaryDirectory() as folder:
        path = Path(folder, "unit.yaml")
        path.write_text(text)
        return load_model(path)


def talk(number: int, said: str) -> Trace:
    """``10>03 10<03 +70 22<F186-7F``: requests and answers 10 ms apart, 70 ms more before the next one; ``-7F`` is a
    negative response."""
    steps, wait = [], 10
    for word in said.split():
        if word[0] == "+":
            wait += int(word)
            continue
        kind = "req" if ">" in word else "res"
        sid, payload = word.replace("<", ">").split(">")
        payload = f"NRC {payload[1:]}" if payload.startswith("-") else payload
        steps.append((wait, f"{kind} ECU {SERVICES[sid]} {payload}".strip()))
        wait = 10
    return trace(f"test {number}", *steps)


def sorted_out(*some: str) -> Triage:
    return triage(unit(), [talk(number, said) for number, said in enumerate(some)])


def causes(*some: str) -> list[str]:
    return sorted(behaviour(one.causes) for one in sorted_out(*some).classes)


READ = "22>F186 22<F18603"
OPEN = f"10>03 10<03 {READ}"
WRITE = f"{OPEN} 2E>0100CC 2E<0100"
KEY_1, KEY_2 = "27>01 27<0110 27>0211 27<02", "27>03 27<0310 27>0411 27<04"
LEVEL = "22>0201 22<0201"
NAMED: dict[str, tuple[str, ...]] = {
    # Updates
    "ECUReset did not set d0100 (res ECUReset 01...)": (f"{WRITE} 11>01 11<01 22>0100 22<0100CC",),
    "ECUReset never set d0100 to AA": (
        f"{WRITE} 11>01 11<01 22>0100 22<0100CC",
        f"{WRITE} 11>03 11<03 22>0100 22<0100CC",
    ),
    "SecurityAccess never set seed1, seed2 to none": (f"{KEY_1} 27>0211 27<02", f"{KEY_2} 27>0411 27<04"),
    "CommunicationControl did nothing where it owes no answer ('suppressed')": (
        "28>81 22>0200 22<020000",
        "28>01 28<01 28>80 22>0200 22<020001",
    ),
    "SecurityAccess set nothing (res SecurityAccess 02...)": (
        f"{KEY_1} {LEVEL}00",
        f"{KEY_1} 27>0211 27<02",
        f"{KEY_1} 27>0211 27<02 {LEVEL}00",
    ),
    "SecurityAccess set sec to 02 instead of 01": (f"{KEY_1} {LEVEL}02",),
    "SecurityAccess took 01 and 02 for each other in sec": (
        f"{KEY_1} {LEVEL}02",
        f"{KEY_2} {LEVEL}01",
        f"{KEY_1} {LEVEL}02 {KEY_2} {LEVEL}01",
    ),
    # Timers
    "timer S3 never ran out": (f"{OPEN} +2200 {READ}",),
    "timer S3 could run out late": (
        f"{OPEN} +2200 {READ}",
        f"{OPEN} +2200 {READ} +4000 22>F186 22<F18601",
    ),
    "timer S3 ran out after 1 s to 1.5 s": (
        f"{OPEN} +1300 22>F186 22<F18601",
        f"{OPEN} +900 {READ} 2E>0100CC 2E<0100 +1300 2E>0100CC 2E<-7F",
    ),
    "TesterPresent did not restart S3.time": (
        f"{OPEN} +1500 3E>80 +800 22>F186 22<F18601",
        f"{OPEN} +1500 3E>00 3E<00 +800 2E>0100CC 2E<-7F",
    ),
    "timer S3 did not restart (req (DiagnosticSessionControl|ECUReset|…) <payload>)": (
        f"{OPEN} +1500 28>81 +800 22>F186 22<F18601",
        f"{OPEN} +1500 3E>80 +800 2E>0100CC 2E<-7F",
        f"{OPEN} +1500 28>81 +800 22>F186 22<F18601 10>03 10<03 +1500 3E>00 3E<00 +800 {READ}",
    ),
    # Checks
    "WriteDataByIdentifier did not check session in [02, 03]": ("2E>0100CC 2E<0100 10>02 10<02 2E>0101CC 2E<0101",),
    "WriteDataByIdentifier did not check session in [02, 03] (req WriteDataByIdentifier 0100...)": (
        "2E>0100CC 2E<0100 2E>0101CC 2E<-7F",
    ),
    "WriteDataByIdentifier checked session in [03] instead of session in [02, 03]": (
        f"10>02 10<02 22>F186 22<F18602 2E>0100CC 2E<-7F {WRITE}",
    ),
    "SecurityAccess did not check = key": ("27>01 27<0110 27>0299 27<02", "27>03 27<0310 27>0499 27<04"),
    # Answers
    "this answer never said what it should (ReadDataByIdentifier: res ReadDataByIdentifier 0100...)": (
        "22>0100 22<010077",
        f"{WRITE} 22>0100 22<010078",
    ),
    "this answer always said what was so at first (ReadDataByIdentifier: res ReadDataByIdentifier 0201...)": (
        f"{LEVEL}00 {KEY_1} {LEVEL}00",
        f"{KEY_2} {LEVEL}00",
    ),
    "the content of this answer did not matter (ReadDataByIdentifier: res ReadDataByIdentifier 0100...)": (
        "22>0100 22<010077",
        "22>0100 22<0100AA 22>0100 22<010077",
    ),
    "ReadDataByIdentifier always answered with other data where 'did 0100 positive' is due": (
        "22>0100 22<0101AA 22>0101 22<0101BB",
    ),
    "ReadDataByIdentifier always answered with other data than those due": (
        "22>0100 22<0101AA",
        "22>0101 22<0100BB",
        "22>0100 22<0101AA 22>0101 22<0102BB",
    ),
    "CommunicationControl always answered where it owes no answer ('suppressed')": ("28>81 28<01", "28>80 28<00"),
    "WriteDataByIdentifier always answered NRC 22 where NRC 7F is due": (
        "2E>0100CC 2E<-22",
        f"2E>0101CC 2E<-22 {OPEN}",
    ),
    "ReadDataByIdentifier answered with d0101 instead of d0100 (res ReadDataByIdentifier 0100...)": (
        "22>0100 22<0100BB",
        f"{OPEN} 2E>0101CC 2E<0101 22>0100 22<0100CC",
    ),
    "CommunicationControl could answer unasked": ("28<01", "28>80 28<-33", f"{OPEN} 28<-12 28>80"),
    # Checks in another order
    "ReadMemoryByAddress checked what is refused with NRC 33 before NRC 31": (
        f"23>2000 23<-33 {READ[:-2]}01",
        f"23>2000 23<-33 {KEY_1} 23>2000 23<-31 23>1000 23<AABB",
    ),
    # The same in all components
    "every component always took longer than 50 ms": (
        "22>0100 +100 22<0100AA 28>01 +100 28<01",
        "3E>00 +100 3E<00 2E>0100CC +100 2E<-7F",
    ),
    "no component ever refused": (
        "2E>0100CC +100 22>0777 +100 22>F186 22<F18601",
        "22>0777 +100 2E>0100CC +100",
    ),
    "every component always answered where it owes no answer ('suppressed')": ("28>81 28<01", "3E>80 3E<00"),
    "every component answered NRC 22 where NRC 31 is due": (
        "22>0777 22<-22",
        f"2E>0100CC 2E<-7F {OPEN} 2E>0777CC 2E<-22",
    ),
    "every component took 02 for 01 where it checked session": (
        "10>02 10<02 22>F186 22<F18602 2E>0100CC 2E<-7F 22>F186 22<F18602",
        "10>02 10<02 2F>0100CC 2F<-7F 22>F186 22<F18602 10>03 10<03 2F>0100CC 2F<0100CC",
    ),
    "nothing ever set sec to 00": (
        f"{KEY_1} {LEVEL}01 10>01 10<01 {LEVEL}01",
        f"{OPEN} {KEY_1} {LEVEL}01 +2200 {LEVEL}01",
    ),
    # In one mode only
    "ReadDataByIdentifier never answered while session = 03": (
        f"22>0100 22<0100AA 10>03 10<03 22>0100 +100 10>01 10<01 {READ[:-2]}01",
        "10>02 10<02 22>0101 22<0101BB 10>03 10<03 22>F186 +100",
    ),
    # Effects that should not be
    "CommunicationControl also set d0100 to AA (res CommunicationControl 01...)": (
        f"{WRITE} 22>0100 22<0100CC 28>01 28<01 22>0100 22<0100AA",
        f"{WRITE} 28>00 28<00 22>0100 22<0100CC 28>01 28<01 22>0100 22<0100AA",
    ),
    # Silence
    "ReadDataByIdentifier always took longer than 50 ms where 'did 0100 positive' is due": (
        "22>0100 +100 22<0100AA 22>0101 22<0101BB",
    ),
    "ReadDataByIdentifier always took longer than 50 ms": ("22>0100 +100 22<0100AA", "22>0101 +100 22<0101BB"),
    "WriteDataByIdentifier always took longer than 50 ms to refuse": (
        "2E>0100CC +100 2E<-7F",
        f"{OPEN} 2E>0999CC +100 2E<-31 2E>0100CC 2E<0100",
    ),
    "ReadDataByIdentifier could take longer than 50 ms": (
        "22>0100 +100 22<0100AA",
        "22>0100 22<0100AA 22>0100 +100 22<0100AA",
    ),
    "WriteDataByIdentifier did not answer where 'did 0100 positive' is due": (
        f"{OPEN} 2E>0100CC +100 22>0100 22<0100CC 2E>0101CC 2E<0101",
    ),
    "WriteDataByIdentifier never refused": (
        "2E>0100CC +100 22>F186 22<F18601",
        f"{OPEN} 2E>0999CC +100 2E>0100CC 2E<0100",
    ),
    "WriteDataByIdentifier never answered": (
        f"{OPEN} 2E>0100CC +100 22>0100 22<0100CC",
        "2E>0100CC +100 22>F186 22<F18601",
        f"2E>0100CC +100 {OPEN} 2E>0101DD +100 22>0101 22<0101DD",
    ),
    "WriteDataByIdentifier need not answer": (
        f"{OPEN} 2E>0100CC +100 22>0100 22<0100AA",
        f"{OPEN} 2E>0100CC +100 2E>0100DD 2E<0100 22>0100 22<0100DD",
    ),
}


@pytest.mark.parametrize("cause", NAMED)
def test_a_bug_is_named(cause: str) -> None:
    assert causes(*NAMED[cause]) == [f"as if {cause}"]


def test_what_restarts_a_timer_in_two_ways_does_it_in_neither() -> None:
    hears = unit(UNIT.replace("restart: [response", "restart: [request, response"))
    some = (
        f"{OPEN} +1500 28>81 +800 22>F186 22<F18601",
        f"{OPEN} +1500 3E>80 +800 2E>0100CC 2E<-7F",
        f"{OPEN} +1500 28>81 +800 2E>0100CC 2E<-7F 10>03 10<03 +1500 3E>00 3E<00 +800 {READ}",
    )
    [one] = triage(hears, [talk(number, said) for number, said in enumerate(some)]).classes
    assert behaviour(one.causes).startswith("as if nothing like req (DiagnosticSessionControl|ECUReset|")


APART: dict[str, tuple[str, ...]] = {
    "one update was made, and another one of its kind was not": (
        f"{KEY_1} 27>0211 27<02 {KEY_2} 27>0411 27<-24",
        f"{KEY_2} 27>0411 27<04 {KEY_1} 27>0211 27<-24",
    ),
    "two updates of one answer that need not be one cause": (f"{KEY_1} {LEVEL}00", f"{KEY_1} 27>0211 27<02"),
    "one answer was in time, and another one was not": (
        "22>0100 +100 22<0100AA 22>0101 22<0101BB",
        "22>0101 +100 22<0101BB 22>0100 22<0100AA",
    ),
    "a late refusal, and a late answer with a refusal in time": (
        "2E>0100CC +100 2E<-7F",
        f"{OPEN} 2E>0100CC +100 2E<0100 10>01 10<01 2E>0100CC 2E<-7F",
    ),
    "one key was checked, and another one was not": (
        "27>01 27<0110 27>0299 27<02 27>03 27<0310 27>0499 27<-35",
        "27>03 27<0310 27>0499 27<04 27>01 27<0110 27>0299 27<-35",
    ),
    "one message keeps the session, and another one does not": (
        f"{OPEN} +1500 3E>80 +800 22>F186 22<F18601 10>03 10<03 +1500 28>81 +800 {READ}",
        f"{OPEN} +1500 28>81 +800 2E>0100CC 2E<-7F 10>03 10<03 +1500 3E>80 +800 {READ}",
    ),
}


@pytest.mark.parametrize("why", APART)
def test_what_a_trace_speaks_against_is_no_cause(why: str) -> None:
    assert [one.traces for one in sorted_out(*APART[why]).classes] == [1, 1]


def test_what_two_chosen_causes_explain_equally_well_belongs_to_neither() -> None:
    reads = f"{KEY_1} {LEVEL}00"
    stale = f"{LEVEL}00 {KEY_2} {LEVEL}00 {KEY_1} {LEVEL}00"
    lost = f"{KEY_2} {LEVEL}02 {KEY_1} 22>0202 22<020202"
    found = sorted_out(reads, stale, lost).classes
    assert sorted(len(one.cause.split(", or as if ")) for one in found) == [1, 1, 2]


@pytest.mark.parametrize("cause", few(8, NAMED))
def test_replaying_from_the_first_difference_is_replaying_it_all(cause: str) -> None:
    examiner = Examiner(unit())
    for number, said in enumerate(NAMED[cause]):
        one = talk(number, said)
        witness = next(find_witnesses(examiner.engine, one))
        fault = examiner.describe_fault(one, witness, explained=False)
        for mutant in examiner.mutants(fault, witness):
            whole = next(find_witnesses(Engine(mutant.change(unit())), one), None)
            assert examiner.conforms(mutant, one) == (whole is None), mutant.name


ALL = [talk(number, said) for number, said in enumerate(said for some in list(NAMED.values())[::2] for said in some)]


@cache
def everything() -> set[tuple[str, frozenset[str]]]:
    return grouped(ALL)


def grouped(traces: list[Trace]) -> set[tuple[str, frozenset[str]]]:
    return {
        (one.cause or one.id, frozenset(fault.trace for fault in one.faults)) for one in triage(unit(), traces).classes
    }


@examples(5)
@example(ALL[::-1])
@given(st.permutations(ALL))
def test_classes_do_not_depend_on_the_order_of_traces(traces: list[Trace]) -> None:
    assert grouped(traces) == everything()
