"""Cover: choose the changes of the model that explain the groups of faults, with the fewest assumptions.

A change explains a group if its shortest traces conform to the changed model. Usually several do, so the
choice is a covering problem. Each change has a price, by its rank: one forgotten update is a smaller assumption than
the same mistake in all components. The change that explains most groups for its price is chosen first, then the one
that explains most of the rest, until every group that can be explained is. So one wrong rule of all services costs less
than a separate cause for each service, but two bugs are not joined by a change that either of them refutes.

Faults that are alike may still have two causes, so the other traces of a group are then compared with the changes that
were chosen: those that refute them become a group of their own, and the choice is made again.

What is left needs further changes: something sets a variable that it should not, or a change applies only in one mode.
There are many of these, so they are tried only now; the choice is then made again. Changes that allow almost anything
come last, rank by rank.

Of changes that explain the same groups at the same price, the one that fewer conforming traces refute is better: a
change says what *always* happens. Conforming traces cannot do more than that, since they may be of another unit, or
another version, that does not have the bug. So a change that costs more and is not refuted is only told beside. If that
does not decide, both are told, "as if this, or as if that", with what to record next to tell them apart (`deciding`).
The same is told of a group that two chosen changes explain equally well. Finally, if several chosen changes do the same
at different places, one that does it at all of them is a better guess: "as if no identifier were echoed" rather than
one cause for each identifier.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from rootward.traces.examine import Examiner
from rootward.traces.fault import Fault
from rootward.traces.grouping.conditional import conditional_mutants, find_modes
from rootward.traces.grouping.deciding import Decision, find_decision
from rootward.traces.grouping.effects import extra_write_mutants
from rootward.traces.grouping.mutant import CONDITIONAL, ROUGH, SPANNING, FaultCause, Mutant
from rootward.traces.model.event import Trace

PRICES = (0, 4, 5, 6, 7, 9)
"""The price of a change, by its rank, for the ranks up to CONDITIONAL. Two causes must cost more than one wider cause,
and one cause less than one wider cause; beyond that the prices hardly matter."""
MIN_REFUTING = 3
"""Minimum number of conforming traces that refute a change before another one is told that none refutes."""
MAX_EXAMPLES = 3
"""Maximum number of traces of a group that a change is tried on before it is chosen: the shortest."""
MAX_SPLITS = 4
"""Maximum number of times that groups are split and the choice is made again."""
MAX_TIED = 4
"""Maximum number of equally good changes that are told apart."""
MIN_SUPPORT = 3
"""Minimum number of traces that support a change in one mode if a change without a mode explains them, too."""
Pair = tuple[Trace, Fault]
"""A trace of a group and its fault."""
Names = tuple[str, ...]
Worth = tuple[float, int]


@dataclass(frozen=True)
class GroupCause:
    """The changes that explain a group, the better first, or equally good ones."""

    causes: tuple[FaultCause, ...] = ()
    contradicted: int = 0
    """Number of conforming traces that refute the first."""
    unrefuted: tuple[FaultCause, ...] = ()
    """The changes that explain the group, too, and that no conforming trace refutes, if several refute the first."""
    decisions: tuple[Decision, ...] = ()
    """The recordings that would tell the causes apart."""


class GroupPart(NamedTuple):
    """Traces of a group that have the same explanation."""

    group: int
    """The number of the group."""
    pairs: Sequence[Pair]
    explanation: GroupCause | None
    untried: frozenset[tuple[str, str]] = frozenset()
    """The paths and names of the traces on which the first cause was not tried."""


def cover(examiner: Examiner, groups: Sequence[Sequence[Pair]], conforming: Sequence[Trace] = ()) -> list[GroupPart]:
    """Return the explanations of groups of faults, each given by some of its traces, the shortest first."""
    return _Cover(examiner, groups, conforming).choose()


class _Cover:
    """Chooses the changes that explain the groups (see the top of this file).

    A *place* is the number of a group, or of a part that was split off a group.
    """

    def __init__(self, examiner: Examiner, groups: Sequence[Sequence[Pair]], conforming: Sequence[Trace]) -> None:
        self._examiner, self._conforming = examiner, conforming
        self._groups = [list(pairs) for pairs in groups]
        self._origins = list(range(len(groups)))
        """The number of the group of each place."""
        self._conforms_to: dict[tuple[str, int], bool] = {}
        self._refuting: dict[str, int] = {}
        self._changes: dict[str, Mutant] = {}
        self._candidates: list[set[str]] = [set() for _ in groups]
        self._further: set[int] = set()
        """The places for which further candidates were added."""

    def choose(self) -> list[GroupPart]:
        for place in range(len(self._groups)):
            self._add_candidates(place)
        found = self._choose_specific()
        for _ in range(MAX_SPLITS):
            if not self._split(found):
                break
            found = self._choose_specific()
        for rank in sorted({one.rank for one in self._changes.values() if one.rank > CONDITIONAL}):
            found |= self._choose_at_rank(rank, [place for place in self._places if place not in found])
        self._widen(found)
        self._join_weak_conditions(found)
        explanations = {names: self._describe(names, places) for names, places in _group_places(found).items()}
        return [
            GroupPart(
                self._origins[place],
                self._groups[place],
                explanations.get(names := found.get(place, ())),
                self._find_untried(names[0], place) if names else frozenset(),
            )
            for place in self._places
        ]

    def _find_untried(self, name: str, place: int) -> frozenset[tuple[str, str]]:
        """Return the traces of a group that a change was not tried on."""
        traces = [trace for trace, _ in self._groups[place] if (name, id(trace)) not in self._conforms_to]
        return frozenset((trace.path, trace.name) for trace in traces)

    @property
    def _places(self) -> range:
        return range(len(self._groups))

    def _describe(self, names: Names, places: Sequence[int]) -> GroupCause:
        causes, unrefuted = (
            tuple(self._changes[name].cause for name in some) for some in (names, self._find_unrefuted(names, places))
        )
        return GroupCause(causes, self._count_refuting(names[0]), unrefuted, tuple(self._find_decisions(names, places)))

    def _find_decisions(self, names: Names, places: Sequence[int]) -> Iterator[Decision]:
        """Yield what to record to tell the first change from each other one."""
        traces = [*self._conforming, *(trace for place in places for trace, _ in self._groups[place])]
        first, *others = [self._examiner.change_engine(self._changes[name])[0] for name in names[:MAX_TIED]]
        for number, other in enumerate(others, 1):
            if found := find_decision((first, other), traces):
                yield replace(found, causes=(0, number))

    def _choose_specific(self) -> dict[int, Names]:
        """Choose among the changes up to rank CONDITIONAL, with further candidates for groups that have none."""
        found = self._choose_cheapest(self._places)
        left = {place for place in self._places if place not in found} - self._further
        if left:
            self._add_further_candidates(sorted(left))
            found = self._choose_cheapest(self._places)
        if self._offer_everywhere({name for names in found.values() for name in names}):
            found = self._choose_cheapest(self._places)
        return found

    def _offer_everywhere(self, names: Iterable[str]) -> bool:
        """Make the changes of all services that were chosen candidates for all groups, and return whether one is new.

        Such a change may show where nothing of the fault hints at it, and it is paid for already.
        """
        ranks = {name: self._changes[self._changes[name].base or name].rank for name in names}
        spanning = {name for name, rank in ranks.items() if rank == SPANNING}
        new = any(not spanning <= candidates for candidates in self._candidates)
        for candidates in self._candidates:
            candidates |= spanning
        return new

    def _split(self, found: Mapping[int, Names]) -> bool:
        """Split the groups of which some traces refute all changes that were chosen, and return whether there are any.

        A group without a change is split by the changes that were chosen for others.
        """
        every = sorted({name for names in found.values() for name in names}, key=lambda name: (self._cost(name), name))
        before = len(self._groups)
        for place in range(before):
            names = [name for name in found.get(place, every) if name in self._candidates[place]]
            parts: dict[str, list[Pair]] = defaultdict(list)
            for trace, fault in self._groups[place]:
                first = next((name for name in names if self._conforms(name, trace)), "")
                parts[first if place not in found else str(bool(first))].append((trace, fault))
            biggest = max(parts, key=lambda part: (len(parts[part]), part))
            self._groups[place] = parts.pop(biggest)
            for _, pairs in sorted(parts.items()):
                self._groups.append(pairs)
                self._origins.append(self._origins[place])
                self._candidates.append(set(self._candidates[place]))
                self._add_candidates(len(self._groups) - 1)
        return len(self._groups) > before

    # Candidates

    def _examples(self, place: int) -> list[Pair]:
        return self._groups[place][:MAX_EXAMPLES]

    def _add_candidates(self, place: int) -> None:
        """Find the changes that might explain a group. Of two with the same name, the lower rank is kept."""
        for trace, fault in self._examples(place):
            for one in self._examiner.mutants(fault, self._examiner.find_witness(trace, fault)):
                self._add(one, place)

    def _add(self, one: Mutant, place: int) -> None:
        old = self._changes.get(one.name, one)
        wider = tuple(sorted({*old.wider, *one.wider}))
        self._changes[one.name] = replace(old, rank=min(old.rank, one.rank), wider=wider)
        self._candidates[place].add(one.name)

    def _add_further_candidates(self, places: Sequence[int]) -> None:
        """Find further changes for the groups that are not explained. A change that explains one of them is tried on
        all groups that it may concern."""
        found: set[str] = set()
        self._further |= set(places)
        for place in places:
            trace, fault = self._groups[place][0]
            witness = self._examiner.find_witness(trace, fault)
            bases = [self._changes[name] for name in sorted(self._candidates[place])]
            bases = [one for one in bases if one.rank <= SPANNING and self._examiner.allows_fault(one, fault, witness)]
            some = list(extra_write_mutants(self._examiner.engine, fault, witness))
            modes = find_modes(self._examiner.engine, fault, witness)
            some += [one for base in bases for one in conditional_mutants(base, modes)]
            for one in some:
                self._add(one, place)
            found |= {one.name for one in some if one.base and self._explains(one.name, place)}
        for name in found:
            self._add_where_base_is(name)

    def _add_where_base_is(self, name: str) -> None:
        """Make a conditional change a candidate wherever the same change without its condition is one."""
        for names in self._candidates:
            if self._changes[name].base in names:
                names.add(name)

    def _explains(self, name: str, place: int) -> bool:
        """Return whether a change is a candidate for a group and the examples of the group conform to it."""
        return name in self._candidates[place] and all(
            self._conforms(name, trace) for trace, _ in self._examples(place)
        )

    def _conforms(self, name: str, trace: Trace) -> bool:
        key = name, id(trace)
        if key not in self._conforms_to:
            self._conforms_to[key] = self._examiner.conforms(self._changes[name], trace)
        return self._conforms_to[key]

    def _count_refuting(self, name: str) -> int:
        """Return the number of conforming traces that refute a change."""
        if name not in self._refuting:
            conforms, mutant = self._examiner.conforms, self._changes[name]
            self._refuting[name] = sum(not conforms(mutant, trace) for trace in self._conforming)
        return self._refuting[name]

    # Choice

    def _choose_cheapest(self, places: Iterable[int]) -> dict[int, Names]:
        some = [one for one in self._changes.values() if one.rank <= CONDITIONAL]
        return self._choose(some, places)

    def _choose_at_rank(self, rank: int, places: Iterable[int]) -> dict[int, Names]:
        return self._choose([one for one in self._changes.values() if one.rank == rank], places)

    def _choose(self, changes: Iterable[Mutant], places: Iterable[int]) -> dict[int, Names]:
        """Return the cheapest of some changes that explain each group, and as few different ones as are needed."""
        needed = self._select_needed([one.name for one in changes], set(places))
        self._drop_redundant(needed)
        found = {}
        for place in set().union(*needed.values()):
            names = [name for name, explained in needed.items() if place in explained]
            least = min(map(self._price, names))
            found[place] = tuple(sorted(name for name in names if self._price(name) == least))
        return found

    def _drop_redundant(self, needed: dict[str, set[int]]) -> None:
        """Drop the changes whose groups are all explained by others that are chosen, the most expensive first.

        Changes that explain the same are dropped together or not at all.
        """
        for name in sorted(needed, key=lambda one: (-self._price(one), len(needed[one]), one)):
            if name in needed:
                others = [places for places in needed.values() if places != needed[name]]
                if needed[name] <= set().union(*others):
                    for same in [one for one, places in needed.items() if places == needed[name]]:
                        del needed[same]

    def _price(self, name: str) -> int:
        return PRICES[min(self._changes[name].rank, CONDITIONAL)]

    def _select_needed(self, names: Sequence[str], left: set[int]) -> dict[str, set[int]]:
        """Choose changes until all groups are explained, always the one that explains most of the rest for its price.

        Changes that are as good as a chosen one are chosen with it. Returns the groups that each explains. A change is
        tried on a group only while it would be the best if it explained all others that it is a candidate for.
        """
        hopes = {name: {place for place in left if name in self._candidates[place]} for name in names}
        queue = [(self._worth(name, hopes[name]), name) for name in names]
        heapq.heapify(queue)
        needed: dict[str, set[int]] = {}
        while left:
            best = self._pop_best(queue, hopes, left)
            if not best:
                return needed
            for name in best:
                hopes[name] = {place for place in hopes[name] if self._explains(name, place)}
            least = min(self._changes[name].size for name in best)
            best_known = max(len(hopes[name]) for name in best if self._changes[name].size == least)
            some = [name for name in best if (self._changes[name].size, len(hopes[name])) == (least, best_known)]
            some = self._prefer_unrefuted(some)
            first = max(some)
            for name in some:
                if name == first or self._is_as_good(name, first, hopes):
                    needed[name] = hopes[name]
            left = left - hopes[first]
            for name in best:
                heapq.heappush(queue, (self._worth(name, hopes[name] & left), name))
        return needed

    def _pop_best(self, queue: list[tuple[Worth, str]], hopes: dict[str, set[int]], left: set[int]) -> list[str]:
        """Remove the changes that are worth most from the queue, and return them; none if nothing is left to explain.

        The worth of the others in the queue is an upper bound.
        """
        best: list[str] = []
        most: Worth = (0.0, 0)
        while queue and (not best or queue[0][0] <= most):
            bound, name = heapq.heappop(queue)
            worth = self._worth(name, hopes[name] & left)
            if not worth[1]:
                continue
            if worth > bound:
                heapq.heappush(queue, (worth, name))
            elif (wrong := next((p for p in sorted(hopes[name] & left) if not self._explains(name, p)), None)) is None:
                best.append(name)
                most = worth
            else:
                hopes[name].remove(wrong)
                heapq.heappush(queue, (self._worth(name, hopes[name] & left), name))
        return best

    def _is_as_good(self, name: str, first: str, explained: Mapping[str, set[int]]) -> bool:
        """Return whether both changes explain the same as specifically. Those that allow almost anything never are."""
        one, two = self._changes[name], self._changes[first]
        return one.size == two.size and one.rank <= ROUGH and explained[name] == explained[first]

    def _worth(self, name: str, places: set[int]) -> Worth:
        """Return the groups for the price, and the faults, both negative: the smallest is worth most."""
        return -len(places) / self._price(name), -sum(len(self._groups[place]) for place in places)

    def _prefer_unrefuted(self, names: list[str]) -> list[str]:
        """Return the changes that the fewest conforming traces refute."""
        if len(names) == 1:
            return names
        least = min(map(self._count_refuting, names))
        return [name for name in names if self._count_refuting(name) == least]

    def _find_unrefuted(self, names: Names, places: Sequence[int]) -> Names:
        """Return the cheapest changes that explain some groups and that no conforming trace refutes.

        Empty if the changes ``names``, which were chosen, are refuted by fewer than MIN_REFUTING traces. Among those
        tried is the same change only in the mode in which the faults occurred.
        """
        first = self._changes[names[0]]
        if first.rank > CONDITIONAL or self._count_refuting(first.name) < MIN_REFUTING:
            return ()
        if not first.base:
            _, fault = self._groups[places[0]][0]
            for one in conditional_mutants(first, dict(fault.modes)):
                self._add(one, places[0])
                self._add_where_base_is(one.name)
        others = [name for name in self._candidates[places[0]] if self._changes[name].rank <= CONDITIONAL]
        for _, some in groupby(sorted(others, key=self._cost), key=self._cost):
            found = [name for name in some if all(self._explains(name, place) for place in places)]
            found = [name for name in found if all(self._conforms(name, trace) for trace in self._conforming)]
            found = [name for name in found if all(self._explains_all(name, place) for place in places)]
            if found:
                return tuple(sorted(found))
        return ()

    def _explains_all(self, name: str, place: int) -> bool:
        """Return whether a change is a candidate for a group and all traces of the group conform to it."""
        return self._explains(name, place) and all(self._conforms(name, trace) for trace, _ in self._groups[place])

    def _cost(self, name: str) -> tuple[int, int]:
        return self._price(name), self._changes[name].size

    # Wider changes

    def _widen(self, chosen: dict[int, Names]) -> None:
        """Replace changes that do the same at different places by one change that does it at all of them.

        A change above rank SPANNING explains too much to be chosen only for this. It is used if it was already chosen
        for some group.
        """
        above = {name: self._wider_names(name) for name in self._changes}
        wide = {name for one in self._changes.values() for name in one.wider}
        for name in sorted(wide & self._changes.keys(), key=lambda one: (-len(above[one]), one)):
            if self._changes[name].rank <= SPANNING or (name,) in chosen.values():
                self._join(name, {one for one, wider in above.items() if name in wider}, chosen)

    def _join(self, name: str, some: set[str], chosen: dict[int, Names]) -> None:
        """Join classes into one class that is explained by change ``name``.

        Joins the classes whose changes are all in ``some``, and those that ``name`` is one of the changes of, provided
        that ``name`` explains all their groups.
        """
        parts = _group_places(chosen)
        alike = [names for names in parts if name in names or some >= set(names)]
        explained = [names for names in alike if all(self._explains(name, place) for place in parts[names])]
        if len(alike) > 1 and len(explained) > 1:
            chosen.update({place: (name,) for names in explained for place in parts[names]})
        elif len(alike) > 1 and self._changes[name].rank <= SPANNING:
            self._join_in_mode(name, {names: parts[names] for names in alike}, chosen)

    def _join_in_mode(self, name: str, parts: Mapping[Names, Sequence[int]], chosen: dict[int, Names]) -> None:
        """Join classes into one that change ``name`` explains in one mode, if that costs less than their changes."""
        places = [place for some in parts.values() for place in some]
        _, fault = self._groups[places[0]][0]
        for one in conditional_mutants(self._changes[name], dict(fault.modes)):
            for place in places:
                self._add(one, place)
            explained = [
                names for names, some in parts.items() if all(self._explains_all(one.name, place) for place in some)
            ]
            if sum(self._price(names[0]) for names in explained) > self._price(one.name):
                chosen.update({place: (one.name,) for names in explained for place in parts[names]})
                return

    def _join_weak_conditions(self, chosen: dict[int, Names]) -> None:
        """Replace a change in one mode that few traces support, and another change, by one that explains both.

        That a bug shows now and then is then more likely than a mode in which it does.
        """
        for names, places in _group_places(chosen).items():
            first = self._changes[names[0]]
            if first.rank != CONDITIONAL or sum(len(self._groups[place]) for place in places) >= MIN_SUPPORT:
                continue
            options = []
            for name in sorted({name for place in places for name in self._candidates[place]}):
                if self._changes[name].rank == ROUGH and all(self._explains_all(name, place) for place in places):
                    joined = [
                        place
                        for others, some in _group_places(chosen).items()
                        if others != names and all(self._explains_all(name, place) for place in some)
                        for place in some
                    ]
                    options.append((len(joined), name, joined))
            count, name, joined = max(options, default=(0, "", []))
            if count:
                chosen.update(dict.fromkeys([*places, *joined], (name,)))

    def _wider_names(self, name: str) -> set[str]:
        """Return the names of all changes that are wider than this one, directly or through others."""
        found: set[str] = set()
        new = [name]
        while new:
            one = new.pop()
            more = set(self._changes[one].wider if one in self._changes else ()) - found
            found |= more
            new += more
        return found


def _group_places(chosen: Mapping[int, Names]) -> dict[Names, list[int]]:
    """Return the numbers of the groups by the changes that were chosen for them."""
    found: dict[Names, list[int]] = defaultdict(list)
    for place, names in chosen.items():
        found[names].append(place)
    return found
