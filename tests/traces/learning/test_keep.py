"""Corrected lines survive when a model is learned again."""

from __future__ import annotations

import re

import pytest

from rootward.errors import InputError
from rootward.traces.learning.keep import keep_lines
from rootward.traces.learning.learn import learn_file
from rootward.traces.model.event import Trace

from .unit import Unit, record, recordings

NEW = """\
model: new
defaults:
  p2: 26ms   # longest: 19 ms
services:
  0x22 ReadDataByIdentifier:
    require:
      - 'session in ["01"] else 0x7F'
      - 'sec in [2] else 0x33'
    did F190: {positive: {data: "AA"}}
    else: 0x31
"""


def kept(old: str, new: str) -> str:
    """Return the new file after the line ``old`` in it was corrected to ``new`` by hand."""
    assert old in NEW
    return keep_lines(NEW, NEW.replace(old, new), "old.yaml").text


def test_a_kept_line_replaces_the_learned_one():
    assert "  p2: 50ms  # keep: as agreed\n" in kept("  p2: 26ms   # longest: 19 ms", "  p2: 50ms  # keep: as agreed")
    assert "26ms" not in kept("  p2: 26ms   # longest: 19 ms", "  p2: 50ms  # keep")


def test_other_changes_are_not_kept():
    assert kept("p2: 26ms ", "p2: 50ms ") == NEW


def test_a_kept_requirement_keeps_the_whole_list():
    text = kept(
        "      - 'sec in [2] else 0x33'\n", "      - 'sec in [4] else 0x33'  # keep\n      - 'sec = 4 else 0x22'\n"
    )
    assert "'session in" in text
    assert "'sec in [2]" not in text
    assert "- 'sec = 4 else 0x22'\n    did F190" in text


def test_a_new_entry_is_added_where_it_stood():
    text = kept("    else: 0x31\n", "    did 0100: {}  # keep\n    else: 0x31\n")
    assert text.endswith("    else: 0x31\n    did 0100: {}  # keep\n")


def test_a_deeper_line_is_kept_only_with_its_entry():
    old = NEW.replace(
        '    did F190: {positive: {data: "AA"}}\n', '    did F190:\n      positive: {data: "BB"}  # keep\n'
    )
    with pytest.raises(InputError, match=r"old.yaml, line 10: it cannot be kept alone.*did F190"):
        keep_lines(NEW, old, "old.yaml")


def test_learning_again_keeps_what_was_corrected():
    first = learn_file(recordings(20))
    line = next(one for one in first.text.splitlines() if "p2:" in one)
    corrected = first.text.replace(line, "  p2: 15ms   # keep")
    again = learn_file(recordings(30), old=corrected, old_name="model.yaml")
    assert again.kept == (corrected.splitlines().index("  p2: 15ms   # keep") + 1,)
    assert len(again.departing) > 10


def test_an_old_file_without_marks_is_refused():
    first = learn_file(recordings(3))
    with pytest.raises(InputError, match=r"my\.yaml: no line has the comment `# keep`"):
        learn_file(recordings(3), old=first.text, old_name="my.yaml")


def test_the_mark_may_be_in_capitals():
    assert "p2: 50ms" in kept("  p2: 26ms   # longest: 19 ms", "  p2: 50ms  # KEEP")


def test_a_mistake_in_a_correction_is_reported_with_its_line_in_the_old_file():
    first = learn_file(recordings(3)).text
    line = next(one for one in first.splitlines() if "p2:" in one)
    number = first.splitlines().index(line) + 1
    with pytest.raises(InputError, match=rf"^my\.yaml, line {number}: expected a duration such as 50ms"):
        learn_file(recordings(3), old=first.replace(line, "  p2: fast  # keep"), old_name="my.yaml")


def test_a_kept_line_about_a_variable_that_is_not_learned_any_more():
    old = "model: old\nvars: {d0100: 1}\nservices:\n  0x22:\n    require:\n      - 'd0100 = 1 else 0x22'  # keep\n"
    few = [record("short", Unit("short"), 1)]
    with pytest.raises(InputError, match=r"the kept lines of my\.yaml do not fit what was learned now: .*'d0100'"):
        learn_file(few, old=old.replace("0x22:", first_service(few)), old_name="my.yaml")


def first_service(traces: list[Trace]) -> str:
    """Return the key of the first service in the file that is learned."""
    found = re.search(r"^  (0x\S+.*?:)", learn_file(traces).text, re.MULTILINE)
    assert found
    return found[1]
