import pickle
import re
from pathlib import Path
from typing import Any

import pytest

from rootward import InputError
from rootward.traces.languages import FUNCTIONS, Draft, load_ecus, load_model
from rootward.traces.model.event import Event, Trace
from rootward.traces.model.guard import format_guard
from rootward.traces.model.model import UNKNOWN
from rootward.traces.triage import triage

from .naive import after, component, knows, taken

MODELS = Path(__file__).parents[3] / "examples" / "models"
BASIC = load_model(MODELS / "uds_basic.yaml")
START = dict(BASIC.variables)


def owed(service, request, source="idle", model=BASIC, **values):
    """Where a request leads: what is owed then."""
    found = taken(component(model, service), source, request, {**model.variables, **values})
    assert len(found) == 1, [one.target for one in found]
    return found[0].target


def test_the_parts_of_a_model():
    names = [one.name for one in BASIC.components]
    assert names[:2] == ["DiagnosticSessionControl", "ECUReset"]
    assert names[-3:] == ["other services", "timer S3", "transport"]
    assert {name: BASIC.variables[name] for name in ("session", "sec", "seed", "d0100")} == {
        "session": 1,
        "sec": 0,
        "seed": "none",
        "d0100": "0000",
    }
    assert BASIC.variables["dF190"] == "5756575A5A5A314A5A5857303030303031"
    assert BASIC.clocks["S3.time"] is UNKNOWN
    assert BASIC.clocks["ECUReset.wait"] == 0
    assert pickle.loads(pickle.dumps(BASIC)) == BASIC


@pytest.mark.parametrize(
    ("request_", "values", "target"),
    [
        ("0100AB", {"session": 1, "sec": 1}, "NRC 7F"),
        ("0100AB", {"session": 3, "sec": 0}, "NRC 33"),
        ("0100AB", {"session": 3, "sec": 1}, "did 0100 positive"),
        ("F190AB", {"session": 3, "sec": 1}, "other NRC 31"),
        ("F190AB", {"session": 1, "sec": 1}, "NRC 7F"),
        ("01", {"session": 3, "sec": 1}, "too short"),
    ],
)
def test_requirements_are_looked_at_in_their_order(request_, values, target):
    assert owed("WriteDataByIdentifier", f"req ECU WriteDataByIdentifier {request_}", **values) == target


@pytest.mark.parametrize(
    ("request_", "values", "target"),
    [
        ("01", {"session": 1}, "NRC 7F"),
        ("01", {"session": 2}, "sub 1 positive"),
        ("02A4A7A6A1", {"session": 2}, "sub 2 NRC 24"),
        ("02A4A7A6A2", {"session": 2, "seed": "01020304"}, "sub 2 NRC 35"),
        ("02A4A7A6A1", {"session": 2, "seed": "01020304"}, "sub 2 positive"),
        ("03", {"session": 2}, "other NRC 12"),
        ("82A4A7A6A1", {"session": 2, "seed": "01020304"}, "suppressed"),
    ],
)
def test_branches_and_derived_parameters(request_, values, target):
    assert owed("SecurityAccess", f"req ECU SecurityAccess {request_}", **values) == target


def test_only_the_owed_answer_is_taken():
    part = component(BASIC, "WriteDataByIdentifier")
    for answer in ("NRC 33", "NRC 31", "0100", ""):
        text = f"res ECU WriteDataByIdentifier {answer}".strip()
        assert knows(part, text)
        assert taken(part, "NRC 7F", text, START) == []
        assert taken(part, "idle", text, START) == []
    assert [one.target for one in taken(part, "NRC 7F", "res ECU WriteDataByIdentifier NRC 7F", START)] == ["idle"]


def test_the_positive_answer_echoes_and_sets():
    part = component(BASIC, "DiagnosticSessionControl")
    request = "req ECU DiagnosticSessionControl 03"
    (asked,) = taken(part, "idle", request, START)
    values = after(asked, request, START)
    assert taken(part, "positive", "res ECU DiagnosticSessionControl 02003201F4", values) == []
    answer = "res ECU DiagnosticSessionControl 03003201F4"
    (answered,) = taken(part, "positive", answer, values)
    assert after(answered, answer, values) == {**START, "session": 3, "DiagnosticSessionControl.sub": 3}


