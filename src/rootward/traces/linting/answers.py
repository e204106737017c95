"""Answers that nobody judges: answers of an operation that no pattern of the model matches.

A component ignores an event that none of its patterns matches. So a model that lists the right answers of an operation,
and nothing else, accepts every other answer; the fault is found elsewhere, or never. Whether that matters shows on
answers that may well come: those that other operations give, such as a code, and neighbours of the answers listed.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from rootward.traces.linting.names import LintRemark
from rootward.traces.model.event import RESPONSE, Event
from rootward.traces.model.model import Model
from rootward.traces.model.pattern import Pattern

MAX_NAMED = 3
"""Maximum number of answers that a remark names."""
_DIGITS = "0123456789ABCDEF"
_PLAIN = re.compile(rf"{RESPONSE} (?P<ecu>\*|[\w-]+) (?P<operation>\w+) (?P<payload>\w+(?: \w+)*)")


def find_unjudged_answers(model: Model) -> Iterator[LintRemark]:
    """Yield a warning for each operation of which some likely answers are ignored."""
    patterns = {edge.on for part in model.components for edge in part.edges if edge.on is not None}
    listed: dict[str, set[str]] = defaultdict(set)
    owners: dict[str, tuple[str, str]] = {}
    for part in model.components:
        for edge in part.edges:
            if edge.on is not None and (found := _PLAIN.fullmatch(edge.on.text)):
                listed[found["operation"]].add(found["payload"])
                owners.setdefault(found["operation"], (part.name, found["ecu"]))
    known = Counter(payload for payloads in listed.values() for payload in payloads)
    common = {payload for payload, count in known.items() if count > 1}
    for operation, (component, ecu) in owners.items():
        own = listed[operation]
        likely = sorted(common - own) + sorted(set(map(_change_last, own)) - common - own)
        unjudged = [one for one in likely if not _is_known(patterns, ecu, operation, one)]
        if unjudged:
            more = f" and {len(unjudged) - MAX_NAMED} more" if len(unjudged) > MAX_NAMED else ""
            text = (
                f"no pattern matches {', '.join(unjudged[:MAX_NAMED])}{more}, so such an answer is ignored: forbid "
                f"what no other edge allows, with an edge on `{RESPONSE} {ecu} {operation} ...` and `when: never`."
            )
            yield LintRemark("warning", component, f"answers of {operation}", text)


def _change_last(payload: str) -> str:
    """Return a neighbour of an answer: its last digit is another one, or it has a digit more."""
    place = _DIGITS.find(payload[-1])
    return payload[:-1] + _DIGITS[(place + 1) % len(_DIGITS)] if place >= 0 else f"{payload}0"


def _is_known(patterns: Iterable[Pattern], ecu: str, operation: str, payload: str) -> bool:
    event = Event(0, RESPONSE, "ECU" if ecu == "*" else ecu, operation, payload)
    heads = ("", event.head)
    return any(one.match(event) is not None for one in patterns if one.head in heads)
