"""Every fault has a certificate that is accepted, and says what was verified; another model or recording is told."""

import json
from pathlib import Path

import pytest

import rootward as rw
from rootward.errors import InputError
from rootward.traces.languages import read_uppaal
from rootward.traces.model.event import Event, Trace
from rootward.traces.model.pattern import Derived, Pattern
from rootward.traces.output.certificates.certificate import to_data
from rootward.traces.output.certificates.certifier import Certifier
from rootward.traces.output.certificates.model_data import UntrustedData, fingerprint, model_from_data, model_to_data
from rootward.traces.output.certificates.verify import verify
from tests.properties import few

from ..reference.ctr import TEST_1, TEST_2, TEST_3, ctr
from .certifying import certified, really_impossible
from .conftest import MODEL, ROOT
from .forging import Data, checked, holds, resealed

# As they were written


def test_one_for_each_fault_and_all_are_accepted(
    written: dict[str, Data], model: rw.Model, traces: dict[str, Trace], tmp_path: Path
) -> None:
    assert sorted(written) == ["bad_late.asc.1", "bad_late.asc.2", "bad_noreset.asc.1", "bad_s3.asc.1"]
    for data in written.values():
        found = checked(data, tmp_path, model, traces[data["trace"]])
        assert found.accepted, found.text


def test_the_verdict_says_what_was_verified(written: dict[str, Data], model: rw.Model, tmp_path: Path) -> None:
    assert checked(written["bad_s3.asc.1"], tmp_path).text.splitlines() == [
        "Accepted: recording bad_s3.asc departs from model UDS basic (demo ECU) at message 21.",
        "  fault        message 21 (res ECU WriteDataByIdentifier 0100, at 972.548 ms, line 29): "
        "the model does not allow it here",
        "  explanation  messages 19, 20, 21 are enough; of the others, only the time can matter",
        "  checked      42 steps of the recording from its beginning, 6 of the explanation",
        "  model        UDS basic (demo ECU), not compared with a file of yours (--model)",
        f"  fingerprint  {fingerprint(model)}",
        "  recording    bad_s3.asc, not compared with a file of yours (--trace)",
    ]


def test_what_is_assumed_is_said_first(written: dict[str, Data], tmp_path: Path) -> None:
    said = checked(written["bad_late.asc.2"], tmp_path).text.splitlines()
    assert said[1] == (
        "Assuming that after an earlier departure, the model continues as if it had been allowed: no message after "
        "message 1 (req ECU ReadDataByIdentifier F190, at 0 µs, line 6) until 80.967 ms."
    )
    assert "Assuming" not in checked(written["bad_late.asc.1"], tmp_path).text


def test_a_recording_that_ended_too_early_is_said_to_be_assumed_silent(model: rw.Model, tmp_path: Path) -> None:
    trace = Trace("cut", (Event(1000, "req", "ECU", "ReadDataByIdentifier", "F190"),), 2000)
    assert Certifier(model).write(trace, tmp_path, "cut") == 1
    found = verify(tmp_path / "cut.1.json", trace=trace)
    assert found.accepted
    assert "\nAssuming that nothing came after the recording ended, at 2 ms, until " in found.text


@pytest.mark.parametrize(
    "model", [ctr(), rw.load_model(ROOT / "examples" / "models" / "ctr.yaml")], ids=["paper", "yaml"]
)
def test_the_traces_of_the_paper(model: rw.Model, tmp_path: Path) -> None:
    for trace in (TEST_1, TEST_2, TEST_3):
        assert Certifier(model).write(trace, tmp_path, trace.name) >= 1
        for path in tmp_path.glob(f"{trace.name}.*.json"):
            assert verify(path, model=model, trace=trace).accepted


@pytest.mark.parametrize("seeds", few(1, [range(first, first + 10) for first in range(0, 60, 10)]))
def test_every_fault_of_a_random_network_has_a_certificate_that_is_accepted(seeds: range, tmp_path: Path) -> None:
    for seed in seeds:
        model, some = certified(seed)
        for trace, _, one in some:
            assert holds(to_data(one), tmp_path, model, trace)
            assert really_impossible(one)


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
    assert model_from_data(UntrustedData(json.loads(json.dumps(model_to_data(model))), "model")) == model


def test_a_function_without_a_name_cannot_be_stored() -> None:
    from rootward.traces.model.model import Component, Edge, Location

    on = Pattern("req <data>", (Derived("x", lambda data: data, ("data",)),))
    part = Component("c", (Location("a"),), ("a",), (Edge("a", "a", on),))
    with pytest.raises(InputError, match=r"add it to rootward\.traces.languages\.FUNCTIONS"):
        model_to_data(rw.Model("m", (part,)))


# Compared with a model and a recording


def test_another_model_is_told(written: dict[str, Data], model: rw.Model, tmp_path: Path) -> None:
    assert "the same as a file of yours" in checked(written["bad_s3.asc.1"], tmp_path, model).text
    found = checked(written["bad_s3.asc.1"], tmp_path, rw.load_model(MODEL))
    assert not found.accepted
    assert "It is about another model: the fingerprint of UDS basic (demo ECU) in the certificate is " in found.text


def test_another_recording_is_told(written: dict[str, Data], traces: dict[str, Trace], tmp_path: Path) -> None:
    data = written["bad_s3.asc.1"]
    assert "bad_s3.asc, the same as in the file bad_s3.asc" in checked(data, tmp_path, None, traces["bad_s3.asc"]).text
    for name in ("good.asc", "bad_noreset.asc"):
        found = checked(data, tmp_path, None, traces[name])
        assert not found.accepted
        assert "It is about another recording: message " in found.text
    short = Trace("short", traces["bad_s3.asc"].events[:5])
    assert "short has 5 messages, the certificate 21." in checked(data, tmp_path, None, short).text


def test_a_certificate_that_was_renamed_does_not_rename_the_recording(
    written: dict[str, Data], traces: dict[str, Trace], tmp_path: Path
) -> None:
    data = resealed({**written["bad_s3.asc.1"], "trace": "good.asc"})
    found = checked(data, tmp_path, None, traces["bad_s3.asc"])
    assert found.text.startswith("Accepted: recording bad_s3.asc departs ")