def test_data_is_that_of_the_response_or_of_what_was_written():
    answer = "res ECU SecurityAccess 0101020304"
    (seeded,) = taken(component(BASIC, "SecurityAccess"), "sub 1 positive", answer, START)
    assert after(seeded, answer, START)["seed"] == "01020304"
    part, request = component(BASIC, "WriteDataByIdentifier"), "req ECU WriteDataByIdentifier 010012AB"
    (asked,) = taken(part, "idle", request, {**START, "session": 3, "sec": 1})
    values = after(asked, request, START)
    (written,) = taken(part, "did 0100 positive", "res ECU WriteDataByIdentifier 0100", values)
    assert after(written, "res ECU WriteDataByIdentifier 0100", values)["d0100"] == "12AB"


def test_data_has_to_be_what_the_model_says():
    part = component(BASIC, "ReadDataByIdentifier")
    wrong, right = (f"res ECU ReadDataByIdentifier 0100{data}" for data in ("FFFF", "0000"))
    assert taken(part, "did 0100 positive", wrong, START) == []
    (found,) = taken(part, "did 0100 positive", right, START)
    assert found.requirement == "ReadDataByIdentifier did 0100 is answered positively with d0100"


def test_pending_gives_more_time():
    part = component(BASIC, "ECUReset")
    (later,) = taken(part, "positive", "res ECU ECUReset NRC 78", START)
    assert (later.target, later.reset) == ("positive pending", {"ECUReset.wait"})
    (again,) = taken(part, "positive pending", "res ECU ECUReset NRC 78", START)
    assert again.target == "positive pending"
    limits = {one.name: (format_guard(one.stay), one.requirement) for one in part.locations}
    assert limits["positive"] == ("ECUReset.wait <= 50 ms", "ECUReset is answered within 50 ms")
    assert limits["positive pending"] == ("ECUReset.wait <= 5 s", "ECUReset is answered within 5 s after NRC 78")
    assert limits["idle"] == ("always", "")


def test_a_suppressed_response_must_not_come_but_takes_effect():
    part, request = component(BASIC, "ECUReset"), "req ECU ECUReset 81"
    (asked,) = taken(part, "idle", request, {**START, "session": 3})
    assert asked.target == "suppressed"
    assert after(asked, request, {**START, "session": 3, "d0100": "1234"})["d0100"] == "0000"
    assert taken(part, "suppressed", "res ECU ECUReset 01", START) == []
    assert taken(part, "suppressed", "res ECU ECUReset NRC 12", START) == []
    assert owed("ECUReset", "req ECU ECUReset 82") == "NRC 12"
    assert owed("ECUReset", "req ECU ECUReset 01", source="suppressed") == "positive"
    (late,) = taken(part, "suppressed", "res ECU ECUReset NRC 78", START, clock=50_000)
    assert late.target == "announced"
    assert [one.target for one in taken(part, "announced", "res ECU ECUReset 01", START)] == ["idle"]
    assert taken(part, "suppressed", "res ECU ECUReset NRC 78", START, clock=50_001) == []


def test_requests_to_all_are_not_refused_aloud():
    assert owed("ECUReset", "req functional ECUReset 02") == "idle"
    assert owed("ECUReset", "req ECU ECUReset 02") == "NRC 12"
    assert owed("ECUReset", "req functional ECUReset 01") == "positive"
    write = "req functional WriteDataByIdentifier 0100AB"
    assert owed("WriteDataByIdentifier", write, session=3) == "NRC 33"
    assert not knows(component(BASIC, "other services"), "req functional 0xBA 01")


def test_another_request_while_an_answer_is_owed_changes_nothing():
    for source in ("positive", "positive pending", "NRC 12"):
        assert owed("TesterPresent", "req ECU TesterPresent 80", source=source) == source


def test_several_identifiers_at_once_may_be_answered_in_any_way():
    assert owed("ReadDataByIdentifier", "req ECU ReadDataByIdentifier F1900100") == "several"
    part = component(BASIC, "ReadDataByIdentifier")
    assert len(taken(part, "several", "res ECU ReadDataByIdentifier F19012340100AB", START)) == 1
    assert len(taken(part, "several", "res ECU ReadDataByIdentifier NRC 31", START)) == 1


