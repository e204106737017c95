"""Diagnostic messages become events: who asked whom for what, and when."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.errors import InputError
from rootward.formats.recordings.frame import Frame
from rootward.formats.recordings.uds import decode_request, decode_response
from rootward.traces.recordings import uds_trace

from .helpers import frames, texts

SESSION = [(0x7E0, b"\x10\x03"), (0x7E8, b"\x50\x03\x00\x32\x01\xf4")]
LONG = b"\x2e\x01\x00" + bytes(range(30))


def test_the_words_of_events():
    said = [
        *SESSION,
        (0x7E0, b"\x2e\x01\x00\x12"),
        (0x7E8, b"\x7f\x2e\x33"),
        (0x7E0, b"\x3e\x80"),
        (0x7E0, b"\xba\x01"),
    ]
    assert texts(uds_trace("it", frames(*said))) == [
        "req ECU DiagnosticSessionControl 03",
        "res ECU DiagnosticSessionControl 03003201F4",
        "req ECU WriteDataByIdentifier 010012",
        "res ECU WriteDataByIdentifier NRC 33",
        "req ECU TesterPresent 80",
        "req ECU 0xBA 01",
    ]


def test_a_request_counts_from_its_last_frame_and_a_response_from_its_first():
    trace = uds_trace("it", frames((0x7E0, LONG), (0x7E8, LONG), (0x123, b"\x01")))
    assert [(event.kind, event.time, event.line) for event in trace.events] == [("req", 4000, 5), ("res", 5000, 6)]
    assert trace.end == 10_000


def test_what_could_not_be_joined_is_an_event():
    broken = frames((0x7E0, LONG), (0x7E8, LONG))
    del broken[7], broken[3:5]
    trace = uds_trace("it", [*broken, Frame(99_000, 0x7E8, False, b"\xf0", "1", 99)])
    assert [(event.kind, event.operation, event.time) for event in trace.events] == [
        ("err", "truncated", 2000),
        ("err", "sequence", 5000),
        ("err", "malformed", 98_000),
    ]
    assert trace.events[0].payload == LONG[:20].hex().upper()
    assert trace.events[2].text == "err ECU malformed F0"


@pytest.mark.parametrize(
    ("request_id", "response_id", "name"),
    [(0x7E0, 0x7E8, "7E0"), (0x7E7, 0x7EF, "7E7"), (0x18DA10F1, 0x18DAF110, "18DA10F1")],
)
def test_the_usual_ids_are_found(request_id, response_id, name):
    said = [(request_id, b"\x10\x03"), (response_id, b"\x50\x03")]
    assert texts(uds_trace("it", frames(*said))) == [
        "req ECU DiagnosticSessionControl 03",
        "res ECU DiagnosticSessionControl 03",
    ]
    other = (0x7E3, b"\x10\x01")
    assert texts(uds_trace("it", frames(*said, other))) == [
        f"req {name} DiagnosticSessionControl 03",
        f"res {name} DiagnosticSessionControl 03",
        "req 7E3 DiagnosticSessionControl 01",
    ]


@pytest.mark.parametrize("identifier", [0x7DF, 0x18DB33F1])
def test_requests_to_every_ecu(identifier):
    trace = uds_trace("it", frames((identifier, b"\x3e\x80"), *SESSION), ecus={"A": (0x7E0, 0x7E8)})
    assert texts(trace)[0] == "req functional TesterPresent 80"
    assert texts(trace)[1] == "req A DiagnosticSessionControl 03"


def test_given_ids_are_the_only_ones():
    said = [(0x123, b"\x10\x03"), (0x18000456, b"\x50\x03"), *SESSION]
    assert texts(uds_trace("it", frames(*said), ecus={"Door": (0x123, 0x18000456)})) == [
        "req Door DiagnosticSessionControl 03",
        "res Door DiagnosticSessionControl 03",
    ]


def test_ecus_that_share_a_can_id_are_told_apart_by_their_address_byte():
    said = [
        *frames((0x6F1, LONG), prefix=b"\x12"),
        *frames((0x6F1, b"\x3e\x00"), prefix=b"\x40"),
        *frames((0x612, b"\x6e\x01\x00"), prefix=b"\xf1"),
    ]
    ordered = [frame._replace(time=place, number=place) for place, frame in enumerate(said, 1)]
    ecus = {"A": ((0x6F1, 0x12), (0x612, 0xF1)), "B": ((0x6F1, 0x40), (0x640, 0xF1))}
    assert texts(uds_trace("it", ordered, ecus=ecus)) == [
        f"req A WriteDataByIdentifier {LONG[1:].hex().upper()}",
        "req B TesterPresent 00",
        "res A WriteDataByIdentifier 0100",
    ]


def test_channels_are_not_mixed():
    first, second = frames((0x7E0, LONG)), frames((0x7E0, LONG), channel="2")
    trace = uds_trace("it", [frame for both in zip(first, second, strict=True) for frame in both])
    assert [event.ecu for event in trace.events] == ["1:7E0", "2:7E0"]
    assert {event.kind for event in trace.events} == {"req"}


def test_a_log_without_diagnosis_says_what_to_do():
    trace = uds_trace("it", frames((0x123, b"\x01")))
    assert trace.events == ()
    assert trace.problems == (
        "it: no diagnostic messages: none of 1 CAN frames has the id of a known ECU: name the CAN ids of the ECUs",
    )


def test_times_that_go_back_are_told_and_events_put_in_order():
    one, two, three = frames(SESSION[0], SESSION[1], (0x7E0, b"\x3e\x00"))
    trace = uds_trace("it", [one._replace(time=900_000), two, three])
    assert [(event.time, event.operation) for event in trace.events] == [
        (0, "DiagnosticSessionControl"),
        (1000, "TesterPresent"),
        (898_000, "DiagnosticSessionControl"),
    ]
    assert trace.problems == ("it: line or frame 2: the time goes back; events are sorted by time",)


@pytest.mark.parametrize(
    "ecus",
    [
        {"A": (1,)},
        {"A": (1, 2, 3)},
        {"A": ("7E0", "7E8")},
        {"A": (-1, 2)},
        {"A": (1 << 29, 2)},
        {"A B": (1, 2)},
        {"": (1, 2)},
        {"A": ((1, 256), 2)},
        {"A": True},
        {"A": None},
    ],
)
def test_what_cannot_be_the_address_of_an_ecu(ecus):
    with pytest.raises(InputError, match="ECU"):
        uds_trace("it", [], ecus=ecus)


bodies = st.binary(min_size=1, max_size=40)
talks = st.lists(st.tuples(st.sampled_from([0x7E0, 0x7E8, 0x7E1, 0x7E9, 0x100]), bodies), max_size=8)


@given(talks, st.randoms(use_true_random=False))
def test_what_was_said_comes_back_however_the_ids_take_turns(said, chance):
    lanes = {identifier: frames(*(one for one in said if one[0] == identifier)) for identifier, _ in said}
    mixed: list[Frame] = []
    while queues := [queue for queue in lanes.values() if queue]:
        mixed.append(chance.choice(queues).pop(0)._replace(time=len(mixed), number=len(mixed) + 1))
    trace = uds_trace("it", mixed, ecus={"A": (0x7E0, 0x7E8), "B": (0x7E1, 0x7E9)})
    for ecu, kind, identifier, decode in [
        ("A", "req", 0x7E0, decode_request),
        ("A", "res", 0x7E8, decode_response),
        ("B", "req", 0x7E1, decode_request),
        ("B", "res", 0x7E9, decode_response),
    ]:
        assert [
            (event.operation, event.payload) for event in trace.events if (event.ecu, event.kind) == (ecu, kind)
        ] == [decode(data)[:2] for number, data in said if number == identifier]
    assert list(trace.events) == sorted(trace.events, key=lambda event: event.time)
