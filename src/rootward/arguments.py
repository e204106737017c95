"""What a verb is given, checked before anything is run: whoever mistypes is told what was expected."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from rootward.errors import InputError
from rootward.repeat import Policy, Repeat, runs_to_see
from rootward.searches.causes.past import Table
from rootward.searches.causes.runs import History
from rootward.space import Space


def method_of(methods: Mapping[str, object], method: str, *, auto: str) -> str:
    name = auto if method == "auto" else method
    if name not in methods:
        raise InputError(f"there is no method {method!r}; choose auto, {', '.join(sorted(methods))}")
    return name


def seed_in(lab: Mapping[str, object]) -> int:
    seed: object = lab.get("seed", 0)
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise InputError(f"seed is a whole number, 0 or more, not {seed!r:.80}")
    return seed


def rate_of(flaky: object) -> float:
    if not isinstance(flaky, int | float) or not 0 < flaky <= 1:
        raise InputError(f"flaky is how often it fails, a number above 0 and at most 1, not {flaky!r}")
    return float(flaky)


def often_enough(rate: float, *, missed: float) -> Policy:
    """Run so often that a failure that shows at this rate is missed in that share of cases."""
    return Repeat.k_of_n(1, runs_to_see(rate, missed=missed))


def check_space(space: object) -> None:
    if not isinstance(space, Space):
        raise InputError(f"the fields are given as a Space, not as {space!r:.80}")


def check_verify(verify: object) -> None:
    if verify is not None and (isinstance(verify, bool) or not isinstance(verify, int) or verify < 0):
        raise InputError(f"verify is a number of fresh runs, 0 or more, not {verify!r:.80}")


def free_fields(
    space: Space, fields: Collection[str] | None, failing: Mapping[str, Any] | None
) -> tuple[str, ...] | None:
    """The fields that may change, in the order of the space; None for all."""
    if fields is None:
        return None
    if isinstance(fields, str):
        raise InputError(f"fields is a list of names, not the text {fields!r:.80}")
    if failing is None:
        raise InputError("fields says what may change: the others keep the values of a failing configuration; give one")
    return space.restrict(fields).names


def pairs(history: History | Table) -> History:
    if isinstance(history, Table):
        raise InputError("with a checkpoint, give the history as pairs of configuration and verdict")
    return history