def test_services_that_are_not_listed_are_refused():
    part = component(BASIC, "other services")
    assert owed("other services", "req ECU 0xBA 01") == "owed"
    assert owed("other services", "req ECU RoutineControl 01FF00") == "owed"
    assert not knows(part, "req ECU ECUReset 01")
    asked = {**START, "other services.asked": "0xBA"}
    assert [one.target for one in taken(part, "owed", "res ECU 0xBA NRC 11", asked)] == ["idle"]
    assert taken(part, "owed", "res ECU 0xBB NRC 11", asked) == []
    assert taken(part, "owed", "res ECU 0xBA NRC 12", asked) == []
    assert taken(part, "idle", "res ECU 0xBA NRC 11", asked) == []


def test_unless_the_model_does_not_care():
    names = [one.name for one in Draft("M", unknown="ignore").service(0x3E).model().components]
    assert names == ["TesterPresent", "transport"]


def test_broken_messages_are_forbidden():
    part = component(BASIC, "transport")
    assert knows(part, "err ECU truncated 1014")
    assert taken(part, "idle", "err ECU truncated 1014", START) == []


def test_the_session_timer():
    part = component(load_model(MODELS / "uds_basic.yaml", S3="500ms"), "timer S3")
    (running,) = part.locations
    assert format_guard(running.stay) == "session = 1 or S3.time <= 700 ms"
    (due,) = [one for one in part.edges if one.on is None]
    assert format_guard(due.when) == "session != 1 and S3.time >= 500 ms"
    assert {name: str(value) for name, value in due.set.items()} == {"session": "1", "sec": "0", "seed": "none"}
    for restarts in ("res ECU ECUReset NRC 12", "res X ReadDataByIdentifier F190AB", "req ECU TesterPresent 80"):
        (found,) = taken(part, "timer", restarts, START)
        assert found.reset == {"S3.time"}
    for other in ("req ECU TesterPresent 00", "req ECU ReadDataByIdentifier F190", "err ECU truncated"):
        assert not knows(part, other)


def test_every_reason_is_said():
    for part in BASIC.components:
        assert all(edge.requirement for edge in part.edges)
        assert all(place.requirement for place in part.locations if place.stay != ((),))
    texts = {edge.requirement for edge in component(BASIC, "WriteDataByIdentifier").edges}
    assert "WriteDataByIdentifier needs session in [3], else NRC 7F" in texts
    assert "WriteDataByIdentifier knows only did 0100, else NRC 31" in texts


def test_python_says_the_same_as_the_file():
    home = {"session": 1, "sec": 0, "seed": "none"}
    draft = Draft(
        "UDS basic (demo ECU)",
        params={"P2": "50ms", "P2x": "5s", "S3": "5s", "S3_slack": "200ms"},
        variables={**home, "d0100": "0000", "dF190": "5756575a5a5a314a5a5857303030303031"},
        p2="P2",
        pending="P2x",
    )
    draft.service(0x10, require=["$sub in [1,2,3] else 0x12"], positive={"set": {**home, "session": "$sub"}})
    draft.service(0x11, require=["$sub in [1,3] else 0x12"], positive={"set": {**home, "d0100": "0000"}})
    key = {
        "derive": {"keyfor": "xor_a5"},
        "require": ["seed != none else 0x24", "seed == $keyfor else 0x35"],
        "positive": {"set": {"sec": 1, "seed": "none"}},
    }
    draft.service(
        0x27, require=["session in [2,3] else 0x7F"], sub={1: {"positive": {"set": {"seed": "$data"}}}, 2: key}
    )
    draft.service(0x3E, require=["$sub in [0] else 0x12"])
    draft.service(0x22, did={0xF190: {"positive": {"data": "dF190"}}, 0x0100: {"positive": {"data": "d0100"}}})
    draft.service(
        0x2E,
        require=["session in [3] else 0x7F", "sec == 1 else 0x33"],
        did={0x0100: {"positive": {"set": {"d0100": "$data"}}}},
        otherwise=0x31,
    )
    restart = ["response", "suppressed request"]
    draft.timer("S3", runs="session != 1", restart=restart, after="S3", slack="S3_slack", do=home)
    assert draft.model() == BASIC
    assert draft.model(S3="500ms") == load_model(MODELS / "uds_basic.yaml", S3="500ms")


def test_a_model_of_one_ecu():
    model = Draft("M", ecu="GW").service(0x11).model()
    part = component(model, "ECUReset")
    assert knows(part, "req GW ECUReset 01")
    assert knows(part, "req functional ECUReset 01")
    assert not knows(part, "req ECU ECUReset 01")
    assert not knows(part, "res ECU ECUReset 01")


