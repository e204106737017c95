"""What a reduction is asked to do: the elements, where they are, what has to stay, how small is small enough."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Generic, TypeVar

from rootward.errors import InputError
from rootward.search.ask import Search
from rootward.searches.reduction.course import followed
from rootward.searches.reduction.reduction import Reduction
from rootward.searches.reduction.surroundings import Positions, Surroundings
from rootward.space.candidate import Elements, Selection

E = TypeVar("E")


@dataclass(frozen=True)
class Task(Generic[E]):
    """One list to reduce, for any method."""

    elements: Elements[E]
    surroundings: Surroundings
    stop_at: float = 1.0
    require: tuple[frozenset[int], ...] = ()
    """Of each of these sets, at least one element has to stay for anything to happen at all."""

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
        """``supports`` gives the numbers of the elements that carry whoever moves among them."""
        if not _is_share(stop_at):
            raise InputError(f"stop_at is a share of the elements, above 0 and up to 1, not {stop_at!r}")
        if not isinstance(elements, Iterable | Elements):
            raise InputError(f"the elements are a list, not {elements!r:.80}")
        listed = elements if isinstance(elements, Elements) else _listed(elements)
        if keep:
            wanted = [keep] if isinstance(keep, str) else keep
            pinned = listed.pinned.union(*(_named(listed, one) for one in wanted))
            listed = Elements(
                listed.items, listed.noun, pinned=pinned, parents=listed.parents, passages=listed.passages
            )
        around = Surroundings.of(listed.items, positions, trajectory)
        under = frozenset(supports(listed.items)) if supports else frozenset()
        return cls(listed, around, stop_at, (under,) if under else ())

    def search(
        self, method: Callable[..., Search[Selection[E], Reduction[E]]], **options: Any
    ) -> Search[Selection[E], Reduction[E]]:
        """The method on this list, with those of the options that were given: None means that it was not."""
        takes = inspect.signature(method).parameters
        given = {name: value for name, value in options.items() if value is not None}
        if strange := sorted(given.keys() - takes.keys() - {"seed"}):
            raise InputError(f"{method.__name__} has no option {strange[0]}")
        for name in given.keys() & {"share", "confidence"}:
            if not given.get("flaky"):
                raise InputError(f"{name} is for failures that do not show every time: flaky=True says so")
            if not _is_share(given[name]) or (name == "confidence" and given[name] == 1):
                most = "below 1" if name == "confidence" else "up to 1"
                raise InputError(f"{name} is above 0 and {most}, not {given[name]!r}")
        given |= {"surroundings": self.surroundings, "require": self.require, "stop_at": self.stop_at}
        accepted = {name: value for name, value in given.items() if name in takes}
        return followed(method(self.elements, **accepted), stop_at=self.stop_at)


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and 0 < value <= 1


def _listed(elements: Iterable[E]) -> Elements[E]:
    """A list, or a document, which knows what its parts are called and which lie in which."""
    parents, passages = (getattr(elements, name, None) for name in ("parents", "passages"))
    return Elements(elements, getattr(elements, "noun", "element"), parents=parents, passages=passages)


def _named(elements: Elements[E], wanted: E | str) -> list[int]:
    """The elements that are meant: this one, or all whose name is this or matches this pattern (``wall_*``)."""
    names = list(map(str, elements.items))
    called = [getattr(item, "called", "") for item in elements.items]
    found = [i for i, item in enumerate(elements.items) if item is wanted or str(wanted) in (names[i], called[i])]
    if not found and isinstance(wanted, str):
        found = [i for i, name in enumerate(names) if fnmatchcase(name, wanted)]
    if not found:
        raise InputError(f"there is no {elements.noun} {wanted!s:.80} to keep")
    return found
