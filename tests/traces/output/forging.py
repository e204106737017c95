"""Certificates changed by somebody who knows how they are made: seal and fingerprint fit again."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rootward.errors import InputError
from rootward.traces.model.event import Trace
from rootward.traces.model.model import Model
from rootward.traces.output.certificates.model_data import SEAL, add_seal, digest
from rootward.traces.output.certificates.verify import CertificateCheck, verify

Data = dict[str, Any]
Way = tuple[Any, ...]
Mutation = tuple[Way, str]
NUMBERS = {"more": 1, "less": -1, "much more": 100_000, "much less": -100_000}


def checked(data: object, folder: Path, model: Model | None = None, trace: Trace | None = None) -> CertificateCheck:
    path = folder / "certificate.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    return verify(path, model=model, trace=trace)


def holds(data: object, folder: Path, model: Model | None = None, trace: Trace | None = None) -> bool:
    """Whether it is accepted; what is no certificate is not."""
    try:
        return checked(data, folder, model, trace).accepted
    except InputError:
        return False


def resealed(data: Data) -> Data:
    """What a forger would write."""
    rest = {key: one for key, one in data.items() if key != SEAL}
    if "fingerprint" in rest and "model" in rest:
        rest["fingerprint"] = digest(rest["model"])
    return add_seal(rest)


def mutations(data: Any, way: Way = ()) -> Iterator[Mutation]:
    """All single changes of a number, a text, or a list."""
    if isinstance(data, dict):
        yield way, "another key"
        for key, one in data.items():
            yield (*way, key), "no such key"
            yield from mutations(one, (*way, key))
    elif isinstance(data, list):
        for place, one in enumerate(data):
            yield (*way, place), "dropped"
            yield (*way, place), "twice"
            if place and data[place - 1] != one:
                yield (*way, place), "swapped"
            yield from mutations(one, (*way, place))
    elif isinstance(data, bool) or data is None:
        yield way, "one"
    elif isinstance(data, int):
        yield from ((way, kind) for kind in (*NUMBERS, "float", "true"))
    else:
        yield from ((way, kind) for kind in ("longer", "null", *(["empty"] if data else [])))


def mutated(data: Data, mutation: Mutation) -> Data:
    way, kind = mutation
    found: Any = copy.deepcopy(data)
    if not way:
        return {**found, "note": "x"}
    *above, last = way
    place = found
    for key in above:
        place = place[key]
    match kind:
        case "another key":
            place[last] = {**place[last], "note": "x"}
        case "no such key" | "dropped":
            del place[last]
        case "twice":
            place.insert(last, place[last])
        case "swapped":
            place[last - 1], place[last] = place[last], place[last - 1]
        case _:
            place[last] = _other(place[last], kind)
    return found


def _other(leaf: Any, kind: str) -> Any:
    if kind in NUMBERS:
        return leaf + NUMBERS[kind]
    others: dict[str, Callable[[], Any]] = {
        "float": lambda: float(leaf),
        "longer": lambda: f"{leaf}x",
        "empty": str,
        "one": lambda: 1,
    }
    return {"true": True, "null": None}[kind] if kind in ("true", "null") else others[kind]()