def test_a_service_without_sub_function():
    model = Draft("M").service(0x14, require=["$data = FFFFFF else 0x31"]).model()
    request = "req ECU ClearDiagnosticInformation"
    name = "ClearDiagnosticInformation"
    assert owed(name, f"{request} FFFFFF", model=model) == "positive"
    assert owed(name, f"{request} 000000", model=model) == "NRC 31"
    assert owed(name, request, model=model) == "NRC 31"
    assert owed(name, request.replace("ECU", "functional"), model=model) == "idle"
    part = component(model, name)
    assert len(taken(part, "positive", "res ECU ClearDiagnosticInformation", {})) == 1


def test_what_the_whole_service_requires_of_a_branch():
    draft = Draft("M", variables={"a": 0})
    draft.service(0x31, require=["$sub in [1, 3] else 0x12", "$sub = 1 or a = 1 else 0x24"], sub={1: {}, 3: {}, 5: {}})
    model = draft.model()
    assert owed("RoutineControl", "req ECU RoutineControl 01FF00", model=model) == "sub 1 positive"
    assert owed("RoutineControl", "req ECU RoutineControl 03FF00", model=model) == "NRC 24"
    assert owed("RoutineControl", "req ECU RoutineControl 03FF00", model=model, a=1) == "sub 3 positive"
    assert owed("RoutineControl", "req ECU RoutineControl 05FF00", model=model, a=1) == "NRC 12"


def test_the_same_refusal_for_two_reasons():
    lines: list[Any] = [
        "a = 1 else 0x22",
        {"require": "b = 1 else 0x22", "requirement": "R7", "text": "b is set before"},
    ]
    model = Draft("M", variables={"a": 0, "b": 0}).service(0x3E, require=lines).model()
    assert owed("TesterPresent", "req ECU TesterPresent 00", model=model) == "NRC 22"
    assert owed("TesterPresent", "req ECU TesterPresent 00", model=model, a=1) == "NRC 22 #2"
    assert owed("TesterPresent", "req ECU TesterPresent 00", model=model, a=1, b=1) == "positive"
    assert model.requirements == {"R7": "b is set before"}


def test_a_requirement_of_the_whole_service():
    model = Draft("M", requirements={"R1": "It is there"}).service(0x3E, requirement="R1").model()
    answers = {one.requirement for one in component(model, "TesterPresent").edges if one.source == "positive"}
    assert "R1" in answers
    assert model.requirements == {"R1": "It is there"}


