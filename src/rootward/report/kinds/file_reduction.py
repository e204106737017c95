"""A reduced file: what is left of it, where that stood, how it became so small, and how often it fails."""

from __future__ import annotations

import math
from typing import Any

from rootward.report.figures.charts import draw_curve, draw_rates
from rootward.report.figures.scene_map import draw_maps
from rootward.report.kinds.presenter import Certainty, Data, Presenter, Run, failure_lines, steadiness_lines
from rootward.report.kinds.reduction import PRESENTER as PARTS
from rootward.report.kinds.reduction import describe_rates
from rootward.searches.reduction.files.file_reduction import FileReduction
from rootward.words import count

MAX_SHOWN_LINES = 12
"""Maximum number of lines of the reduced file that are printed."""
MAX_MEMBER_LINES = 3
"""Maximum number of lines that are printed of each file, if several are left."""
MAX_SHOWN_WIDTH = 100
"""Maximum length of a printed line; longer ones are cut."""
MAX_SHOWN_BYTES = 4000
"""A reduced file with more bytes is printed only in part, or not at all if it is not text."""
MAX_SHOWN_HEX = 32
"""Maximum number of bytes that are printed if they are not text."""
MAX_SHOWN_MEMBERS = 5
"""Maximum number of files of a folder or archive that are printed."""
MAX_RANGES = 5
"""Maximum number of stretches of lines that a sentence names."""


STAGES = {"parts": "whole parts", "tokens": "names and values", "characters": "single characters"}


class FileReductionPresenter(Presenter[FileReduction]):
    template = "file_reduction.html"
    joined_by = "and"

    def words(self, finding: FileReduction) -> str:
        return "\n".join(self._lines(finding, _course(finding)))

    def answer_words(self, finding: FileReduction) -> str:
        return "\n".join(self._lines(finding, []))

    def _lines(self, finding: FileReduction, course: list[str]) -> list[str]:
        return [
            self.about(finding, "It"),
            *failure_lines(finding.signature, finding.error),
            *steadiness_lines(finding),
            *_parts(finding),
            *describe_rates(finding.before, finding.result, finding.share, finding.confidence),
            *([] if _is_whole(finding) else _show_rest(finding)),
            *course,
            *_end(finding),
        ]

    def line(self, finding: FileReduction) -> str:
        data = b" ".join(one for _, one in finding.members or [("", finding.content.data)])
        text = " ".join(data.decode("utf-8", "backslashreplace").split())
        shown = text if len(text) <= MAX_SHOWN_WIDTH else f"{text[: MAX_SHOWN_WIDTH - 3]}..."
        return f"{finding.size:,} of {count(finding.total, 'byte')} needed: {shown}"

    def about(self, finding: FileReduction, name: str) -> str:
        left, total = finding.size, finding.total
        if len(finding.content) == 0:
            return f"{name} fails with an empty file: the failure does not depend on its content."
        if finding.content == finding.original:
            if not finding.complete:
                return f"None of {count(total, 'byte')} is left out yet (the search did not finish)."
            return f"No smaller version of the {count(total, 'byte')} was seen to fail."
        if left == total:
            return f"No shorter version of the {count(total, 'byte')} was seen to fail, but a simpler one."
        verb = "is" if left == 1 else "are"
        text = f"{left:,} of {count(total, 'byte')} {verb} enough to make it fail"
        return f"{text}." if finding.complete else f"{text} (the search did not finish: fewer may be enough)."

    def conditions(self, data: Data) -> list[str]:
        content = data["content"]
        return [content.strip()] if content and len(content) <= MAX_SHOWN_WIDTH and "\n" not in content.strip() else []

    def certainty(self, data: Data) -> Certainty | None:
        if data["original"] and data["result"]:
            sure = data["confidence"]
            often = f"at least {data['share']:.0%} as often as the original"
            said = "" if sure is None else f" With {min(99, math.floor(100 * sure))}% confidence, that is {often}."
            return Certainty.of_measure(
                f"This is how often the reduced file fails.{said}", "failure rate", data["result"]
            )
        if data["minimal"] and data["until"] == "characters":
            return Certainty("The reduced file did fail, and without any single character of it, it did not.")
        return Certainty("The reduced file did fail. It was not shown whether less of it is enough.")

    def show(self, run: Run, data: Data) -> dict[str, Any]:
        curve = draw_curve({**data, "noun": "byte"})
        parts = data["parts"]
        return {
            "drawn": [figure for figure in (draw_rates({**data, "noun": "byte"}), curve) if figure],
            "maps": None if parts is None else draw_maps(parts),
            "excerpt": data.get("excerpt"),
            "first": parts,
            "stages": [{**stage, "what": STAGES[stage["name"]]} for stage in data["stages"]],
        }

    def is_about(self, trials: Data, data: Data) -> bool:
        return trials["of"] == data["of"] or (data["parts"] is not None and trials["of"] == data["parts"]["of"])


