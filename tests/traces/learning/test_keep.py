"""Corrected lines survive when a model is learned again."""

from __future__ import annotations

import pytest

from rootward.errors import InputError
from rootward.traces.learning.keep import keep_lines
from rootward.traces.learning.learn import learn_file

from .unit import recordings

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