def test_the_models_of_the_documentation(tmp_path):
    page = (MODELS.parents[1] / "docs" / "how-to" / "models.md").read_text()
    blocks = re.findall(r"^```yaml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    found = []
    for number, block in enumerate(blocks):
        path = tmp_path / f"{number}.yaml"
        path.write_text(block)
        found.append(load_model(path))
    assert [one.requirements for one in found] == [{"R17": "Writing needs an unlocked ECU"}, {}]


def reversed_bytes(digits: str) -> str:
    return bytes.fromhex(digits)[::-1].hex().upper()


def test_own_functions(monkeypatch):
    monkeypatch.setitem(FUNCTIONS, "reversed", reversed_bytes)
    key = {"derive": {"key": "reversed"}, "require": ["seed = $key else 0x35"], "positive": {"set": {"seed": "$key"}}}
    model = Draft("M", variables={"seed": "0102"}).service(0x27, sub={2: key}).model()
    assert owed("SecurityAccess", "req ECU SecurityAccess 020201", model=model) == "sub 2 positive"
    assert owed("SecurityAccess", "req ECU SecurityAccess 020102", model=model) == "sub 2 NRC 35"


SERVICES = """\
model: M
vars: {session: 1}
services:
  0x10 DiagnosticSessionControl:
    require:
      - $sub in [1, 2] else 0x12
    positive: {echo: sub, set: {session: $sub}}
  0x22:
    did F190: {positive: {data: session}}
    else: 0x31
  0x27: {sub 2: {derive: {key: xor_a5}}}
timers:
  S3: {while: session != 1, restart: response, after: 5s, do: {session: 1}}
ecus: {A: {request: 0x7E0, response: 0x7E8}}
"""


def test_addresses(tmp_path):
    path = tmp_path / "m.yaml"
    path.write_text(SERVICES)
    assert load_ecus(path) == {"A": (0x7E0, 0x7E8)}
    assert knows(component(load_model(path), "ReadDataByIdentifier"), "req A ReadDataByIdentifier F190")
    assert load_ecus(MODELS / "uds_basic.yaml") == {}


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("0x10 Diag", "10 Diag", 4, "expected a service such as `0x10 DiagnosticSessionControl`"),
        ("0x10 DiagnosticSessionControl", "0x10 ECUReset", 4, "0x10 is called DiagnosticSessionControl, not ECUReset"),
        ("[1, 2] else 0x12", "[1, 2]", 6, "needs the negative response"),
        ("[1, 2] else 0x12", "[1, 2] else 12", 6, "a negative response code such as 0x31, got '12'"),
        ("[1, 2] else 0x12", "[1, 2] else 0x123", 6, "got '0x123'"),
        ("$sub in [1, 2]", "$subb in [1, 2]", 6, "unknown parameter \\$subb: did you mean 'sub'"),
        ("$sub in [1, 2]", "sesion in [1, 2]", 6, "unknown variable, clock or parameter 'sesion'"),
        ("echo: sub, ", "echo: did, ", 4, "not both"),
        ("echo: sub, ", "eco: sub, ", 7, "did you mean 'echo'"),
        ("set: {session: $sub}", "set: {sesion: $sub}", 7, "unknown variable 'sesion'"),
        ("positive: {echo", "positiv: {echo", 7, "did you mean 'positive'"),
        ("did F190", "did F19G", 9, "expected something like `did F190`"),
        ("did F190", "sub 200", 9, "expected something like `sub 1 or sub 0x7F`"),
        ("did F190: {", "did 0xF190: {}\n    did F190: {", 8, "lists the same did twice"),
        ("did F190: {", "sub 1: {}\n    did F190: {", 8, "not both"),
        ("data: session", "data: 5ms", 9, "is a duration"),
        ("else: 0x31", "otherwise: 0x31", 10, "unknown key 'otherwise' in ReadDataByIdentifier"),
        ("xor_a5", "xor_a", 11, "unknown function 'xor_a': did you mean 'xor_XX'"),
        ("key: xor", "data: xor", 11, "'data' cannot be the name of a derived parameter"),
        (
            "restart: response",
            "restart: reset",
            13,
            "`suppressed request` or an event such as `res [*] SecurityAccess NRC 36` as the restart, got 'reset'",
        ),
        ("after: 5s, ", "", 13, "the timer S3 needs after"),
        ("after: 5s", "after: soon", 13, "a duration such as 50ms"),
        ("do: {session: 1}", "do: {session: $sub}", 13, "unknown parameter \\$sub"),
        ("0x7E0", "7E0", 14, "a CAN identifier such as 0x7E0"),
        ("{A: {", "{B: {request: 0x1, response: 0x2}, A: {", 14, "a model describes one ECU"),
        ("ecus: {A", "ecu: B\necus: {A", 14, "unknown ECU 'B': `ecus` lists A"),
        ("ecus: {A", "ecus: {A B", 14, "the name of an ECU"),
        ("ecus: {A", "unknown: 12\necus: {A", 14, "a negative response code"),
        ("ecus: {A", "defaults: {p3: 1}\necus: {A", 14, "unknown key 'p3' in defaults"),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path, old, new, line, reason):
    assert SERVICES.count(old) == 1
    path = tmp_path / "m.yaml"
    path.write_text(SERVICES.replace(old, new))
    with pytest.raises(InputError, match=reason) as error:
        load_model(path)
    assert str(error.value).startswith(f"{path}, line {line}: ")


OPEN_ANSWERS = """
model: open
vars: {mode: 0}
services:
  0x31:
    require: ["mode == 1 else any"]
    sub 1: {may: [0x22], positive: {set: {mode: 1}}}
    sub 2: {may: any}
"""


@pytest.mark.parametrize(
    ("answers", "conforms"),
    [
        (("01",), True),  # mode is 0: anything
        (("NRC 10",), True),
        (("01", "01"), True),  # the positive response has set the mode
        (("01", "NRC 22"), True),
        (("01", "NRC 31"), False),
        (("NRC 10", "NRC 31"), True),
        ((None,), False),
    ],
)
def test_answers_that_are_left_open(tmp_path, answers, conforms):
    path = tmp_path / "m.yaml"
    path.write_text(OPEN_ANSWERS)
    events = []
    for at, answer in enumerate(answers):
        events.append(Event(at * 100_000, "req", "A", "RoutineControl", "01"))
        if answer:
            events.append(Event(at * 100_000 + 10_000, "res", "A", "RoutineControl", answer))
    found = triage(load_model(path), [Trace("one", tuple(events), 1_000_000)])
    assert (not found.faults) == conforms


