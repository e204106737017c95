"""Recordings over time: whatever is in them, the picture is small and within its frame."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rootward.report.figures.lanes import draw_lanes
from tests.properties import examples

from .drawings import HUGE, NAMES, checked, of_kind

Sent = tuple[int, str, str, str, str]
EVENT = st.tuples(st.integers(0, 10**12), st.sampled_from(["req", "res", "<b>"]), NAMES, NAMES, NAMES)
KINDS = st.sampled_from(["late", "missing", "unexpected"])


def recorded(events: list[Sent]) -> dict[str, Any]:
    made = [
        {"index": place, "time": time, "kind": kind, "ecu": ecu, "operation": operation, "payload": payload}
        for place, (time, kind, ecu, operation, payload) in enumerate(sorted(events))
    ]
    return {"events": made, "since": made[0]["time"], "length": len(made)}


def fault(example: dict[str, Any], kind: str, limit: int | None = None, kept: int = 3) -> dict[str, Any]:
    last = example["events"][-1]
    places = [event["index"] for event in example["events"][-kept:]]
    return {"index": last["index"], "time": last["time"], "kind": kind, "limit": limit, "kept": places, "silences": []}


@examples(40)
@given(st.lists(EVENT, min_size=1, max_size=30), KINDS, st.none() | st.integers(0, 10**9), st.integers(1, 9))
def test_whatever_is_recorded(events: list[Sent], kind: str, limit: int | None, kept: int) -> None:
    example = recorded(events)
    checked(draw_lanes(example, fault(example, kind, limit, kept)))


def test_a_long_recording_with_huge_names_stays_small() -> None:
    example = recorded([(place * 997, "req", f"ecu {place % 20}", HUGE, HUGE) for place in range(300)])
    svg = checked(draw_lanes(example, fault(example, "late", 500)), most=100_000)
    assert len(of_kind(svg, "fault")) == 1


def test_of_many_pictures_one_brings_the_style() -> None:
    example = recorded([(0, "req", "ecu", "read", "")])
    plain, styled = (draw_lanes(example, fault(example, "late"), styled=styled) for styled in (False, True))
    assert "<style>" in str(styled)
    assert "<style>" not in str(plain)
    checked(plain)
