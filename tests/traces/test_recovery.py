"""After a departure the replay continues from everything that may have happened, and invents no further departures.

``tests/benchmarks/test_wrong_answers.py`` tries the same on generated traces.
"""

from __future__ import annotations

from pathlib import Path

import rootward as rw
from rootward.traces.languages import Draft
from rootward.traces.model.event import Event, Trace
from rootward.traces.running.engine import Engine
from rootward.traces.running.replay import find_witnesses

MODEL = Path(__file__).parents[2] / "examples" / "models" / "uds_basic.yaml"
MS = 1000


def said(*messages: tuple[int, str]) -> Trace:
    """A trace of messages such as ``>22 0100``, each with its time in milliseconds."""
    events = []
    for time, text in messages:
        kind, ecu, operation, *payload = text.split(" ", 3)
        events.append(Event(time * MS, kind, ecu, operation, "".join(payload)))
    return Trace("case", tuple(events), events[-1].time + 10_000 * MS)


def kinds(trace: Trace, model: rw.Model | None = None) -> list[tuple[str, int]]:
    found = rw.triage(model or rw.load_model(MODEL), [trace])
    assert all(fault.checked for fault in found.faults)
    return [(fault.kind, fault.index) for fault in found.faults]


def test_services_that_are_not_listed_are_refused_one_by_one() -> None:
    clear, other, more = "ClearDiagnosticInformation", "0x15", "0x16"
    wrong = said(
        (0, f"req ECU {clear}"),
        (25, f"res ECU {clear} NRC 13"),
        (50, f"req ECU {other}"),
        (55, f"res ECU {other} NRC 11"),
        (80, f"req ECU {more}"),
        (85, f"res ECU {more} NRC 11"),
    )
    assert kinds(wrong) == [("forbidden", 1)]
    right = said(*((event.time // MS, event.text.replace("NRC 13", "NRC 11")) for event in wrong.events))
    assert kinds(right) == []
    several = ((0, f"req ECU {clear}"), (10, f"req ECU {other}"), (20, f"res ECU {clear} NRC 11"))
    assert kinds(said(*several, (30, f"res ECU {other} NRC 11"))) == []
    assert kinds(said(*several, (30, f"res ECU {other} 00"))) == [("forbidden", 3)]
    slow = ((0, f"req ECU {other}"), (40, f"res ECU {other} NRC 78"), (3000, f"res ECU {other} NRC 11"))
    assert kinds(said(*slow)) == []
    assert kinds(said(*slow[:2])) == [("missing", 2)]


def test_an_answer_to_another_service_uses_up_the_request() -> None:
    wrong = ((0, "req ECU ReadDataByIdentifier 0100"), (9, "res ECU WriteDataByIdentifier 0100"))
    assert kinds(said(*wrong)) == [("forbidden", 1)]
    assert kinds(said(*wrong, (20, "res ECU ReadDataByIdentifier 01000000"))) == [("forbidden", 1)]


def test_what_a_wrong_refusal_did_is_open() -> None:
    opened = ((0, "req ECU DiagnosticSessionControl 03"), (9, "res ECU DiagnosticSessionControl NRC 22"))
    asked = (20, "req ECU WriteDataByIdentifier 0100AAAA")
    for code in ("7F", "33"):
        assert kinds(said(*opened, asked, (29, f"res ECU WriteDataByIdentifier NRC {code}"))) == [("forbidden", 1)]
    assert kinds(said(*opened, asked, (29, "res ECU WriteDataByIdentifier NRC 31"))) == [
        ("forbidden", 1),
        ("forbidden", 3),
    ]


def test_an_overdue_answer_may_still_come_once() -> None:
    asked = (0, "req ECU ReadDataByIdentifier 0100")
    alive = tuple((time, "req functional TesterPresent 80") for time in range(100, 900, 100))
    late = (1000, "res ECU ReadDataByIdentifier 01000000")
    assert len(kinds(said(asked, *alive, late))) == 1
    assert len(kinds(said(asked, *alive, late, (1010, late[1])))) == 2
    again = ((1100, asked[1]), (1110, late[1]))
    assert len(kinds(said(asked, *alive, *again))) == 1
    assert len(kinds(said(asked, *alive, *again, (1120, late[1])))) == 1  # this may be the overdue one
    assert len(kinds(said(asked, *alive, *again, *((time + 100, text) for time, text in again), (1300, late[1])))) == 2


def test_timers_run_while_an_answer_is_overdue() -> None:
    session = ((0, "req ECU DiagnosticSessionControl 03"), (9, "res ECU DiagnosticSessionControl 03"))
    lost = (20, "req ECU ReadDataByIdentifier 0100")
    write = ((9000, "req ECU WriteDataByIdentifier 0100AAAA"), (9010, "res ECU WriteDataByIdentifier NRC 7F"))
    assert [index for _, index in kinds(said(*session, lost, *write))] == [3]
    accepted = (9010, "res ECU WriteDataByIdentifier 0100")
    assert len(kinds(said(*session, lost, write[0], accepted))) == 2


def test_a_broken_request_may_have_been_asked() -> None:
    broken = Event(0, "err", "ECU", "overlap", "220100")
    answer = Event(9 * MS, "res", "ECU", "ReadDataByIdentifier", "01000000")
    assert kinds(Trace("broken", (broken, answer), 10**6)) == [("forbidden", 0)]
    assert kinds(Trace("broken", (broken,), 10**6)) == [("forbidden", 0)]


def test_another_ecu_does_not_answer_instead() -> None:
    draft = Draft("two")
    for ecu in ("A", "B"):
        owed = {"stay": f"c{ecu} <= 50ms"}
        draft.component(
            f"unit {ecu}",
            initial="idle",
            locations={"idle": {}, "owed": owed},
            edges=[
                {"from": "idle", "to": "owed", "on": f"req {ecu} get", "reset": f"c{ecu}"},
                {"from": "owed", "to": "idle", "on": f"res {ecu} value"},
                {"from": "idle", "to": "idle", "on": f"res {ecu} ...", "when": "never"},
            ],
        )
    draft.document["clocks"] = ["cA", "cB"]
    model = draft.model()
    assert kinds(said((0, "req A get"), (9, "res B value")), model) == [("forbidden", 1), ("missing", 2)]
    assert kinds(said((0, "req A get"), (9, "res A wrong")), model) == [("forbidden", 1)]


def test_a_message_that_fits_nowhere_changes_nothing() -> None:
    draft = Draft("small")
    draft.component(
        "one",
        initial="a",
        locations={"b": {}},
        edges=[{"from": "b", "to": "a", "on": "req M go"}, {"from": "a", "to": "a", "on": "res M done"}],
    )
    model = draft.model()
    engine = Engine(model)
    [first, second] = find_witnesses(engine, said((0, "req M go"), (1, "res M done"), (2, "req M go")))
    assert first.reached[-1] == second.reached[-1] == engine.begin()