# What a refusal sets, and timers that an event starts

LOCKING = """\
model: Lock
vars: {sec: 0, seed: none, tries: 0, locked: 0}
services:
  0x27 SecurityAccess:
    sub 1:
      require:
        - locked = 0 else 0x37
      positive: {set: {seed: $data}}
    sub 2:
      derive: {fits: xor_a5}
      require:
        - seed != none else 0x24
        - {require: seed = $fits or tries != 0 else 0x35, set: {tries: 1, seed: none}}
        - {require: seed = $fits or tries != 1 else 0x36, set: {tries: 0, seed: none, locked: 1}}
      positive: {set: {sec: 1, seed: none, tries: 0}}
timers:
  Lock: {while: locked = 1, restart: "res * SecurityAccess NRC 36", after: 10s, slack: 500ms, do: {locked: 0}}
"""
SECOND = 1_000_000


@pytest.fixture(scope="module")
def lock(tmp_path_factory):
    path = tmp_path_factory.mktemp("lock") / "lock.yaml"
    path.write_text(LOCKING)
    return load_model(path)


def spoken(*said):
    """A recording: pairs of seconds and text."""
    return Trace("said", tuple(Event(int(at * SECOND), *(*text.split(" ", 3), "")[:4]) for at, text in said))


WRONG = (
    (0.0, "req ECU SecurityAccess 01"),
    (0.01, "res ECU SecurityAccess 0110"),
    (0.02, "req ECU SecurityAccess 0200"),
    (0.03, "res ECU SecurityAccess NRC 35"),
    (0.04, "req ECU SecurityAccess 01"),
    (0.05, "res ECU SecurityAccess 0110"),
    (0.06, "req ECU SecurityAccess 0200"),
    (0.07, "res ECU SecurityAccess NRC 36"),
)


def ask_again(delay, *answer):
    return spoken(*WRONG, (0.07 + delay, "req ECU SecurityAccess 01"), (0.08 + delay, " ".join(answer)))


def test_a_refusal_sets_variables(lock):
    assert not triage(lock, [spoken(*WRONG)]).faults
    [fault] = triage(lock, [spoken(*WRONG[:-1], (0.07, "res ECU SecurityAccess NRC 35"))]).faults
    assert fault.index == 7
    forgotten = spoken(*WRONG[:4], (0.04, "req ECU SecurityAccess 0200"), (0.05, "res ECU SecurityAccess NRC 35"))
    assert [one.index for one in triage(lock, [forgotten]).faults] == [5]  # the first refusal forgot the seed


def test_an_event_starts_a_timer(lock):
    locked, free = ("res", "ECU", "SecurityAccess", "NRC", "37"), ("res", "ECU", "SecurityAccess", "0110")
    for delay, right in ((9.9, [locked]), (10.2, [locked, free]), (10.7, [free])):
        for answer in (locked, free):
            conforms = not triage(lock, [ask_again(delay, *answer)]).faults
            assert conforms == (answer in right), (delay, answer)


def test_a_refusal_of_a_request_to_all_sets_variables_at_once(tmp_path):
    path = tmp_path / "silent.yaml"
    path.write_text(
        "model: M\nvars: {seen: 0}\nservices:\n  0x3E:\n    require:\n"
        '      - {require: "$sub in [0] else 0x12", set: {seen: 1}}\n    positive: {}\n'
    )
    part = component(load_model(path), "TesterPresent")
    [edge] = taken(part, "idle", "req functional TesterPresent 05", {"seen": 0})
    assert (edge.target, {name: str(term) for name, term in edge.set.items()}) == ("idle", {"seen": "1"})


def test_what_is_left_open_sets_nothing(tmp_path):
    path = tmp_path / "open.yaml"
    path.write_text(
        "model: M\nvars: {x: 0}\nservices:\n  0x3E:\n    require:\n      - {require: x = 0 else any, set: {x: 1}}\n"
    )
    with pytest.raises(InputError, match="with `else any`, it is open whether the request is refused: leave out `set`"):
        load_model(path)
