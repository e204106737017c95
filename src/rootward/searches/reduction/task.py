"""The task of a reduction: the elements, their positions, the elements to keep, and how much to remove."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Generic, TypeVar

from rootward.errors import InputError
from rootward.search.ask import Search
from rootward.searches.reduction.course import track_course
from rootward.searches.reduction.reduction import Reduction
from rootward.searches.reduction.surroundings import Positions, Surroundings
from rootward.space.candidate import Elements, Selection

E = TypeVar("E")


@dataclass(frozen=True)
class Task(Generic[E]):
    """A list to reduce, with everything that any method may need."""

    elements: Elements[E]
    surroundings: Surroundings
    stop_at: float = 1.0
    require: tuple[frozenset[int], ...] = ()
    """Sets of elements; without at least one element of each set, the subject cannot fail."""

    @classmethod
    def of(
        cls,
        elements: Iterable[E] | Elements[E],
        *,
        keep: Collection[E | str] = (),
        positions: Positions = None,
        trajectory: Sequence[Sequence[float]] = (),
        stop_at: float = 1.0,
        supports: Callable[[Sequence[E]], Collection[int]] | None = None,
    ) -> Task[E]:
        """Check the user's input and build the task.

        ``supports`` returns the numbers of the elements that carry the robot, such as the floor.
        """
        if not _is_share(stop_at):
            raise InputError(f"stop_at must be a share of the elements, above 0 and at most 1, not {stop_at!r}")
        if not isinstance(elements, Iterable | Elements):
            raise InputError(f"the elements must be a list, not {elements!r:.80}")
        listed = elements if isinstance(elements, Elements) else _wrap_elements(elements)
        if keep:
            wanted = [keep] if isinstance(keep, str) else keep
            pinned = listed.pinned.union(*(_find_named(listed, one) for one in wanted))
            listed = Elements(
                listed.items, listed.noun, pinned=pinned, parents=listed.parents, passages=listed.passages
            )
        around = Surroundings.of(listed.items, positions, trajectory)
        under = frozenset(supports(listed.items)) if supports else frozenset()
        return cls(listed, around, stop_at, (under,) if under else ())

    def search(
        self, method: Callable[..., Search[Selection[E], Reduction[E]]], **options: Any
    ) -> Search[Selection[E], Reduction[E]]:
        """Return the search of ``method`` on this list. Options that are None count as not given."""
        parameters = inspect.signature(method).parameters
        given = {name: value for name, value in options.items() if value is not None}
        if unknown := sorted(given.keys() - parameters.keys() - {"seed"}):
            raise InputError(f"the method {method.__name__} has no option {unknown[0]}")
        for name in given.keys() & {"share", "confidence"}:
            if not given.get("flaky"):
                raise InputError(f"{name} applies only to flaky failures: set flaky, too")
            if not _is_share(given[name]) or (name == "confidence" and given[name] == 1):
                limit = "below 1" if name == "confidence" else "at most 1"
                raise InputError(f"{name} must be above 0 and {limit}, not {given[name]!r}")
        given |= {"surroundings": self.surroundings, "require": self.require, "stop_at": self.stop_at}
        accepted = {name: value for name, value in given.items() if name in parameters}
        return track_course(method(self.elements, **accepted), stop_at=self.stop_at)


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and 0 < value <= 1


def _wrap_elements(elements: Iterable[E]) -> Elements[E]:
    """Return the elements of a list or a document.

    A document also knows the noun, parents and passages of its parts.
    """
    parents, passages = (getattr(elements, name, None) for name in ("parents", "passages"))
    return Elements(elements, getattr(elements, "noun", "element"), parents=parents, passages=passages)


def _name_of(item: object) -> str:
    """Return the name of an element; of a line or word, its text."""
    return item.decode("utf-8", "replace").rstrip("\r\n") if isinstance(item, bytes) else str(item)


def _find_named(elements: Elements[E], wanted: E | str) -> list[int]:
    """Return the numbers of the elements that ``wanted`` means.

    ``wanted`` is an element, a name, or a pattern such as ``wall_*``. A pattern is only tried if nothing else fits.
    """
    names = [_name_of(item) for item in elements.items]
    called = [getattr(item, "called", "") for item in elements.items]
    found = [i for i, item in enumerate(elements.items) if item is wanted or _name_of(wanted) in (names[i], called[i])]
    if not found and isinstance(wanted, str):
        found = [i for i, name in enumerate(names) if fnmatchcase(name, wanted)]
    if not found:
        raise InputError(f"no {elements.noun} to keep is named {wanted!s:.80}, or matches it")
    return found
