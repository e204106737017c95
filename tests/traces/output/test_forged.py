"""Whatever is changed in a certificate, it is not accepted, or what it says is still true."""

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from rootward.errors import InputError
from rootward.traces.output.certificates.certificate import from_data, to_data
from rootward.traces.output.certificates.model_data import UntrustedData
from rootward.traces.output.certificates.verify import verify
from tests.properties import examples, few

from .certifying import certified, really_impossible
from .forging import Data, Mutation, checked, holds, mutated, mutations, resealed

NAMES = ["bad_late.asc.1", "bad_late.asc.2", "bad_noreset.asc.1", "bad_s3.asc.1"]


@pytest.fixture(scope="module")
def changes(written: dict[str, Data]) -> list[tuple[str, Mutation]]:
    return [(name, mutation) for name in NAMES for mutation in mutations(written[name])]


@examples(80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 2**32))
def test_no_single_change_is_accepted(
    written: dict[str, Data], changes: list[tuple[str, Mutation]], tmp_path: Path, number: int
) -> None:
    name, mutation = changes[number % len(changes)]
    assert not holds(mutated(written[name], mutation), tmp_path)


@pytest.mark.parametrize("seed", few(2, range(8)))
def test_a_forged_seal_does_not_help(seed: int, tmp_path: Path) -> None:
    """Whoever makes the seal and the fingerprint fit again may say the same in another way, and nothing else: not
    another model or recording, if these are compared, nor an explanation that does not hold."""
    model, some = certified(seed)
    choice = random.Random(seed)
    for trace, _, one in some[:2]:
        data = to_data(one)
        for mutation in choice.sample(list(mutations(data)), 40):
            forged = resealed(mutated(data, mutation))
            if holds(forged, tmp_path, model, trace):
                assert mutation[0][0] in ("trace", "conditions", "proof", "explanation", "seal", "fingerprint")
                assert really_impossible(from_data(UntrustedData(forged, "forged")))


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
    data["events"][-1][4] = "01000000"


def forget_the_reset(data: Data) -> None:
    """Without ECUReset the value is kept rightly."""
    data["events"] = [event for event in data["events"] if "ECUReset" not in event]


def reset_nothing(data: Data) -> None:
    """ECUReset need not set d0100."""
    for edge in edges(data, "ECUReset"):
        edge[4].pop("d0100", None)


def leave_out_the_last(data: Data) -> None:
    del data["events"][-1]


def leave_out_the_beginning(data: Data) -> None:
    del data["events"][:18]
    del data["proof"][:36]


def explain_without_the_request(data: Data) -> None:
    data["explanation"] = data["explanation"][-1:]


def explain_nothing(data: Data) -> None:
    data["explanation"] = []


def explain_up_to_an_earlier_step(data: Data) -> None:
    del data["explanation"][-1]


def explain_twice(data: Data) -> None:
    data["explanation"].append(data["explanation"][-1])


def claim_nothing(data: Data) -> None:
    data["conditions"] = [[[]]]
    data["proof"] = [0 for _ in data["proof"]]
    data["explanation"] = [[0, *part[1:]] for part in data["explanation"]]


def claim_the_impossible(data: Data) -> None:
    claim_nothing(data)
    data["conditions"] = [[]]


def begin_elsewhere(data: Data) -> None:
    for part in data["model"]["components"]:
        part["initial"] = []


@pytest.mark.parametrize(
    ("name", "tamper"),
    [
        ("bad_late.asc.1", give_more_time),
        ("bad_late.asc.2", give_more_time),
        ("bad_noreset.asc.1", answer_rightly),
        ("bad_noreset.asc.1", forget_the_reset),
        ("bad_noreset.asc.1", reset_nothing),
        ("bad_s3.asc.1", leave_out_the_beginning),
        ("bad_s3.asc.1", begin_elsewhere),
        *(
            (name, tamper)
            for name in NAMES
            for tamper in (
                leave_out_the_last,
                explain_without_the_request,
                explain_nothing,
                explain_up_to_an_earlier_step,
                explain_twice,
                claim_nothing,
                claim_the_impossible,
            )
        ),
    ],
)
def test_tampering_is_found(
    written: dict[str, Data], name: str, tamper: Callable[[Data], None], tmp_path: Path
) -> None:
    data = copy.deepcopy(written[name])
    tamper(data)
    assert data != written[name]
    assert checked(data, tmp_path).text.endswith(
        "was changed or damaged after it was written: its seal does not match."
    )
    assert not holds(resealed(data), tmp_path)


