"""A certificate is accepted as it was written; changed, it is rejected, refused, or still a proof."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rootward as rw
from rootward.errors import InputError
from rootward.traces.engine import Engine
from rootward.traces.event import Wait
from rootward.traces.imports import read_uppaal
from rootward.traces.output.certificate import Certifier
from rootward.traces.output.shape import Shape
from rootward.traces.output.stored import restored, stored
from rootward.traces.output.verify import _certificate, verify
from rootward.traces.pattern import Derived, Pattern

from .conftest import BAD, MODEL, ROOT, TRACES

Data = dict[str, Any]


@pytest.fixture(scope="module")
def written(model: rw.Model, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Data]:
    folder = tmp_path_factory.mktemp("certificates")
    certifier = Certifier(model)
    for trace in rw.read_traces([TRACES / f"{name}.asc" for name in (*BAD, "good")]):
        certifier.write(trace, folder, trace.name.removesuffix(".asc"))
    return {path.name.removesuffix(".json"): json.loads(path.read_text()) for path in folder.iterdir()}


def checked(data: object, folder: Path) -> tuple[bool, str]:
    path = folder / "certificate.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    found = verify(path)
    return found.accepted, found.text


def really_impossible(data: Data) -> bool:
    """Whether the model cannot take the steps of the recording: found by replaying them, with no look at conditions."""
    model = restored(Shape(data["model"], "model"))
    one = _certificate(Shape(data, "certificate"), model)
    engine = Engine(model)
    first = one.recording[0].step
    states = engine.begin(first.start if isinstance(first, Wait) else first.time)
    for _, step in one.recording:
        states = engine.wait(states, step.start, step.end) if isinstance(step, Wait) else engine.step(states, step)
    return not states


def test_one_for_each_fault_and_all_are_accepted(written: dict[str, Data], tmp_path: Path) -> None:
    assert sorted(written) == ["bad_late.1", "bad_late.2", "bad_noreset.1", "bad_s3.1"]
    for data in written.values():
        accepted, text = checked(data, tmp_path)
        assert accepted, text
    assert "earlier fault is taken for granted" in checked(written["bad_late.2"], tmp_path)[1]
    assert all(really_impossible(written[name]) for name in ("bad_late.1", "bad_noreset.1", "bad_s3.1"))


@pytest.mark.parametrize(
    "model",
    [
        rw.load_model(MODEL),
        rw.load_model(ROOT / "examples" / "uds" / "model.yaml"),
        rw.load_model(ROOT / "examples" / "models" / "ctr.yaml"),
        read_uppaal(ROOT / "tests" / "data" / "models" / "lamp.xml"),
    ],
    ids=lambda model: model.name,
)
def test_a_stored_model_is_the_same_model(model: rw.Model) -> None:
    assert restored(Shape(json.loads(json.dumps(stored(model))), "model")) == model


def test_a_function_without_a_name_cannot_be_stored() -> None:
    from rootward.traces.model import Component, Edge, Location

    on = Pattern("req <data>", (Derived("x", lambda data: data, ("data",)),))
    part = Component("c", (Location("a"),), ("a",), (Edge("a", "a", on),))
    with pytest.raises(InputError, match=r"add it to rootward\.traces.writing\.FUNCTIONS"):
        stored(rw.Model("m", (part,)))


# Tampering: what must be rejected


def edges(data: Data, component: str) -> list[Any]:
    return next(part for part in data["model"]["components"] if part["name"] == component)["edges"]


def give_more_time(data: Data) -> None:
    """P2 becomes 100 ms: then the answer was not late."""
    for part in data["model"]["components"]:
        for location in part["locations"]:
            for conjunction in location[2]:
                for atom in conjunction:
                    if atom[0] == "clock" and atom[3] == 50_000:
                        atom[3] = 100_000


def answer_rightly(data: Data) -> None:
    """The value that was read is the one that was expected."""
    for chain in ("recording", "explanation"):
        data[chain][-1][1]["event"][4] = "01000000"


def forget_the_reset(data: Data) -> None:
    """Without ECUReset the value is kept rightly."""
    data["recording"] = [link for link in data["recording"] if "ECUReset" not in link[1].get("event", ())]


def reset_nothing(data: Data) -> None:
    """ECUReset need not set d0100."""
    for edge in edges(data, "ECUReset"):
        edge[4].pop("d0100", None)


def leave_out_the_last(data: Data) -> None:
    del data["recording"][-1]


def explain_without_the_request(data: Data) -> None:
    data["explanation"] = data["explanation"][-1:]


def claim_nothing(data: Data) -> None:
    data["conditions"] = [[[]] for _ in data["conditions"]]


def claim_the_impossible(data: Data) -> None:
    data["conditions"] = [[] for _ in data["conditions"]]


def jump_in_time(data: Data) -> None:
    step = data["recording"][0][1]
    step["wait"] = [step["wait"][0], step["wait"][1] + 1]


def prove_nothing(data: Data) -> None:
    data["recording"] = data["explanation"] = []


@pytest.mark.parametrize(
    ("name", "tamper"),
    [
        ("bad_late.1", give_more_time),
        ("bad_noreset.1", answer_rightly),
        ("bad_noreset.1", forget_the_reset),
        ("bad_noreset.1", reset_nothing),
        *((name, leave_out_the_last) for name in ("bad_late.1", "bad_noreset.1", "bad_s3.1")),
        ("bad_noreset.1", explain_without_the_request),
        *((name, claim_nothing) for name in ("bad_late.1", "bad_noreset.1", "bad_s3.1")),
        *((name, claim_the_impossible) for name in ("bad_late.1", "bad_noreset.1", "bad_s3.1")),
        ("bad_s3.1", jump_in_time),
        ("bad_s3.1", prove_nothing),
    ],
)
def test_tampering_is_found(
    written: dict[str, Data], name: str, tamper: Callable[[Data], None], tmp_path: Path
) -> None:
    data = copy.deepcopy(written[name])
    tamper(data)
    assert data != written[name]
    accepted, text = checked(data, tmp_path)
    assert not accepted
    assert text.startswith(f"Rejected: {name[:-2]}.asc, message ")
    assert "does not hold" in text or "does not begin" in text


def leaves(data: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(data, dict | list):
        inside = data.items() if isinstance(data, dict) else enumerate(data)
        return [way, *(leaf for key, value in inside for leaf in leaves(value, (*way, key)))]
    return [way]


JUNK = st.sampled_from([None, -1, 0, 1, 3, 10**30, "", "idle", "x", [], {}, True, 1.5])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_whatever_is_changed_a_certificate_proves_what_it_says_or_is_not_accepted(
    written: dict[str, Data], tmp_path: Path, data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(["bad_late.1", "bad_noreset.1", "bad_s3.1"]))
    changed = copy.deepcopy(written[name])
    part = data.draw(st.sampled_from(["conditions", "recording", "explanation", "model", "assumed"]))
    for _ in range(data.draw(st.integers(1, 3))):
        *way, last = data.draw(st.sampled_from(leaves(changed[part], (part,))))
        place: Any = changed
        for key in way:
            place = place[key]
        if isinstance(place, list) and data.draw(st.booleans()):
            del place[last]
        elif isinstance(place[last], int) and not isinstance(place[last], bool):
            place[last] += data.draw(st.sampled_from([-100_000, -1, 1, 100_000]))
        else:
            place[last] = data.draw(JUNK)
        if part not in changed or not isinstance(changed[part], dict | list):
            break
    try:
        accepted, _ = checked(changed, tmp_path)
    except InputError:
        return
    assert not accepted or changed["assumed"] or really_impossible(changed)


# What is no certificate


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is not JSON"),
        ("{", "is not JSON"),
        ("\x00\xff", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("9" * 10_000, "is not JSON"),
        ("[]", "is no object"),
        ("{}", "has no 'rootward'"),
        ('{"rootward": "finding"}', "is no certificate of rootward"),
        ('{"rootward": "certificate", "version": 2}', "of version 2; expected 1"),
        ('{"rootward": "certificate", "version": 1}', "has no 'model'"),
        ('{"rootward": "certificate", "version": 1, "model": NaN}', "is no object"),
    ],
)
def test_what_is_no_certificate(text: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=reason):
        checked(text, tmp_path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        verify(tmp_path / "nothing.json")


def first_edge(data: Data) -> list[Any]:
    return next(edge for edge in edges(data, "ECUReset") if edge[2] is not None)


def endless_pattern(data: Data) -> None:
    first_edge(data)[2]["text"] = "/(a+|b)+c/"


def unknown_function(data: Data) -> None:
    first_edge(data)[2]["derived"] = [["x", "os.system", ["data"]]]


def unknown_location(data: Data) -> None:
    first_edge(data)[1] = "nowhere"


def unknown_clock(data: Data) -> None:
    data["conditions"][0] = [[["apart", "nothing", None, 1]]]


def condition_out_of_range(data: Data) -> None:
    data["recording"][0][0] = -1


def gap_in_the_recording(data: Data) -> None:
    data["recording"][0][1] = {"left out": [0, 5]}


def backwards(data: Data) -> None:
    data["recording"][0][1] = {"wait": [5, 4]}


@pytest.mark.parametrize(
    ("tamper", "reason"),
    [
        (endless_pattern, "can take for ever"),
        (unknown_function, "no function 'os.system'"),
        (unknown_location, "nowhere"),
        (unknown_clock, "a clock that the model does not have"),
        (condition_out_of_range, "the number of no condition"),
        (gap_in_the_recording, "leaves something out"),
        (backwards, "ends before it begins"),
    ],
)
def test_hostile_parts_are_refused(
    written: dict[str, Data], tamper: Callable[[Data], None], reason: str, tmp_path: Path
) -> None:
    data = copy.deepcopy(written["bad_s3.1"])
    tamper(data)
    with pytest.raises(InputError, match=reason):
        checked(data, tmp_path)


def test_one_that_would_take_for_ever_is_refused(written: dict[str, Data], tmp_path: Path) -> None:
    """Thirty components of which nothing is known have more configurations than can be looked at."""
    data = copy.deepcopy(written["bad_s3.1"])
    places = [[f"l{k}", [[]], [[]], ""] for k in range(10)]
    parts = [
        {"name": f"c{i}", "locations": places, "initial": ["l0"], "edges": [], "deterministic": False}
        for i in range(30)
    ]
    data["model"]["components"] += parts
    data["conditions"] = [[[["at", f"c{i}", "l0"]] for i in range(30)]]
    data["recording"] = data["explanation"] = [[0, {"wait": [0, 1]}], [0, {"wait": [1, 2]}]]
    with pytest.raises(InputError, match="says too little of where the components are"):
        checked(data, tmp_path)
