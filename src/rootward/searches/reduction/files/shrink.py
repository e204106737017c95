"""Shrink a file to the smallest version that still fails, from coarse to fine.

What it asks. Each pass proposes changes of the current text (`passes`), and one of two ways tries many of them with few
runs (`moves`): a scan over the whole text, and a list. Both work on the tree of the text (`draft`): a proposal that
adds mistakes to it is dropped without a run, which saves most runs on program text.

The grain is the number of bytes that is worth a run. It begins with a quarter of the text and falls as long as nothing
more of that size can go. So large parts go first, whatever they are, and single characters last. A proposal whose kind
seldom succeeded waits until the grain is small.

Why it ends. Every accepted version is shorter than the one before it, or as long and lower, like 10 instead of 17. A
round that changes nothing lowers the grain; a round at a grain of one byte that changes nothing ends the search.

How to extend it. A pass is a function (see `passes`); `Shrinker.round` says in which order they come. Passes of users
are functions from a text to smaller texts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, islice
from typing import Any

from rootward.errors import InputError
from rootward.formats.documents.syntax import Edit, apply_edits
from rootward.formats.documents.whole_file import WholeFile
from rootward.search.ask import Answers, Ask, Search
from rootward.searches.reduction.files import passes
from rootward.searches.reduction.files.draft import Change, SlotKnowledge, TextDraft
from rootward.searches.reduction.files.file_reduction import LEVELS, FileReduction, Stage
from rootward.searches.reduction.files.moves import Moves, isolate, scan, try_list
from rootward.searches.reduction.files.trials import FlakyTrials, SteadyTrials, Trials
from rootward.searches.reduction.files.tuning import TUNING
from rootward.searches.reduction.rates import Rate
from rootward.searches.reduction.reduction import Reduction
from rootward.space.candidate import Piece, Version

TextPass = Callable[[bytes, str], Iterable[bytes]]
"""A pass of a user: a function of the text and its language that yields smaller texts."""
Asking = Generator[Ask[Version], Answers, bool]


def shrink(
    file: WholeFile,
    *,
    start: Version | None = None,
    original_rate: Rate | None = None,
    parts: Reduction[Any] | None = None,
    until: str = LEVELS[-1],
    stop_at: float = 1.0,
    flaky: bool = False,
    share: float = 0.5,
    confidence: float = 0.95,
    passes: Sequence[TextPass] = (),
) -> Search[Version, FileReduction]:
    """Return the smallest version of a failing file that still fails.

    :param start: the failing version to begin with; by default the original
    :param original_rate: failures and runs of the original of a flaky failure, if they are known
    :param parts: the reduction that led to it
    :param until: the finest level: ``parts``, ``tokens`` or ``characters``
    :param stop_at: end early once this share of the bytes is gone
    :param flaky: the failure does not show in every run. The result then fails at least ``share`` times as often as the
        original, with probability ``confidence``
    :param passes: further passes, tried where the grain is small
    """
    trials: Trials = FlakyTrials(share, original_rate) if flaky else SteadyTrials()
    shrinker = Shrinker(file, start or file.original, trials, until, stop_at, passes)
    shrinker.finding = replace(shrinker.finding, parts=parts, share=share if flaky else 1.0)
    if (yield from trials.start(shrinker.content, shrinker.finding)):
        shrinker.finding = replace(shrinker.finding, before=trials.original)
        yield from shrinker.search()
        return (yield from shrinker.finish(confidence))
    return shrinker.finding


class Shrinker:
    """The state of a search: the smallest failing version so far, and what was learned."""

    def __init__(
        self,
        file: WholeFile,
        start: Version,
        trials: Trials,
        until: str,
        stop_at: float,
        text_passes: Sequence[TextPass],
    ) -> None:
        self.file, self.trials, self.content = file, trials, start
        self.level, self.stop_at, self.text_passes = LEVELS.index(until), stop_at, text_passes
        self.finding = FileReduction(
            original=file.original,
            content=start,
            name=file.path.name,
            language=file.language,
            noun=file.member_noun,
            until=until,
            course=((0, file.count(file.data)),),
        )
        self.confirmed = start
        self.checkpoints = [start]
        """The confirmed versions, the smallest last."""
        self.knowledge, self._learned_at = SlotKnowledge(), len(start)
        self.refuted: set[str] = set()
        self.statistics: dict[tuple[object, ...], passes.Statistics] = defaultdict(passes.Statistics)
        self.asked = 0
        self.stage = "parts"
        self._draft: TextDraft | None = None

    # The order of the passes

    def search(self) -> Asking:
        """Run the passes, from coarse to fine, until nothing changes."""
        self.stage = "parts"
        yield from self.test(self.content, [(0, len(self.content), b"")])
        yield from self.halve_lines()
        yield from self.find_the_place()
        yield from self.clean()
        yield from self.run_text_pass(passes.simplify_compressed)
        yield from self.lower(len(self.content))
        grain = max(1, len(self.content) // 4)
        while not self.is_done:
            before, size = self.content, len(self.content)
            yield from self.round(grain)
            shrunk = len(self.content) < 0.9 * size
            if not shrunk:
                yield from self.lower(grain)
            if self.content is before and grain == 1:
                break
            grain = max(1, min(grain if shrunk else grain // 4, len(self.content) // 8))
        self.finding = replace(self.finding, minimal=not self.is_done)
        return True

    @property
    def is_done(self) -> bool:
        return len(self.content) == 0 or (self.stop_at < 1 and self.finding.gone >= self.stop_at)

    def halve_lines(self) -> Asking:
        """Keep only one half of the lines, as long as one is enough: the shortest way if one line alone fails.

        A half is run even if the parser finds mistakes in it: a browser, for one, reads half a page without complaint.
        """
        if self.file.bundle is not None:
            return False
        base = self.content
        places = [0, *accumulate(map(len, base.data.splitlines(keepends=True)))]
        first, last = 0, len(places) - 1
        while last - first > 1 and not self.is_done:
            middle = (first + last) // 2
            for start, end in ((first, middle), (middle, last)):
                if (yield from self.test(base, [(0, places[start], b""), (places[end], len(base), b"")])):
                    first, last = start, end
                    break
            else:
                break
        return (yield from self.checkpoint())

    def find_the_place(self) -> Asking:
        """Narrow the text to one item of a list, to one item inside of it, and so on, as long as one is enough."""
        place = 0
        while not self.is_done:
            draft = self.draft
            changes = next(islice(passes.nested_lists(draft), place, None), None)
            if changes is None:
                break
            size = len(self.content)
            yield from self.run(draft, partial(isolate, changes))
            if len(self.content) > 0.6 * size:
                if 2 * max(gain for _, gain in changes) < size:  # several large items are needed
                    break
                place += 1
        return True

    def clean(self) -> Asking:
        """Remove comments, blank lines and indentation, each at once if possible."""
        draft = self.draft
        for _, changes in passes.drop_comments(draft, 1):
            yield from self.run(draft, partial(try_list, changes, 64))
        for pattern, new in ((rb"\n[ \t\r\n]*\n", b"\n"), (rb"(?m)^[ \t]+|[ \t]+$", b""), (rb"[ \t]{2,}", b" ")):
            data, found = self.content.data, re.compile(pattern)
            spans = [(start, end) for start, end, _ in self.file.texts(data)]
            matches = (m for start, end in spans for m in found.finditer(data, start, end))
            edits = [(m.start(), m.end(), new) for m in matches if m.group() != new]
            if edits and not self.is_done and self.draft.syntax.mistakes_after(edits) <= self.draft.syntax.mistakes:
                yield from self.test(self.content, edits)
        return True

    def round(self, grain: int) -> Asking:
        """Try all passes at a grain."""
        self.stage = "parts"
        while (yield from self.proposals(passes.empty_bodies, max(1, grain // 4))):
            pass
        for part in (1, 4, 16):
            yield from self.scan(max(1, grain // part))
        makes = [passes.drop_columns, passes.empty_bodies, passes.drop_nodes, passes.replace_nodes, passes.hoist_nodes]
        if self.level == 0:
            makes.remove(passes.replace_nodes)
        for make in makes:
            self.stage = "tokens" if make is passes.replace_nodes else "parts"
            for _ in range(20):
                if not (yield from self.proposals(make, grain)):
                    break
        self.stage = "tokens"
        if grain <= 64 and self.level > 0:
            draft = self.draft
            for _, changes in passes.shorten_names(draft, grain):
                yield from self.run(draft, partial(try_list, changes, 1))
        if grain <= 64:
            for one in (*self.text_passes, passes.simplify_compressed):
                yield from self.run_text_pass(one)
        if grain <= 4 and self.level > 1:
            self.stage = "characters"
            draft = self.draft_of_characters()
            yield from self.run(draft, partial(scan, draft, grain), strict=False)
        return True

    def lower(self, grain: int) -> Asking:
        """Set digits to 0 or else 1, also the bytes of binary data; before the last grain, only those of headers.

        This saves no byte by itself, but a lower size in the header of a binary file makes most data superfluous. The
        digits of a text come last, so that a number at a limit stays there: 127 + 1 does not become 120 + 10.
        """
        self.stage, is_early = "characters", grain > 1
        for start, end, language in self.file.texts(self.content.data):
            is_binary = language == "bytes"
            if self.level < 2 or (is_early and not is_binary):
                continue
            last = min(end, start + TUNING.max_lowered) if is_early else end
            for low in (0, 1) if is_binary else b"01":
                draft = self.draft_of_characters()
                changes = passes.lower_values(draft, start, last, low)
                each = 1 if len(changes) <= TUNING.max_lowered and last == end else 2
                yield from self.run(draft, partial(try_list, changes, each), strict=False)
        return True

    def draft_of_characters(self) -> TextDraft:
        return TextDraft(self.file.characters(self.content.data), SlotKnowledge(), exact=True)

    def scan(self, grain: int) -> Asking:
        draft = self.draft
        return (yield from self.run(draft, partial(scan, draft, grain)))

    # Trying proposals

    @property
    def draft(self) -> TextDraft:
        if self._draft is None or self._draft.data is not self.content.data:
            if len(self.content) < self._learned_at // 4:  # other examples are left, and each is cheap to try
                self.knowledge, self._learned_at = SlotKnowledge(), len(self.content)
            self._draft = TextDraft(self.file.syntax(self.content.data), self.knowledge)
        return self._draft

    def proposals(self, make: passes.Pass, grain: int) -> Asking:
        """Try the lists of a pass that may be worth it, up to the first that made the text smaller."""
        draft = self.draft
        for name, changes in make(draft, grain):
            total = sum(gain for _, gain in changes)
            statistics = self.statistics[name[:2]]
            if grain > 1 and statistics.expected_share * total < grain:
                continue
            size = len(self.content)
            yield from self.run(draft, partial(try_list, changes, grain))
            statistics.add((size - len(self.content)) / total)
            if len(self.content) < size:
                return True
        return False

    def run(self, draft: TextDraft, make: Callable[[], Moves], strict: bool = True) -> Asking:
        """Try the changes of one pass over a draft. Returns True if the text became smaller.

        :param make: starts the pass; called again to predict what it asks next
        :param strict: drop changes that add mistakes without running them
        """
        if self.is_done:
            return False
        start = self.content
        accepted: Change = {}
        answers: list[bool] = []
        moves = make()
        answer: Any = None
        while not self.is_done:
            try:
                change = moves.send(answer)
            except StopIteration:
                break
            together = {**accepted, **change}
            edits = draft.edits(together)
            if strict and draft.syntax.mistakes_after(edits) > draft.syntax.mistakes:
                answer = False
            else:
                ahead = self._predict(draft, make, tuple(answers), dict(accepted), start, strict)
                answer = yield from self.test(start, edits, ahead)
            answers.append(answer)
            if answer:
                accepted = together
        if self.content is not start:
            yield from self.checkpoint()
        return self.content is not start

    def _predict(
        self,
        draft: TextDraft,
        make: Callable[[], Moves],
        answers: Sequence[bool],
        accepted: Change,
        start: Version,
        strict: bool,
    ) -> Iterator[Version]:
        """Yield the versions that the pass asks for next if nothing works any more."""
        moves = make()
        answer: Any = None
        try:
            for past in answers:
                moves.send(answer)
                answer = past
            moves.send(answer)
            for _ in range(TUNING.max_predicted):
                edits = draft.edits({**accepted, **moves.send(False)})
                if not strict or draft.syntax.mistakes_after(edits) <= draft.syntax.mistakes:
                    content = edit_content(start, edits)
                    if content.key not in self.refuted and self.is_simpler(content):
                        yield content
        except StopIteration:
            return

    def test(self, base: Version, edits: Sequence[Edit], ahead: Iterable[Version] = ()) -> Asking:
        """Try one version: ``base`` with edits. If it fails, it is the simplest so far."""
        content = edit_content(base, edits)
        if not self.is_simpler(content) or content.key in self.refuted:
            return False
        before, size = len(self.content), self.file.count(self.content.data)
        note = f"{size:,} of {self.finding.course[0][1]:,} bytes left"
        works = yield from self._count(self.trials.works(content, self.finding, note, ahead))
        if works:
            self.content = content
            self.finding = replace(self.finding, content=content)
            if len(content) < before:
                left = self.file.count(content.data)
                self.finding = replace(self.finding, course=(*self.finding.course, (self.asked, left)))
                self._note_stage(size - left)
        else:
            self.refuted.add(content.key)
        return works

    def is_simpler(self, content: Version) -> bool:
        """Return True if a version is shorter than the current one, or as long and lower."""
        return (len(content), content.data) < (len(self.content), self.content.data)

    def _count(self, asking: Asking) -> Asking:
        answers: Any = None
        while True:
            try:
                ask = asking.send(answers)
            except StopIteration as end:
                return bool(end.value)
            answers = yield replace(ask, best=self.finding)
            self.asked += len(ask.candidates)

    def _note_stage(self, removed: int) -> None:
        stages = {stage.name: stage for stage in self.finding.stages}
        known = stages.get(self.stage, Stage(self.stage, 0, 0))
        stages[self.stage] = Stage(self.stage, known.removed + removed, known.versions + 1)
        self.finding = replace(self.finding, stages=tuple(stages[name] for name in LEVELS if name in stages))

    # Flaky failures

    def checkpoint(self) -> Asking:
        """Go back to the last confirmed version if the current one fails too rarely."""
        if len(self.content) > (1 - TUNING.checkpoint_gain) * len(self.confirmed):
            return True
        return (yield from self._confirm(TUNING.checkpoint_confidence))

    def _confirm(self, confidence: float) -> Asking:
        if (yield from self._count(self.trials.confirm(self.content, self.finding, confidence))):
            self.confirmed = self.content
            self.checkpoints.append(self.content)
            return True
        self.content = self.confirmed
        self.finding = replace(self.finding, content=self.confirmed)
        return False

    def finish(self, confidence: float) -> Search[Version, FileReduction]:
        """Return the finding, with the proof of its rate for a flaky failure.

        The smallest of many versions may have been confirmed by luck. So new runs prove its rate; if they do not, the
        search goes back to the version that was confirmed before it.
        """
        earlier = [one for one in self.checkpoints[::-1] if one != self.content][: TUNING.max_steps_back]
        for version in [self.content, *earlier]:
            self.trials.start_over(version)
            if (yield from self._count(self.trials.confirm(version, self.finding, confidence))):
                if version != self.content:
                    self.content = version
                    self.finding = replace(self.finding, content=version, minimal=False)
                break
        else:
            self.finding = replace(self.finding, minimal=False)
        if (proof := self.trials.proof(self.content)) is not None:
            rate, chance = proof
            shown = chance if chance >= confidence else None
            self.finding = replace(self.finding, result=rate, confidence=shown)
        return self.finding

    # Passes that rewrite a whole text

    def run_text_pass(self, one: TextPass) -> Asking:
        """Try the texts of a pass; after one that fails, those that it yields for this text."""
        again = True
        while again and not self.is_done:
            again, start = False, self.content
            for edit in self._edits_of(one, start.data):
                if (yield from self.test(start, [edit])):
                    again = True
                    break
        return True

    def _edits_of(self, one: TextPass, data: bytes) -> Iterator[Edit]:
        """Yield what a pass proposes for the file, or for each member of a bundle."""
        for first, last, language in self.file.texts(data):
            for new in _call_pass(one, data[first:last], language):
                start, end, instead = difference(data[first:last], new)
                if self.file.can_hold(instead):
                    yield first + start, first + end, instead


def _call_pass(one: TextPass, text: bytes, language: str) -> Iterator[bytes]:
    """Yield the texts of a pass. Raises InputError with its name if it fails."""
    try:
        for new in one(text, language):
            if not isinstance(new, bytes):
                raise TypeError(f"it yields {type(new).__name__}, not bytes")
            yield new
    except Exception as error:  # a pass of a user may raise anything
        name = getattr(one, "__qualname__", type(one).__name__)
        said = f"{type(error).__name__}: {error}"
        raise InputError(f"the pass {name} of {one.__module__} ended with {said}") from error


def edit_content(content: Version, edits: Sequence[Edit]) -> Version:
    """Return a content changed by edits of its bytes; the edits must be sorted and not overlap."""
    pieces: list[Piece] = []
    rest = _PieceReader(content.pieces)
    at = 0
    for start, end, new in [*edits, (len(content), len(content), b"")]:
        pieces += rest.take(start - at)
        rest.take(end - start)
        at = end
        if new:
            pieces.append(new)
    return Version(apply_edits(content.data, edits), _join(pieces), content.of, content.convert)


class _PieceReader:
    """Pieces from which bytes are taken from the front."""

    def __init__(self, pieces: Iterable[Piece]) -> None:
        self.pieces = list(pieces)[::-1]

    def take(self, count: int) -> list[Piece]:
        taken: list[Piece] = []
        while count > 0:
            piece = self.pieces.pop()
            if isinstance(piece, bytes):
                first: Piece = piece[:count]
                if len(piece) > count:
                    self.pieces.append(piece[count:])
                count -= min(count, len(piece))
            else:
                start, end = piece
                first = (start, min(end, start + count))
                if end - start > count:
                    self.pieces.append((start + count, end))
                count -= min(count, end - start)
            taken.append(first)
        return taken


def _join(pieces: Iterable[Piece]) -> Iterator[Piece]:
    last: Piece | None = None
    for piece in pieces:
        if last is not None and isinstance(last, bytes) and isinstance(piece, bytes):
            last += piece
        elif last is not None and not isinstance(last, bytes) and not isinstance(piece, bytes) and last[1] == piece[0]:
            last = (last[0], piece[1])
        else:
            if last is not None:
                yield last
            last = piece
    if last is not None:
        yield last


def difference(old: bytes, new: bytes) -> Edit:
    """Return the edit that turns one text into the other."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return start, len(old) - end, new[start : len(new) - end]
