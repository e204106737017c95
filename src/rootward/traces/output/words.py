"""Faults and causes as text, for people who have never seen the model.

The input are facts: patterns, terms, names, values. Regular expressions are written as blanks, and names that the
compiler of UDS models generated are replaced by what they stand for. For example,
``res * ECUReset <payload=(?P<sub_hex>[0-7][0-9A-F])(?P<data>(?:[0-9A-F]{2})*)>`` becomes ``res ECUReset <sub>...``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from rootward.formats.recordings.source import strip_compression
from rootward.traces import marks
from rootward.traces.fault import FORBIDDEN, LATE, MISSING, AllowedEvent, Fault, Silence, Writer
from rootward.traces.grouping.answers import ANSWERED_INSTEAD
from rootward.traces.grouping.classify import FaultClass
from rootward.traces.grouping.conditional import IN_MODE
from rootward.traces.grouping.cover import MIN_REFUTING
from rootward.traces.grouping.deciding import Decision
from rootward.traces.grouping.mutant import FaultCause
from rootward.traces.grouping.mutants import NOT_RESTARTED
from rootward.traces.marks import ComparedMark
from rootward.traces.model.guard import (
    Atom,
    Bound,
    Const,
    Guard,
    Param,
    Term,
    Test,
    Var,
    format_duration,
    format_guard,
    with_terms,
)
from rootward.words import count

MAX_LENGTH = 160
"""Maximum number of characters of a text; longer ones are cut."""
MAX_SENTENCE_LENGTH = 400
"""Maximum number of characters of a problem or a cause, which are whole sentences."""
MAX_VALUE_LENGTH = 80
"""Maximum number of characters of a value that is inserted into a pattern."""
MAX_ANSWERS = 2
"""Maximum number of answers listed that show a cause."""
MAX_WRITERS = 3
"""Maximum number of writers listed."""
BINARY = (".blf", ".mf4", ".pcap", ".pcapng", ".cap")
"""Endings of files that have frames instead of lines."""
_WORD = re.compile(r"<(?P<name>[A-Za-z_]\w*)=(?P<regex>(?:\(\?P<\w+>|[^<>]|<(?![a-z_]+=))*)>")
_REGEX_PATTERN = re.compile(r"/(?P<regex>(?:req|res|err) [^/]*)/")
_ANYONE = re.compile(r"\b(?P<kind>req|res|err) (?:\*|\\S\+|<ecu>|\(\?!functional\\b\)\\S\+)(?= )")
_OWED = re.compile(r"(?:(?P<what>.*) )?(?P<answer>positive|NRC [0-9A-F]{2})(?: #\d+)?(?: pending)?")
_MEMORY = re.compile(r"\b([A-Z]\w+)\.(sub|did|data)\b")
_ASKED = {"sub": "sub-function", "did": "identifier", "data": "data"}
_ANY_BYTES = "(?:[0-9A-F]{2})*"
_SIMPLE = re.compile(r"\w+")
_ORDINALS = ("first", "second", "third", "fourth")


# What is wrong, and why


def cause(one: FaultClass, it: str = "It") -> str:
    """Return the cause of a class as a sentence with the subject ``it``.

    If no cause was found, return the headline of the fault instead.
    """
    if not one.causes:
        return fault_headline(one.representative)
    return f"{it} behaves {shorten(behaviour(one.causes), MAX_SENTENCE_LENGTH)}"


def behaviour(causes: Iterable[FaultCause]) -> str:
    """Describe the behaviour that the causes stand for: "as if ..., or as if ..."."""
    return _params_to_blanks(", or ".join(map(_cause_text, causes)))


def decision_text(one: Decision) -> str:
    """Say what to record to tell two causes of a class apart."""
    where = f"after message {one.after:,} of {one.trace}" if one.after else "at the beginning"
    meaning: dict[int, list[str]] = {}
    for answer, who in one.answers:
        meaning.setdefault(one.causes[who], []).append(shorten(answer) if answer else "no answer")
    told = "; ".join(f"{_ORDINALS[k]} cause: {' or '.join(some[:MAX_ANSWERS])}" for k, some in sorted(meaning.items()))
    return f"record {shorten(one.request.text)} {where} ({told})"


def doubt_text(one: FaultClass) -> str:
    """Say how many conforming recordings do not behave as the cause says; empty if few do."""
    if one.contradicted < MIN_REFUTING:
        return ""
    what = f"{one.contradicted} of {count(one.compared, 'conforming trace')} compared do not behave like this"
    if one.unrefuted:
        return f"{what}; if they are of the same unit, it rather behaves {behaviour(one.unrefuted)}"
    return f"{what}: they are of another unit, or it happens only sometimes"


def _cause_text(one: FaultCause) -> str:
    facts = {kind: _fact_text(kind, fact) for kind, fact in one.facts.items()}
    sentence, mode = one.sentence.removesuffix(IN_MODE), IN_MODE if one.sentence.endswith(IN_MODE) else ""
    if sentence == ANSWERED_INSTEAD:
        given, due = _owed_answer(facts["location"]), _owed_answer(facts["other"])
        if given and due:
            sentence = "{component} gave {location} instead of {other} ({event})"
            facts |= {"location": given, "other": due}
    elif sentence == NOT_RESTARTED and _is_own_timer(facts["component"], facts["clock"]):
        sentence = "{component} did not restart ({event})"
    return f"as if {(sentence + mode).format(**facts)}"


def _fact_text(kind: str, fact: object) -> str:
    if isinstance(fact, tuple):
        return ", ".join(map(_name, fact))
    if isinstance(fact, Test):
        return str(fact.with_terms(_term))
    if isinstance(fact, Const | Var | Param):
        return str(_term(fact))
    text = str(fact)
    return _event_to_blanks(text) if kind == "event" else _name(text) if kind in ("variable", "clock") else text


def fault_headline(fault: Fault) -> str:
    """Describe a fault in a few words."""
    who = fault.component or "the model"
    if fault.kind == FORBIDDEN:
        return f"{who} does not allow {shorten(fault.observed)}"
    return f"{who}: the answer is late" if fault.kind == LATE else f"{who}: there is no answer"


def place(fault: Fault) -> str:
    """Return the position of a fault in its trace."""
    if fault.event is None:
        return "at the end of the trace"
    line = f" ({line_text(fault.path, fault.event.line)})" if fault.event.line else ""
    return f"message {fault.index + 1:,}{line} at {moment(fault.event.time)}"


def line_text(path: str, line: int) -> str:
    """Return a line of a file, or a frame if the file has no lines."""
    return f"{'frame' if strip_compression(Path(path)).suffix.lower() in BINARY else 'line'} {line:,}"


def mark_text(one: ComparedMark) -> str:
    """Describe how a mark of the test environment compares with the faults of its trace."""
    if one.fault is None or one.delay is None:
        return "there is no fault" if one.kind == marks.UNFOUNDED else "the trace was not judged there"
    where = f"the fault at {place(one.fault)}" if one.fault.event is not None else "the fault at the end of the trace"
    return f"agrees with {where}" if one.kind == marks.AGREES else f"{format_duration(one.delay)} after {where}"


# What was expected


class _Expected(NamedTuple):
    text: str
    asks: bool
    """True if the expected event is a request."""
    pending: bool
    """True if the expected event is only "response pending" (NRC 78)."""


def expected_text(fault: Fault) -> str:
    """Describe what the model allows at the fault."""
    within = f", within {format_duration(fault.limit)}" if fault.limit is not None else ""
    return (" or ".join(shorten(text) for text in expected_events(fault)) or "nothing of this kind") + within


def expected_events(fault: Fault, most: int = 3) -> list[str]:
    """Return the expected events, the most informative first.

    "Response pending" comes last. Requests are included only if nothing else is allowed.
    """
    ecu = fault.event.ecu if fault.event is not None and fault.event.kind == "res" else ""
    possible = [_describe_allowed(one, ecu) for one in fault.allowed if _is_met(one) is not False]
    some = possible or [_describe_allowed(one, ecu) for one in fault.allowed]
    told = [one for one in some if not one.asks] or some
    told.sort(key=lambda one: one.pending)
    return list(dict.fromkeys(one.text for one in told))[:most]


def _is_met(one: AllowedEvent) -> bool | None:
    """Return True if the condition of an allowed event is met, and False if it is not.

    Returns None unless the condition compares one variable with one value.
    """
    match _only_atom(one.when):
        case Test(Var(name), "=", Const(value)):
            [(_, held)] = one.values
            simple = all(_SIMPLE.fullmatch(text) for text in (name, str(value), str(held)))
            return str(held) == str(value) if simple else None
    return None


def _describe_allowed(one: AllowedEvent, ecu: str) -> _Expected:
    event = _event_to_blanks(one.event, ecu)
    always = () in one.when
    text = _params_to_blanks(event) if always else _add_condition(one, event)
    return _Expected(text, event.startswith("req "), always and event.endswith("NRC 78"))


def _add_condition(one: AllowedEvent, event: str) -> str:
    """Return an event followed by its condition.

    If the condition fixes the value of a blank in the event, the value is inserted into the event instead.
    """
    values = ", ".join(dict.fromkeys(f"{_name(name)} is {value}" for name, value in one.values))
    if _is_met(one):
        return _params_to_blanks(f"{event} ({values})")
    match _only_atom(one.when):
        case Bound(clock, "<=", limit) if _SIMPLE.fullmatch(clock.removesuffix(".wait")) and clock.endswith(".wait"):
            return _params_to_blanks(f"{event} within {format_duration(limit)}")
        case Test(Param(name), "=", Var(variable)):
            value = str(one.values[0][1])
            if f"<{name}>" in event and len(value) <= MAX_VALUE_LENGTH and not re.search(r"\s", value):
                return f"{event.replace(f'<{name}>', value)} (the value of {_name(variable)})"
    condition = format_guard(with_terms(one.when, _term))
    return _params_to_blanks(f"{event} if {condition}{f' ({values})' if values else ''}")


def _only_atom(when: Guard) -> Atom | None:
    return when[0][0] if len(when) == 1 and len(when[0]) == 1 else None


# What was observed, and which edges led to it


def observed_text(fault: Fault) -> str:
    late = f": {format_duration(fault.margin)} too late" if fault.kind == LATE and fault.margin is not None else ""
    if fault.kind == MISSING and fault.event is None:
        return f"nothing until the end of the recording{_recorded_time(fault)}"
    return shorten(fault.observed) + late


def _recorded_time(fault: Fault) -> str:
    """Describe how long the recording went on after the wait for an answer began.

    The text is empty if that time is unknown.
    """
    if fault.took is None:
        return ""
    cut = fault.limit is not None and fault.took < fault.limit
    return f", {format_duration(fault.took)} later{': the recording may have stopped too early' if cut else ''}"


def writers_text(fault: Fault) -> list[str]:
    """Describe what last set each variable and clock that matters. The clock of the response itself is left out."""
    found = [one for one in fault.written if one.name != f"{fault.component}.wait"]
    found.sort(key=lambda one: "." in one.name)  # timers and the like last
    return list(dict.fromkeys(shorten(writer(one)) for one in found))[:MAX_WRITERS]


def writer(one: Writer) -> str:
    """Describe what last set a variable or restarted a clock."""
    if not one.component:
        return _params_to_blanks(f"{_name(one.name)}: still has its initial value")
    when = str(one.silence) if one.silence else _event_to_blanks(one.event)
    if one.value is not None:
        return _params_to_blanks(f"{_name(one.name)}: set to {_term(one.value)} by {one.component} ({when})")
    if _is_own_timer(one.component, one.name):
        return _params_to_blanks(f"{one.component}: restarted ({when})")
    if one.name == f"{one.component}.wait" and re.fullmatch(r"[\w ]+", one.component):
        return _params_to_blanks(f"the response time of {one.component}: restarted ({when})")
    return _params_to_blanks(f"{_name(one.name)}: restarted by {one.component} ({when})")


def silence(one: Silence) -> str:
    """Describe a relevant period without messages."""
    limit = f": more than {format_duration(one.limit)}" if one.limit is not None else ""
    return f"{format_duration(one.passed)} pass{limit}"


# Patterns, terms and names


def make_readable(text: str, ecu: str = "") -> str:
    """Make a pattern readable, or a text of the model that contains patterns and names.

    ``ecu`` is the ECU to name if the pattern allows any ECU.
    """
    return _params_to_blanks(_name(_event_to_blanks(text, ecu)))


def _event_to_blanks(text: str, ecu: str = "") -> str:
    """Replace the regular expressions of a pattern by blanks."""
    text = _REGEX_PATTERN.sub(lambda found: _regex_to_blanks(found["regex"]) or found[0], text)
    text = _WORD.sub(lambda found: _regex_to_blanks(found["regex"]) or f"<{found['name']}>", text)
    who = f" {ecu}" if ecu else ""
    text = _ANYONE.sub(lambda found: found["kind"] + who, text.replace("|functional)", ")"))
    text = re.sub(r"\((\w+)\)(?= )", r"\1", text)
    return re.sub(r"\(((?:\w+\|){2})(?:\w+\|)+\w+\)", r"(\1…)", text)


def _regex_to_blanks(regex: str) -> str:
    """Write a regular expression with blanks. The result is empty if that is not possible."""
    regex = regex.replace(r"\S+", "*").replace("(?!functional\\b)*", "*")
    found = re.fullmatch(r"(?P<first>[^()]*)\(\?: (?P<rest>.*)\)\?", regex)
    if found:  # a word that may be missing
        regex = f"{found['first']} {found['rest']}"
    plain = regex.replace(f"(?P<data>{_ANY_BYTES})", "<data>").replace("(?P<data>)", "")
    plain = re.sub(r"\(\?:(\w+)\|\w+\)", r"\1", plain)
    plain = re.sub(r"\(\?P<(\w+?)(?:_hex)?>[^()]*(?:\(\?![^()]*\)[^()]*)?\)", r"<\1>", plain)
    return "" if re.search(r"[][()\\^$+?{}]", plain) else plain


def _params_to_blanks(text: str) -> str:
    """Write each parameter like the blank from which it comes: ``$sub`` as ``<sub>``.

    If nothing refers to a ``<data>``, it becomes ``...``.
    """
    if "$data" not in text:
        text = text.replace("<data>", "...")
    return re.sub(r"\$(\w+)", lambda found: f"<{found[1]}>" if f"<{found[1]}" in text else found[1], text)


def _term(term: Term) -> Term:
    """Return the term with a readable name."""
    return Var(_name(term.name)) if isinstance(term, Var) else term


def _name(name: str) -> str:
    """Replace names that the compiler of UDS models generated by the things that they stand for."""
    name = name.replace("other services.asked", "the service that was asked for")
    return _MEMORY.sub(lambda found: f"the {_ASKED[found[2]]} of the {found[1]} request", name)


def _is_own_timer(component: str, clock: str) -> bool:
    """Return True if this component is a timer and the clock belongs to it."""
    name = component.removeprefix("timer ")
    return clock == f"{name}.time" and component == f"timer {name}" and bool(_SIMPLE.fullmatch(name))


def _owed_answer(location: str) -> str:
    """Describe the answer that is owed in a location of a service. The text is empty for any other location."""
    if location in ("idle", "suppressed", "announced"):
        return "an answer" if location == "announced" else "no answer"
    if location.removesuffix(" pending") in ("several", "too short"):
        return f"the answer to a request {'for several identifiers' if location[0] == 's' else 'that is too short'}"
    found = _OWED.fullmatch(location)
    if found is None:
        return ""
    answer = "a positive answer" if found["answer"] == "positive" else found["answer"]
    return f"{answer} ({found['what']})" if found["what"] else answer


def moment(time: int) -> str:
    """Return a time of a recording in seconds."""
    return f"{time / 1e6:.6f} s"


def shorten(text: str, most: int = MAX_LENGTH) -> str:
    """Return the text as one line, cut to ``most`` characters."""
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 20]}… ({len(text):,} characters)"
