"""Reduce a file from coarse to fine: the models of a world or the messages of a recording first, then its text.

Both are searches of their own, one after the other over the same lab and store. The finding tells both: which models
are enough, and what is left of the file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rootward.errors import InputError
from rootward.formats.documents.whole_file import WholeFile
from rootward.search.ask import Answers, Ask, Search
from rootward.search.relay import relay
from rootward.searches.reduction.files.file_reduction import LEVELS, FileReduction
from rootward.searches.reduction.files.shrink import difference, shrink
from rootward.searches.reduction.reduction import Reduction
from rootward.searches.reduction.sieve import sieve
from rootward.searches.reduction.task import Task
from rootward.space.candidate import Piece, Selection, Version


@dataclass(frozen=True)
class CoarseToFine:
    """A file to reduce, and the document of its coarse parts if it has any, such as the models of a world."""

    file: WholeFile
    document: Any = None
    task: Task[Any] | None = field(default=None, repr=False)

    @property
    def path(self) -> Path:
        return self.file.path

    @property
    def noun(self) -> str:
        return self.file.noun

    @property
    def reduced_path(self) -> Path:
        return self.file.reduced_path

    def __len__(self) -> int:
        return len(self.file)

    @property
    def failing(self) -> Any:
        """The candidate that is known to fail."""
        return self.file.original if self.task is None else self.task.elements.all

    @property
    def empty(self) -> Version | None:
        """The empty version; None if the file itself is empty."""
        return self.file.content(b"", ()) if len(self.file) else None

    def prepare(
        self, trajectory: Sequence[Sequence[float]], supports: Callable[[Sequence[Any]], Collection[int]] | None
    ) -> CoarseToFine:
        """Return the same with the task of its coarse parts."""
        if self.document is None or len(self.document) < 2:
            return replace(self, document=None)
        return replace(self, task=Task.of(self.document, trajectory=trajectory, supports=supports))

    def search(
        self,
        *,
        flaky: bool,
        replays: bool,
        until: str = LEVELS[-1],
        stop_at: float = 1.0,
        share: float = 0.5,
        confidence: float = 0.95,
        passes: Sequence[Any] = (),
    ) -> Search[Any, FileReduction]:
        if until not in LEVELS:
            raise InputError(f"until must be one of {', '.join(LEVELS)}, not {until!r}")
        if not 0 < stop_at <= 1:
            raise InputError(f"stop_at must be a share of the bytes, above 0 and at most 1, not {stop_at!r}")
        options: dict[str, Any] = {"flaky": flaky, "share": share, "confidence": confidence}
        fine = {**options, "until": until, "stop_at": stop_at, "passes": passes}
        if self.task is None:
            return shrink(self.file, **fine)
        return self._search_both(options if flaky else {}, fine, replays)

    def _search_both(self, options: dict[str, Any], fine: dict[str, Any], replays: bool) -> Search[Any, FileReduction]:
        assert self.task is not None
        coarse = self.task.search(sieve, **options, replays=replays if options else None)
        parts: Reduction[Any] = yield from relay(coarse, self._tell)
        if not parts.is_trusted:
            return self._finding_of(parts)
        start = self._content_of(parts.selection)
        rate = parts.original if options else None
        return (yield from shrink(self.file, start=start, original_rate=rate, parts=parts, **fine))

    def _tell(self, ask: Ask[Any]) -> Generator[Ask[Any], Answers, Answers]:
        return (yield replace(ask, best=self._finding_of(ask.best)))

    def _finding_of(self, parts: Reduction[Any]) -> FileReduction:
        file = self.file
        return FileReduction(
            original=file.original,
            content=self._content_of(parts.selection),
            name=file.path.name,
            language=file.language,
            parts=parts,
            before=parts.original,
            result=parts.result,
            share=parts.share,
            confidence=parts.confidence,
        )

    def _content_of(self, selection: Selection[Any]) -> Version:
        if len(selection) == len(selection.elements):
            return self.file.original
        data = self.document.render(selection.items)
        split = getattr(self.document, "passages", None) or self.document.split_text
        return self.file.content(data, _pieces(self.file.data, data, split(set(selection.kept))))


def as_whole_file(given: Path | WholeFile) -> WholeFile:
    return given if isinstance(given, WholeFile) else WholeFile(given)


def _pieces(old: bytes, new: bytes, passages: Iterable[tuple[str, bool]]) -> list[Piece]:
    """Return what is left of the old text in the new one."""
    at, spans = 0, list[Piece]()
    for text, kept in passages:
        size = len(text.encode("utf-8", "surrogatepass"))
        if kept and size:
            spans.append((at, at + size))
        at += size
    if b"".join(old[span[0] : span[1]] for span in spans if isinstance(span, tuple)) == new:
        return spans
    start, end, instead = difference(old, new)  # the file is not UTF-8, or values were written anew
    pieces: list[Piece] = [(0, start), instead, (end, len(old))]
    return [piece for piece in pieces if (len(piece) if isinstance(piece, bytes) else piece[1] > piece[0])]
