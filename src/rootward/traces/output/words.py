"""Faults and causes in words, for people who have never seen the model.

Facts come in: patterns, terms, names, values. Here each gets its words: what a model says in regular expressions is
said in blanks, and names that only the compiler of UDS models gives are said as what they stand for. So
``res * ECUReset <payload=(?P<sub_hex>[0-7][0-9A-F])(?P<data>(?:[0-9A-F]{2})*)>`` is ``res ECUReset <sub>...``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from rootward.traces.fault import FORBIDDEN, LATE, MISSING, Allowed, Fault, Silence, Writer
from rootward.traces.grouping.answers import ANSWERED_INSTEAD
from rootward.traces.grouping.classify import FaultClass
from rootward.traces.grouping.mutant import Cause
from rootward.traces.grouping.mutants import NOT_RESTARTED
from rootward.traces.model.guard import Atom, Bound, Const, Guard, Param, Term, Test, Var, duration, said, with_terms

LONG = 160
"""Longer texts are cut."""
WHOLE = 400
"""Problems and causes are said in whole sentences."""
LONG_VALUE = 80
"""Longer values are not written into a pattern."""
WRITERS = 3
"""So many writers are listed."""
BINARY = (".blf", ".mf4", ".pcap", ".pcapng", ".cap")
"""Files that have no lines."""
_WORD = re.compile(r"<(?P<name>[A-Za-z_]\w*)=(?P<regex>(?:\(\?P<\w+>|[^<>]|<(?![a-z_]+=))*)>")
_WHOLE = re.compile(r"/(?P<regex>(?:req|res|err) [^/]*)/")
_ANYONE = re.compile(r"\b(?P<kind>req|res|err) (?:\*|\\S\+|<ecu>|\(\?!functional\\b\)\\S\+)(?= )")
_OWED = re.compile(r"(?:(?P<what>.*) )?(?P<answer>positive|NRC [0-9A-F]{2})(?: #\d+)?(?: pending)?")
_MEMORY = re.compile(r"\b([A-Z]\w+)\.(sub|did|data)\b")
_ASKED = {"sub": "sub-function", "did": "identifier", "data": "data"}
_ANY_BYTES = "(?:[0-9A-F]{2})*"
_SIMPLE = re.compile(r"\w+")


# What is wrong, and why


def cause(one: FaultClass, it: str = "It") -> str:
    """Why, in a sentence; if no cause was found, what is wrong. ``it``: the name of what behaves so."""
    if not one.causes:
        return fault_headline(one.representative)
    return f"{it} behaves {shortened(behaviour(one.causes), WHOLE)}"


def behaviour(causes: Iterable[Cause]) -> str:
    """What a system behaves like: this, or that."""
    return _with_blanks(", or ".join(map(_cause, causes)))


def _cause(one: Cause) -> str:
    sentence, facts = one.sentence, {kind: _fact(kind, fact) for kind, fact in one.facts.items()}
    if sentence == ANSWERED_INSTEAD:
        given, due = _owed(facts["location"]), _owed(facts["other"])
        if given and due:
            sentence = "{component} gave {location} instead of {other} ({event})"
            facts |= {"location": given, "other": due}
    elif sentence == NOT_RESTARTED and _own_timer(facts["component"], facts["clock"]):
        sentence = "{component} did not restart ({event})"
    return f"as if {sentence.format(**facts)}"


def _fact(kind: str, fact: object) -> str:
    if isinstance(fact, tuple):
        return ", ".join(map(_name, fact))
    if isinstance(fact, Test):
        return str(fact.with_terms(_term))
    if isinstance(fact, Const | Var | Param):
        return str(_term(fact))
    text = str(fact)
    return _event(text) if kind == "event" else _name(text) if kind in ("variable", "clock") else text


def fault_headline(fault: Fault) -> str:
    """A fault in a few words."""
    who = fault.component or "the model"
    if fault.kind == FORBIDDEN:
        return f"{who} does not allow {shortened(fault.observed)}"
    return f"{who}: the answer is late" if fault.kind == LATE else f"{who}: there is no answer"


def place(fault: Fault) -> str:
    """Where in its trace."""
    if fault.event is None:
        return "at its end"
    what = "frame" if fault.path.lower().endswith(BINARY) else "line"
    line = f" ({what} {fault.event.line:,})" if fault.event.line else ""
    return f"message {fault.index + 1:,}{line} at {moment(fault.event.time)}"


# What was expected


class _Wanted(NamedTuple):
    text: str
    asks: bool
    """Whether it is a request."""
    pending: bool
    """Whether it only asks for patience."""


def expected(fault: Fault) -> str:
    """What the model allows there."""
    within = f", within {duration(fault.limit)}" if fault.limit is not None else ""
    return (" or ".join(shortened(text) for text in wanted(fault)) or "nothing of this kind") + within


def wanted(fault: Fault, most: int = 3) -> list[str]:
    """What is expected, the most telling first: what asks for patience, or begins anew, only if there is no other."""
    ecu = fault.event.ecu if fault.event is not None and fault.event.kind == "res" else ""
    possible = [_wanted(one, ecu) for one in fault.allowed if _met(one) is not False]
    some = possible or [_wanted(one, ecu) for one in fault.allowed]
    told = [one for one in some if not one.asks] or some
    told.sort(key=lambda one: one.pending)
    return list(dict.fromkeys(one.text for one in told))[:most]


def _met(one: Allowed) -> bool | None:
    """Whether the condition is met, if it compares one variable with one value; else None."""
    match _only_atom(one.when):
        case Test(Var(name), "=", Const(value)):
            [(_, held)] = one.values
            simple = all(_SIMPLE.fullmatch(text) for text in (name, str(value), str(held)))
            return str(held) == str(value) if simple else None
    return None


def _wanted(one: Allowed, ecu: str) -> _Wanted:
    event = _event(one.event, ecu)
    always = () in one.when
    text = _with_blanks(event) if always else _allowed(one, event)
    return _Wanted(text, event.startswith("req "), always and event.endswith("NRC 78"))


def _allowed(one: Allowed, event: str) -> str:
    """An event with its condition; with the value that a blank has to have, if that is the condition."""
    values = ", ".join(dict.fromkeys(f"{_name(name)} is {value}" for name, value in one.values))
    if _met(one):
        return _with_blanks(f"{event} ({values})")
    match _only_atom(one.when):
        case Bound(clock, "<=", limit) if _SIMPLE.fullmatch(clock.removesuffix(".wait")) and clock.endswith(".wait"):
            return _with_blanks(f"{event} within {duration(limit)}")
        case Test(Param(name), "=", Var(variable)):
            value = str(one.values[0][1])
            if f"<{name}>" in event and len(value) <= LONG_VALUE and not re.search(r"\s", value):
                return f"{event.replace(f'<{name}>', value)} (the value of {_name(variable)})"
    condition = said(with_terms(one.when, _term))
    return _with_blanks(f"{event} if {condition}{f' ({values})' if values else ''}")


def _only_atom(when: Guard) -> Atom | None:
    return when[0][0] if len(when) == 1 and len(when[0]) == 1 else None


# What was observed, and who made it so


def observed(fault: Fault) -> str:
    late = f": {duration(fault.margin)} too late" if fault.kind == LATE and fault.margin is not None else ""
    if fault.kind == MISSING and fault.event is None:
        return f"nothing until the end of the recording{_recorded(fault)}"
    return shortened(fault.observed) + late


def _recorded(fault: Fault) -> str:
    """How long one would have seen an answer."""
    if fault.took is None:
        return ""
    cut = fault.limit is not None and fault.took < fault.limit
    return f", {duration(fault.took)} later{': it may just have been cut off' if cut else ''}"


def because(fault: Fault) -> list[str]:
    """What last wrote what matters; that a request makes one wait for the answer goes without saying."""
    found = [one for one in fault.written if one.name != f"{fault.component}.wait"]
    found.sort(key=lambda one: "." in one.name)  # timers and the like last
    return list(dict.fromkeys(shortened(writer(one)) for one in found))[:WRITERS]


def writer(one: Writer) -> str:
    """Who wrote a variable or a clock."""
    if not one.component:
        return _with_blanks(f"{_name(one.name)}: as at the beginning")
    when = str(one.silence) if one.silence else _event(one.event)
    if one.value is not None:
        return _with_blanks(f"{_name(one.name)}: set to {_term(one.value)} by {one.component} ({when})")
    if _own_timer(one.component, one.name):
        return _with_blanks(f"{one.component}: restarted ({when})")
    if one.name == f"{one.component}.wait" and re.fullmatch(r"[\w ]+", one.component):
        return _with_blanks(f"the time that {one.component} takes: restarted ({when})")
    return _with_blanks(f"{_name(one.name)}: restarted by {one.component} ({when})")


def silence(one: Silence) -> str:
    """A time that matters."""
    limit = f": more than {duration(one.limit)}" if one.limit is not None else ""
    return f"{duration(one.passed)} pass{limit}"


# Patterns, terms and names


def readable(text: str, ecu: str = "") -> str:
    """A pattern, or a text of the model with patterns and names in it, made plain.

    ``ecu``: who is meant where any ECU would do.
    """
    return _with_blanks(_name(_event(text, ecu)))


def _event(text: str, ecu: str = "") -> str:
    """A pattern in blanks."""
    text = _WHOLE.sub(lambda found: _plain(found["regex"]) or found[0], text)
    text = _WORD.sub(lambda found: _plain(found["regex"]) or f"<{found['name']}>", text)
    who = f" {ecu}" if ecu else ""
    text = _ANYONE.sub(lambda found: found["kind"] + who, text.replace("|functional)", ")"))
    text = re.sub(r"\((\w+)\)(?= )", r"\1", text)
    return re.sub(r"\(((?:\w+\|){2})(?:\w+\|)+\w+\)", r"(\1…)", text)


def _plain(regex: str) -> str:
    """A regular expression in blanks; empty if that cannot be said."""
    regex = regex.replace(r"\S+", "*").replace("(?!functional\\b)*", "*")
    found = re.fullmatch(r"(?P<first>[^()]*)\(\?: (?P<rest>.*)\)\?", regex)
    if found:  # a word that may be missing
        regex = f"{found['first']} {found['rest']}"
    plain = regex.replace(f"(?P<data>{_ANY_BYTES})", "<data>").replace("(?P<data>)", "")
    plain = re.sub(r"\(\?:(\w+)\|\w+\)", r"\1", plain)
    plain = re.sub(r"\(\?P<(\w+?)(?:_hex)?>[^()]*(?:\(\?![^()]*\)[^()]*)?\)", r"<\1>", plain)
    return "" if re.search(r"[][()\\^$+?{}]", plain) else plain


def _with_blanks(text: str) -> str:
    """Parameters are named like the blanks they come from; a blank of which nothing more is said is the rest."""
    if "$data" not in text:
        text = text.replace("<data>", "...")
    return re.sub(r"\$(\w+)", lambda found: f"<{found[1]}>" if f"<{found[1]}" in text else found[1], text)


def _term(term: Term) -> Term:
    """A term whose name is plain."""
    return Var(_name(term.name)) if isinstance(term, Var) else term


def _name(name: str) -> str:
    """A variable or a clock, without the names that only the compiler of UDS models gives."""
    name = name.replace("other services.asked", "the service that was asked for")
    return _MEMORY.sub(lambda found: f"the {_ASKED[found[2]]} of the {found[1]}", name)


def _own_timer(component: str, clock: str) -> bool:
    """Whether a clock is that of a timer."""
    name = component.removeprefix("timer ")
    return clock == f"{name}.time" and component == f"timer {name}" and bool(_SIMPLE.fullmatch(name))


def _owed(location: str) -> str:
    """The answer that is owed in a location of a service; empty if this is none."""
    if location in ("idle", "suppressed", "announced"):
        return "an answer" if location == "announced" else "none"
    if location.removesuffix(" pending") in ("several", "too short"):
        return f"the answer to a request {'for several' if location[0] == 's' else 'that is too short'}"
    found = _OWED.fullmatch(location)
    if found is None:
        return ""
    answer = "a positive answer" if found["answer"] == "positive" else found["answer"]
    return f"{answer} ({found['what']})" if found["what"] else answer


def moment(time: int) -> str:
    """An instant of a recording."""
    return f"{time / 1e6:.6f} s"


def shortened(text: str, most: int = LONG) -> str:
    """One line that is not too long."""
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 20]}… ({len(text):,} characters)"