def test_the_explanation_of_another_fault_is_none(written: dict[str, Data], tmp_path: Path) -> None:
    mine, other = copy.deepcopy(written["bad_s3.asc.1"]), written["bad_noreset.asc.1"]
    count = len(mine["conditions"])
    mine["conditions"] += other["conditions"]
    mine["explanation"] = [[number + count, how, until] for number, how, until in other["explanation"]]
    assert not holds(resealed(mine), tmp_path)


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("kind", "late", "'kind' does not fit the rest"),
        ("assumed", True, "'assumed' does not fit the rest"),
        ("fingerprint", "0" * 64, "'fingerprint' does not fit the rest"),
        ("version", True, "certificate version True; expected 2"),
        ("version", 2.0, "certificate version 2.0; expected 2"),
        ("departs", "purple", "must be one of at, before, after"),
        ("end", 10**7, "must be the end of the recording"),
        ("trace", 3, "is not a text"),
    ],
)
def test_what_does_not_belong_there_is_refused(
    written: dict[str, Data], key: str, value: object, reason: str, tmp_path: Path
) -> None:
    data = resealed({**written["bad_s3.asc.1"], key: value})
    if key == "fingerprint":
        from rootward.traces.output.certificates.model_data import add_seal

        data = add_seal({**{k: v for k, v in data.items() if k != "seal"}, key: value})
    with pytest.raises(InputError, match=reason):
        checked(data, tmp_path)


def test_a_key_that_is_said_twice_is_refused(written: dict[str, Data], tmp_path: Path) -> None:
    text = json.dumps(written["bad_s3.asc.1"])
    with pytest.raises(InputError, match="has the same key twice"):
        checked('{"trace": "good.asc", ' + text[1:], tmp_path)


def test_how_it_is_indented_does_not_matter(written: dict[str, Data], tmp_path: Path) -> None:
    assert holds(json.dumps(written["bad_s3.asc.1"], indent=2), tmp_path)


# What is no certificate


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is not JSON"),
        ("{", "is not JSON"),
        ("\x00\xff", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("9" * 10_000, "is not JSON"),
        ("[]", "is not an object"),
        ("{}", "is not a certificate that Rootward wrote"),
        ('{"rootward": "finding"}', "is not a certificate that Rootward wrote"),
        ('{"rootward": "certificate", "version": 1}', "certificate version 1; expected 2"),
    ],
)
def test_what_is_no_certificate(text: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=reason):
        checked(text, tmp_path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        verify(tmp_path / "nothing.json")


def edges(data: Data, component: str) -> list[Any]:
    return next(part for part in data["model"]["components"] if part["name"] == component)["edges"]


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
    data["proof"][0] = -1


def backwards(data: Data) -> None:
    data["events"].reverse()


def condition_nobody_needs(data: Data) -> None:
    data["conditions"].append([[]])


@pytest.mark.parametrize(
    ("tamper", "reason"),
    [
        (endless_pattern, "can take exponential time"),
        (unknown_function, "unknown function 'os.system'"),
        (unknown_location, "nowhere"),
        (unknown_clock, "a clock that the model does not have"),
        (condition_out_of_range, "not the number of a condition"),
        (backwards, "is earlier than the message before it"),
        (condition_nobody_needs, "'conditions' does not fit the rest"),
    ],
)
def test_hostile_parts_are_refused(
    written: dict[str, Data], tamper: Callable[[Data], None], reason: str, tmp_path: Path
) -> None:
    data = copy.deepcopy(written["bad_s3.asc.1"])
    tamper(data)
    with pytest.raises(InputError, match=reason):
        checked(resealed(data), tmp_path)


def test_one_that_would_take_for_ever_is_rejected(written: dict[str, Data], tmp_path: Path) -> None:
    """Thirty components of which nothing is known have more configurations than can be looked at."""
    data = copy.deepcopy(written["bad_s3.asc.1"])
    places = [[f"l{k}", [[]], [[]], ""] for k in range(10)]
    parts = [
        {"name": f"c{i}", "locations": places, "initial": ["l0"], "edges": [], "deterministic": False}
        for i in range(30)
    ]
    data["model"]["components"] += parts
    data["conditions"] = [sorted([["at", f"c{i}", "l0"]] for i in range(30))]
    claim_of_all = [0 for _ in data["proof"]]
    data["proof"], data["explanation"] = claim_of_all, [[0, "kept", n] for n, _ in enumerate(claim_of_all, 1)]
    assert not checked(resealed(data), tmp_path).accepted
