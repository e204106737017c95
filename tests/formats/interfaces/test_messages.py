"""Sequences of messages: one space, with the message in the name."""

import pytest

from rootward.errors import InputError
from rootward.formats.interfaces import flatten, from_document, messages, nest
from rootward.space.space import Bool, Int, Space

START = Space({"InitialMode": Int(bits=32, signed=False)})
STEP = Space({"BrakeApplied": Bool(), "EStopButton": Bool()})


def test_a_sequence_is_numbered():
    space = messages([START, STEP, STEP])
    assert space.names == ("M0.InitialMode", *(f"M{n}.{name}" for n in (1, 2) for name in STEP.names))
    assert space["M0.InitialMode"] is START["InitialMode"]
    configuration = {name: space.values(name)[0] for name in space}
    assert nest(configuration) == {
        "M0": {"InitialMode": 0},
        "M1": {"BrakeApplied": False, "EStopButton": False},
        "M2": {"BrakeApplied": False, "EStopButton": False},
    }


def test_names_can_be_given():
    assert messages({"start": START, "go": STEP}).names == ("start.InitialMode", "go.BrakeApplied", "go.EStopButton")


def test_messages_of_other_forms():
    space = messages([from_document([1, 2]), from_document({"x y": 1}), from_document(3)])
    assert space.names == ("M0[0]", "M0[1]", 'M1["x y"]', "M2")
    assert flatten(nest(dict.fromkeys(space, 0))).keys() == set(space.names)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "no messages"),
        ({}, "no messages"),
        ([START, 5], r"message 'M1' is 5 \(int\)"),
        (START, "'M0' is 'InitialMode'"),
    ],
)
def test_mistakes(given, message):
    with pytest.raises(InputError, match=message):
        messages(given)
