"""JUnit XML, which every build server can show: a test case for each trace. The type of a failure is its fault class,
so that failures with the same cause can be counted as one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from rootward.formats.files import replace_file
from rootward.traces.fault import Fault
from rootward.traces.grouping.classify import FaultClass
from rootward.traces.output.words import cause, expected_text, observed_text, place
from rootward.traces.tally import Tally

Name = tuple[str, str]
"""The name and the path of a trace."""


def write_junit(finding: Tally, traces: Iterable[Name], path: Path) -> None:
    """Write the results as JUnit XML. ``traces`` are the names of all traces that were examined, in order."""
    faults: dict[Name, list[tuple[FaultClass, Fault]]] = {}
    for one in finding.classes:
        for fault in one.faults:
            faults.setdefault((fault.trace, fault.path), []).append((one, fault))
    suite = Element("testsuite", {"name": _clean(finding.model)})
    unjudged = {(one.trace, one.path): one.reason for one in finding.unjudged}
    for name in traces:
        case = _case(suite, finding, name)
        if name in faults:
            _failure(case, sorted(faults[name], key=lambda pair: pair[1].index))
        elif name in unjudged:
            reason = _clean(unjudged[name])
            SubElement(case, "error", {"type": "unjudged", "message": reason}).text = reason
    _count(suite)
    suites = Element("testsuites", {**suite.attrib, "name": "rootward triage"})
    suites.append(suite)
    indent(suites)
    with replace_file(path) as file:
        ElementTree(suites).write(file, encoding="utf-8", xml_declaration=True)


def _case(suite: Element, finding: Tally, name: Name) -> Element:
    known = {"classname": finding.model, "name": name[0], "file": name[1], "time": "0"}
    return SubElement(suite, "testcase", {key: _clean(value) for key, value in known.items() if value})


def _failure(case: Element, found: list[tuple[FaultClass, Fault]]) -> None:
    """Add one failure to the test case, with a text that lists all faults.

    There is only one, because some readers of JUnit XML do not understand several failures in a test case.
    """
    first = found[0][0]
    failure = SubElement(case, "failure", {"type": first.id, "message": _clean(cause(first))})
    failure.text = _clean("\n\n".join(_text(one, fault) for one, fault in found))


def _text(one: FaultClass, fault: Fault) -> str:
    lines = [
        f"{cause(one)} [{one.id}]",
        f"where:    {place(fault)}",
        f"expected: {expected_text(fault)}",
        f"observed: {observed_text(fault)}",
    ]
    return "\n".join([*lines, *([f"required: {fault.requirement}"] if fault.requirement else [])])


def _count(suite: Element) -> None:
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    suite.set("errors", str(len(suite.findall("testcase/error"))))
    suite.set("skipped", "0")
    suite.set("time", "0")


def _clean(text: str) -> str:
    """Replace the characters that XML cannot represent."""
    return re.sub("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text)