PRESENTER = FileReductionPresenter()


def _is_whole(finding: FileReduction) -> bool:
    return finding.content == finding.original


def _parts(finding: FileReduction) -> list[str]:
    """Say which models or messages are needed, if they were reduced first."""
    if finding.parts is None:
        return []
    return PARTS.words(finding.parts).splitlines()


def _show_rest(finding: FileReduction) -> list[str]:
    """Say what is left, and show it."""
    if (members := finding.members) is None:
        return [_origin(finding), *_content_lines(finding.content.data)]
    total = len(finding.original.convert(finding.original.data))
    lines = [f"This is left of {count(total, finding.noun)}:"]
    for name, data in members[:MAX_SHOWN_MEMBERS]:
        shown = _content_lines(data, MAX_SHOWN_LINES if len(members) == 1 else MAX_MEMBER_LINES)
        lines += [f"  {name}", *(f"  {line}" for line in shown)]
    more = len(members) - MAX_SHOWN_MEMBERS
    return [*lines, f"  ... and {count(more, f'more {finding.noun}')}"] if more > 0 else lines


def _origin(finding: FileReduction) -> str:
    """Say from which lines of the original the result comes."""
    lines = finding.lines
    if not lines:
        return "This is left:" if len(finding.content) else ""
    ranges = _ranges(lines)
    name = finding.name or "the file"
    if len(ranges) > MAX_RANGES:
        return f"This is left of {len(lines):,} lines of {name}, between line {lines[0]:,} and line {lines[-1]:,}:"
    said = [f"{a:,}" if a == b else f"{a:,} to {b:,}" for a, b in ranges]
    where = " and ".join([", ".join(said[:-1]), said[-1]] if said[1:] else said)
    return f"This is left of line{'s' if len(lines) > 1 else ''} {where} of {name}:"


def _ranges(lines: list[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for line in lines:
        if found and line == found[-1][1] + 1:
            found[-1] = (found[-1][0], line)
        else:
            found.append((line, line))
    return found


def _content_lines(data: bytes, max_lines: int = MAX_SHOWN_LINES) -> list[str]:
    """Return the first lines of the result, indented; its first bytes if it is not text."""
    text = data[:MAX_SHOWN_BYTES].decode("utf-8", "replace")
    lines = text.splitlines()
    if sum(not char.isprintable() and char not in "\t\r\n" for char in text) > len(text) // 20:
        return [f"  {data[:MAX_SHOWN_HEX].hex(' ')}{' ...' if len(data) > MAX_SHOWN_HEX else ''}"]
    shown = [line if len(line) <= MAX_SHOWN_WIDTH else f"{line[: MAX_SHOWN_WIDTH - 3]}..." for line in lines]
    more = data.count(b"\n") + (not data.endswith(b"\n")) - max_lines
    cut = [f"  ... and {count(more, 'more line')}"] if more > 0 else []
    return [*(f"  {line}" for line in shown[:max_lines]), *cut]


def _course(finding: FileReduction) -> list[str]:
    """Say how the file became so small, if that took several stages."""
    if len(finding.stages) < 2:
        return []
    said = [f"{count(one.removed, 'byte')} in {STAGES[one.name]}" for one in finding.stages]
    return [f"Left out: {', '.join(said[:-1])} and {said[-1]}."]


def _end(finding: FileReduction) -> list[str]:
    if not finding.minimal or not finding.complete or not len(finding.content):
        return []
    if finding.until != "characters":
        return [f"The search left out {STAGES[finding.until]} at the finest; fewer bytes may be enough."]
    if finding.before is not None:
        return ["Without any single character of it, it seems to fail much more rarely or not at all."]
    return ["Without any single character of it, it no longer fails."]
