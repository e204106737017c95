"""Cells: what the ECU remembers, and which exchanges change it.

A cell is observed now and then: by an answer that returns its value, or by an answer that depends on it (a refusal with
"request sequence error" shows a state, too). Between two observations lies a *segment*: the value before, some events,
the value after. Events are answers (by service, sub-function or identifier, and result) and the end of a session. Most
events change nothing. The few that do have an effect: they set the cell to a constant, to the data of the request or of
the answer, or to the successor of its value (a counter).

The effects are found greedily. As long as some segment is predicted wrongly, each event in such segments is tried with
each effect that would explain it, and the one that repairs most segments, and breaks fewest, is kept. In the end, each
effect that is not needed any more is dropped. So a cell has few effects, and every one of them repairs something.

Two kinds of events leave a cell open: its value is not known after them. Events in segments that are still predicted
wrongly, because they do something that was seen too rarely to say what. And changes of sessions and resets after which
a changed value was never observed: whether they clear it, nobody has seen.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

Label = tuple[object, ...]
"""A kind of event: service, sub-function or identifier, and answer; or the end of a session."""
ASKED, ANSWERED, CONSTANT, STEP, OPEN = "asked", "answered", "constant", "step", "open"
MAX_EFFECTS, MAX_TRIED = 24, 16
"""Maximum number of effects of a cell, and of candidates evaluated for each."""
MAX_OPEN = 6
"""Maximum number of events after which a cell is left open because of wrong predictions."""
MAX_WRONG = 0.05
"""Maximum share of observations that may need this: what is explained less well is no memory, but a measurement."""
MIN_GAIN = 3
"""An effect that nobody would expect must explain at least so many observations, and so many more than others. Expected
are the effects of sessions and resets, of a service that writes what is read, of the service that is observed itself,
and of services that have another effect."""
INITIAL = object()
"""The value with which a recording begins."""


@dataclass(frozen=True)
class Occurrence:
    """An event on the way from one observation to the next."""

    label: Label
    asked: str = ""
    answered: str = ""


@dataclass(frozen=True)
class Segment:
    before: object
    events: tuple[Occurrence, ...]
    after: object
    where: tuple[int, int] = (0, 0)
    """The recording and the message of the observation at its end."""


@dataclass(frozen=True)
class CellEffect:
    """The change of a cell by an event."""

    kind: str
    value: object = None
    steps: tuple[tuple[object, object], ...] = ()
    """For a counter: each value with its successor."""

    def apply(self, value: object, event: Occurrence) -> object:
        match self.kind:
            case "asked":
                return event.asked
            case "answered":
                return event.answered
            case "constant":
                return self.value
            case "open":
                return None
        return dict(self.steps).get(value)


@dataclass
class MemoryCell:
    """A variable of the ECU with everything that changes it."""

    name: str
    initial: object
    effects: dict[Label, CellEffect]
    support: dict[Label, int] = field(default_factory=dict)
    """For each effect, the number of observations that need it."""
    observed: int = 0
    wrong: tuple[tuple[int, int], ...] = ()
    """The recordings and messages that contradict it."""
    understood: bool = True
    """False if too many observations contradict it: then it must not be used."""

    def after(self, value: object, events: Iterable[Occurrence]) -> object:
        """Return the value after some events; None if it is not known."""
        value = self.initial if value is INITIAL else value
        for event in events:
            if (effect := self.effects.get(event.label)) is not None:
                value = effect.apply(value, event)
        return value


def learn_cell(
    name: str,
    segments: Sequence[Segment],
    *,
    steps: bool = True,
    group: Callable[[Label], Label],
    expected: Iterable[object],
    clearing: Iterable[object],
) -> MemoryCell:
    """Return the cell that explains these observations best; it is not ``understood`` if there is no simple one.

    :param steps: consider counters, too
    :param group: the kind of each label; all labels of a kind have the same effect unless the observations forbid it
    :param expected: the services, and other events, that may well change the cell
    :param clearing: other events that may clear any cell
    """
    learner = _Learner(segments, steps, group, frozenset(expected), frozenset(clearing))
    learner.add_effects(MIN_GAIN)
    learner.drop_effects()
    learner.add_effects(1)
    learner.doubt_constants()
    wrong = learner.wrong()
    understood = len(wrong) <= MAX_WRONG * len(segments)
    if understood:
        learner.leave_open()
        understood = not learner.wrong()
    cell = learner.cell(name)
    cell.wrong, cell.understood = tuple(segments[i].where for i in wrong), understood
    return cell


class _Learner:
    def __init__(
        self,
        segments: Sequence[Segment],
        steps: bool,
        group: Callable[[Label], Label],
        expected: frozenset[object],
        clearing: frozenset[object],
    ) -> None:
        self.segments, self.steps = segments, steps
        self.expected, self.clearing = expected | clearing, clearing
        self.effects: dict[Label, CellEffect] = {}
        self.with_label: dict[Label, list[int]] = defaultdict(list)
        for i, segment in enumerate(segments):
            for label in {event.label for event in segment.events}:
                self.with_label[label].append(i)
        self.kinds: dict[Label, set[Label]] = defaultdict(set)
        for label in self.with_label:
            self.kinds[group(label)].add(label)
        self._group = group
        self.initial: object = None
        self._find_initial()

    def cell(self, name: str) -> MemoryCell:
        found = MemoryCell(name, self.initial, dict(self.effects), observed=len(self.segments))
        found.support = {label: self._need({label}) for label in self.effects}
        return found

    def wrong(self) -> list[int]:
        return [i for i in range(len(self.segments)) if self._is_wrong(i, self.effects)]

    def add_effects(self, least: int) -> None:
        """Add effects as long as one explains more; one that nobody expects must explain ``least`` observations."""
        for _ in range(MAX_EFFECTS):
            wrong = self.wrong()
            best: tuple[tuple[int, bool, int], dict[Label, CellEffect]] = (0, False, 0), {}
            known = self.expected | {label[0] for label in self.effects}
            for label, effect in self._candidates(wrong):
                kind = self.kinds[self._group(label)]
                for labels in ({label}, kind):
                    added = dict.fromkeys(labels, effect)
                    whole = self._group(label) != label and len(labels) == len(kind)
                    expected = whole or effect.kind in (ASKED, ANSWERED) or label[0] in known
                    gain = self._gain(added) - (0 if expected else least - 1)
                    if gain >= 1 and (gain, expected, len(added)) > best[0]:
                        best = (gain, expected, len(added)), added
            if not best[1]:
                return
            self.effects |= best[1]
            self._find_initial()

    def drop_effects(self) -> None:
        """Drop effects without which no more segments are wrong."""
        for labels in sorted(self.kinds.values(), key=len):
            if labels & set(self.effects) and self._need(labels) <= 0:
                self.effects = {label: one for label, one in self.effects.items() if label not in labels}

    def doubt_constants(self) -> None:
        """Turn constants that followed only one other value into counters: after other values, nobody has seen them."""
        for label, effect in list(self.effects.items()):
            if effect.kind != CONSTANT or self._group(label) != label or label[0] in self.clearing or not self.steps:
                continue
            befores = {self._last_step(self.segments[i], label, {})[0] for i in self.with_label[label]} - {None}
            if len(befores) == 1 and effect.value not in befores:
                self.effects[label] = CellEffect(STEP, steps=((befores.pop(), effect.value),))

    def leave_open(self) -> None:
        """Leave the cell open after events in the segments that are still wrong, and after those never tried."""
        for _ in range(MAX_OPEN):
            wrong = self.wrong()
            votes = Counter(label for i in wrong for label in {event.label for event in self.segments[i].events})
            if not votes:
                break
            # the event that occurs least elsewhere costs least knowledge
            label = min(votes, key=lambda one: (len(self.with_label[one]) / votes[one], str(one)))
            if self.effects.get(label) == CellEffect(OPEN):
                break
            self.effects[label] = CellEffect(OPEN)
        for kind, labels in self.kinds.items():
            if self._may_clear(kind, labels) and not labels & set(self.effects) and not self._is_tried(labels):
                self.effects |= dict.fromkeys(labels, CellEffect(OPEN))

    def _may_clear(self, kind: Label, labels: set[Label]) -> bool:
        return any(self._group(label) != label for label in labels) or kind[0] in self.clearing

    def _is_tried(self, labels: set[Label]) -> bool:
        """Return True if a changed value was observed after one of these events."""
        for i in {i for label in labels for i in self.with_label[label]}:
            value = self.initial if self.segments[i].before is INITIAL else self.segments[i].before
            tried = False
            for event in self.segments[i].events:
                if event.label in labels:
                    tried = tried or value not in (None, self.initial)
                elif (effect := self.effects.get(event.label)) is not None:
                    value, tried = effect.apply(value, event), False
            if tried:
                return True
        return False

    def _need(self, labels: set[Label]) -> int:
        without = {label: one for label, one in self.effects.items() if label not in labels}
        places = {i for label in labels for i in self.with_label[label]}
        return sum(self._is_wrong(i, without) - self._is_wrong(i, self.effects) for i in places)

    def _gain(self, added: Mapping[Label, CellEffect]) -> int:
        changed = {**self.effects, **added}
        places = {i for label in added for i in self.with_label[label]}
        return sum(self._is_wrong(i, self.effects) - self._is_wrong(i, changed) for i in places)

    def _is_wrong(self, i: int, effects: Mapping[Label, CellEffect]) -> bool:
        segment = self.segments[i]
        value = self.initial if segment.before is INITIAL else segment.before
        for event in segment.events:
            effect = effects.get(event.label)
            if effect is not None:
                value = effect.apply(value, event)
        return value is not None and value != segment.after

    def _candidates(self, wrong: Sequence[int]) -> list[tuple[Label, CellEffect]]:
        """Return the effects that would explain most of the segments that are predicted wrongly."""
        votes = Counter[tuple[Label, CellEffect]]()
        for i in wrong:
            segment = self.segments[i]
            for event in {one.label: one for one in segment.events}.values():
                for effect in self._explaining(event, segment):
                    if self.effects.get(event.label) != effect:
                        votes[event.label, effect] += 1
        tried = [pair for pair, _ in votes.most_common(MAX_TRIED)]
        if self.steps:
            labels = [label for label in dict.fromkeys(label for label, _ in tried) if self._group(label) == label]
            tried += [(label, step) for label in labels if (step := self._step(label)) is not None]
        return tried

    @staticmethod
    def _explaining(event: Occurrence, segment: Segment) -> Iterable[CellEffect]:
        yield CellEffect(CONSTANT, segment.after)
        if event.asked and event.asked == segment.after:
            yield CellEffect(ASKED)
        if event.answered and event.answered == segment.after:
            yield CellEffect(ANSWERED)

    def _step(self, label: Label) -> CellEffect | None:
        """Return the effect of a counter: the value after each value, as seen where nothing else had an effect."""
        steps: dict[object, object] = {}
        for single in (True, False):  # first where the event occurs once, then where the earlier ones are understood
            seen: dict[object, Counter[object]] = defaultdict(Counter)
            for i in self.with_label[label]:
                before, times = self._last_step(self.segments[i], label, steps)
                if before is not None and before not in steps and (times == 1) == single:
                    seen[before][self.segments[i].after] += 1
            steps |= {before: counts.most_common(1)[0][0] for before, counts in seen.items()}
        if len({after for before, after in steps.items() if before != after}) < 2:
            return None
        return CellEffect(STEP, steps=tuple(sorted(steps.items(), key=str)))

    def _last_step(self, segment: Segment, label: Label, steps: Mapping[object, object]) -> tuple[object, int]:
        """Return the value before the last event with this label, and how often there was one.

        The value is None if it is not known, or if something else has an effect after it.
        """
        value = self.initial if segment.before is INITIAL else segment.before
        before, times = None, 0
        for event in segment.events:
            if event.label == label:
                before, value, times = value, steps.get(value), times + 1
            elif (effect := self.effects.get(event.label)) is not None:
                before, value = None, effect.apply(value, event)
        return before, times

    def _find_initial(self) -> None:
        """Let the initial value be the one seen most often where nothing has changed it."""
        first = Counter(
            segment.after
            for segment in self.segments
            if segment.before is INITIAL and not any(event.label in self.effects for event in segment.events)
        )
        if first:
            self.initial = first.most_common(1)[0][0]
