"""Experiments with texts: shrink a text to its core, vary the core, and tell the hypotheses about it apart.

A verdict that depends on a text mostly depends on a small part of it. ``examine`` starts from a run whose verdict
differs from that of the empty text. It removes everything from its text that can go without changing the verdict; what
is left is a *core*. If only the length matters, the core is as long as needed and made of an ordinary letter. Then it
runs variations of the core (at the start, in the middle, at the end, doubled, in the other case, with characters
replaced), which decide between most hypotheses (texts.py).

``measure`` finds out which characters matter. It inserts all characters of a class at once into the middle of a text;
only if that changes the verdict, it inserts the typical ones one by one, and only if these differ, or none of them
explains the change, all of them. So a text of which no character matters costs two runs for each class, and a set such
as the characters of a name is measured exactly. Then it does the same at the start and at the end, if a few samples
show a difference, and it tries some of the characters in the other texts.

``choose_questions`` finds those that are left: hypotheses that could replace a condition of the model and still agree
with every run. It asks a text on which they disagree. A field that does not matter has no boundary and costs nothing
here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from rootward.rules.predicates import ALPHABET, EXAMPLES
from rootward.search.border import BorderStep, bisect, midpoint
from rootward.search.relay import relay
from rootward.searches.conditions.boundaries.axis import FieldAxis
from rootward.searches.conditions.boundaries.feature import Point
from rootward.searches.conditions.boundaries.logic import LiteralColumn
from rootward.searches.conditions.boundaries.observations import (
    Experiment,
    Observations,
    change_value,
    find_label,
)
from rootward.searches.conditions.boundaries.rule_model import RuleModel
from rootward.searches.conditions.boundaries.texts import (
    PLACES,
    TEXT_TUNING,
    TextField,
    alphabet_classes,
    class_of,
    filler,
    insert_char,
    others_of_class,
    replace_char,
    typical_members,
)


class TextExperiments:
    """The experiments with texts of one search."""

    def __init__(self, notebook: Observations, rng: np.random.Generator) -> None:
        self.notebook, self.rng = notebook, rng
        self._examined: set[tuple[int, str, bool]] = set()
        self._varied: set[tuple[int, str]] = set()
        self._measured: dict[tuple[int, bool], int] = {}
        """By field and verdict: the number of odd texts in the point that was measured."""
        self._questions: Counter[int] = Counter()

    def find_unexamined(self) -> list[tuple[Point, FieldAxis]]:
        """Return a point for each text field that matters: its text makes a difference and contains no known core.

        The text is beside a boundary, or one of the texts that were tried first.
        """
        found: dict[int, tuple[Point, FieldAxis]] = {}
        ends: dict[int, set[int]] = {}
        for one in self.notebook.brackets:
            if one.axis.texts is not None and len(one.axis.texts.cores) < TEXT_TUNING.max_cores:
                ends.setdefault(one.axis.index, set()).update((one.one, one.other))
        for index, numbers in ends.items():
            axis = self.notebook.axes[index]
            first = set(axis.tried_values)
            tried = [i for i, point in enumerate(self.notebook.points) if point[index] in first]
            for number in sorted(numbers.union(tried)):
                point, label = self.notebook.points[number], self.notebook.labels[number]
                if self._is_unexamined(point, axis, label):
                    found[index] = point, axis
                    break
        return list(found.values())

    def _is_unexamined(self, point: Point, axis: FieldAxis, label: bool) -> bool:
        text = point[axis.index]
        assert axis.texts is not None
        if not text or (axis.index, text, label) in self._examined or axis.texts.explains(text, label):
            return False
        return self.notebook.label(change_value(point, axis.index, "")) is not label

    def examine(self, point: Point, axis: FieldAxis) -> Experiment[None]:
        """Find the core of the point's text, and run variations of it."""
        texts, index, label = axis.texts, axis.index, self.notebook.label(point)
        assert texts is not None
        assert label is not None
        self._examined.add((index, point[index], label))
        if (yield from find_label(self.notebook, change_value(point, index, ""))) is not (not label):
            return
        core = yield from self._shrink(point, index)
        texts.cores[core] = label
        yield from self._ask(point, index, core, _vary(core))

    # Characters

    def find_unmeasured(self) -> list[tuple[Point, FieldAxis]]:
        """Return a point for each text field that matters: a passing one, later a failing one.

        Their texts are as plain as possible: letters and digits, of medium length. A field is measured again at a point
        with fewer odd texts: one that another condition decides shows the exceptions of that condition.
        """
        points: dict[tuple[int, bool], dict[int, Point]] = {}
        for one in self.notebook.brackets:
            for number in (one.one, one.other) if one.axis.texts is not None else ():
                point, label = self.notebook.points[number], self.notebook.labels[number]
                if point[one.axis.index]:
                    points.setdefault((one.axis.index, label), {})[number] = point
        found: dict[int, tuple[Point, FieldAxis]] = {}
        for index, label in sorted(points):
            plainest = min(points[index, label].values(), key=partial(self._rank_oddness, index))
            if self._count_odd(plainest) < self._measured.get((index, label), len(plainest) + 1):
                found.setdefault(index, (plainest, self.notebook.axes[index]))
        return list(found.values())

    def _rank_oddness(self, index: int, point: Point) -> tuple[Any, ...]:
        return self._count_odd(point), _oddness(point[index])

    def _count_odd(self, point: Point) -> int:
        return sum(axis.texts is not None and _is_odd(point[axis.index]) for axis in self.notebook.axes)

    def measure(self, point: Point, axis: FieldAxis) -> Experiment[None]:
        """Measure which characters change the verdict of the point when they are inserted into its text."""
        texts, index, label = axis.texts, axis.index, self.notebook.label(point)
        assert texts is not None
        assert label is not None
        self._measured[index, label] = self._count_odd(point)
        doubled = change_value(point, index, 2 * point[index])
        if len(point[index]) == 1 and (yield from find_label(self.notebook, doubled)) is label:
            point = doubled  # a single character has no middle
        classes = alphabet_classes()
        together = {name: [members, members[::-1]] for name, members in classes.items()}
        longer = filler(point[index]) * max(map(len, classes.values()))
        yield from self._insert(point, index, "middle", [longer, *(one for some in together.values() for one in some)])
        keeps = self._keeps if label else self._surely_keeps  # another failure may hide this one
        changing = {
            name: members
            for name, members in classes.items()
            if not all(keeps(point, index, "middle", one) for one in together[name])
        }
        tellable = self._surely_keeps(point, index, "middle", longer)  # otherwise the length matters, too
        if changing.keys() == classes.keys():
            first = [members[0] for members in classes.values()]
            yield from self._insert(point, index, "middle", first)
            if not any(self._keeps(point, index, "middle", char) for char in first):
                return  # nothing can be inserted: the text has a shape, or it is a constant
        changed = yield from self._sweep(point, index, "middle", changing, changing if tellable else ())
        if changed is None:
            self._measured[index, not label] = 0
            return
        kept = frozenset(ALPHABET) - changed
        _note_alphabet(texts, "middle", label, kept, changed)
        yield from self._try_elsewhere(point, index, changed)
        left = {name: "".join(char for char in members if char in kept) for name, members in classes.items()}
        for place in PLACES[1:]:
            samples = [char for members in left.values() for char in members[:1]]
            samples += [char for char in "-._ " if char in kept]
            samples += ["\n"] if place == "end" else []
            yield from self._insert(point, index, place, samples)
            if not all(self._keeps(point, index, place, char) for char in samples if char in kept):
                there = yield from self._sweep(point, index, place, left)
                if there is None:
                    self._measured[index, not label] = 0
                    return
                _note_alphabet(texts, place, label, kept - there, changed | there)

    def _try_elsewhere(self, point: Point, index: int, chars: Collection[str]) -> Experiment[None]:
        """Insert characters that matter in one text into the other texts: code often treats several alike."""
        some = sorted(chars)[: TEXT_TUNING.max_tried_elsewhere]
        for axis in self.notebook.axes:
            if axis.texts is not None and axis.index != index and not axis.is_fixed:
                yield from self._insert(point, axis.index, "middle", some)

    def _sweep(
        self, point: Point, index: int, place: str, classes: Mapping[str, str], changing: Collection[str] = ()
    ) -> Experiment[frozenset[str] | None]:
        """Return the characters that change the verdict when inserted one by one.

        If the typical members of a class all do, or none does, so do the others. ``changing`` are classes of which
        some member does, or may do behind another failure: if no typical one does, all are inserted. Letters and
        digits come first: if they differ among each other without any order, the verdict is not about characters; then
        return None.
        """
        found: set[str] = set()
        ordinary = {name: members for name, members in classes.items() if members.isascii() and members.isalnum()}
        for some in (ordinary, {name: classes[name] for name in classes if name not in ordinary}):
            typical = {name: typical_members(members) for name, members in some.items() if members}
            yield from self._insert(point, index, place, "".join(typical.values()))
            kept = {name: [self._keeps(point, index, place, char) for char in typical[name]] for name in typical}
            mixed = [name for name in kept if any(kept[name]) and (name in changing or not all(kept[name]))]
            yield from self._insert(point, index, place, "".join(some[name] for name in mixed))
            for name in typical:
                sure = name not in mixed
                changed = [not (kept[name][0] if sure else self._keeps(point, index, place, c)) for c in some[name]]
                if some is ordinary and not _is_orderly(changed):
                    return None
                found.update(char for char, one in zip(some[name], changed, strict=True) if one)
        return frozenset(found)

    def _insert(self, point: Point, index: int, place: str, inserted: Iterable[str]) -> Experiment[None]:
        texts = [insert_char(point[index], place, one) for one in inserted]
        yield from self._ask(point, index, point[index], texts)

    def _keeps(self, point: Point, index: int, place: str, inserted: str) -> bool:
        """Return True if the verdict stays the same, or cannot be judged, with these characters in the text."""
        return self._label_with(point, index, place, inserted) in (None, self.notebook.label(point))

    def _surely_keeps(self, point: Point, index: int, place: str, inserted: str) -> bool:
        """Return True if the verdict stays the same with these characters in the text."""
        return self._label_with(point, index, place, inserted) is self.notebook.label(point)

    def _label_with(self, point: Point, index: int, place: str, inserted: str) -> bool | None:
        return self.notebook.label(change_value(point, index, insert_char(point[index], place, inserted)))

    # Exceptions

    def find_exceptions(self, model: RuleModel) -> list[tuple[Point, FieldAxis]]:
        """Return points whose text is an exception in the model, and was not varied yet."""
        found = []
        for i in sorted({i for term in model.best.terms for i in term}):
            axis, (_, text, _) = model.text_axis(model.literals[i]), model.literals[i].meaning
            if axis is None or not isinstance(text, str) or not text or (axis.index, text) in self._varied:
                continue
            mine = (point for point in self.notebook.points if point[axis.index] == text)
            point = next(mine, None)
            if point is not None and len(self._varied) < TEXT_TUNING.max_exceptions:
                self._varied.add((axis.index, text))
                found.append((point, axis))
        return found

    def vary(self, point: Point, axis: FieldAxis) -> Experiment[None]:
        """Run variations of the point's text, because a model that names a single text may be too narrow."""
        text = point[axis.index]
        yield from self._ask(point, axis.index, text, _vary(text))

    def _shrink(self, point: Point, index: int) -> Experiment[str]:
        """Return the point's text without the parts that can be removed without changing the verdict."""
        label = self.notebook.label(point)
        text: str = point[index]

        def has_label(part: str) -> Experiment[bool]:
            return (yield from find_label(self.notebook, change_value(point, index, part))) is label

        if len(text) > TEXT_TUNING.max_core:

            def is_short(step: BorderStep[int]) -> Experiment[bool]:
                return not (yield from has_label(text[: step.place]))

            _, size = yield from relay(bisect(0, len(text), midpoint), is_short)
            text = text[:size]
            plain = filler("") * size
            if (yield from has_label(plain)) and not (yield from has_label(plain[1:])):
                return plain
        tries, width = 0, max(len(text) // 2, 1)
        while tries < TEXT_TUNING.max_shrinkings:
            start, before = 0, text
            while start < len(text) and tries < TEXT_TUNING.max_shrinkings:
                shorter = text[:start] + text[start + width :]
                tries += 1
                if (yield from has_label(shorter)):
                    text = shorter
                else:
                    start += width
            if width == 1 and text == before:
                break
            width = max(width // 2, 1)
        return text

    def _ask(self, point: Point, index: int, core: str, texts: Iterable[str]) -> Experiment[None]:
        """Run variations of a core, and note the boundaries between them and the core."""
        middle = change_value(point, index, core)
        points = [change_value(point, index, text) for text in dict.fromkeys(texts)]
        fresh = [one for one in points if not self.notebook.is_seen(one)]
        if fresh:
            yield fresh
        for one in points:
            self.notebook.bracket(middle, one, index)

    # Telling hypotheses apart

    def choose_questions(self, model: RuleModel) -> list[Point]:
        """Return points on which a condition of the model and its possible replacements disagree."""
        logic, found = model.best, []
        labels = self.notebook.labels
        target = sum(1 << i for i, label in enumerate(labels) if label is logic.positive)
        other = (1 << len(labels)) - 1 & ~target
        covered = [_conjoin([model.literals[i] for i in term]) for term in logic.terms]
        for place, term in enumerate(logic.terms):
            elsewhere = 0
            for k, column in enumerate(covered):
                elsewhere |= column if k != place else 0
            for i in term:
                axis = model.text_axis(model.literals[i])
                if axis is None or self._questions[axis.index] >= TEXT_TUNING.max_questions:
                    continue
                rest = _conjoin([model.literals[k] for k in term if k != i])
                needed = covered[place] & target & ~elsewhere
                rivals = [
                    one
                    for one in model.text_literals[axis.index]
                    if one.meaning != model.literals[i].meaning
                    and not rest & one.column & other & ~elsewhere
                    and not needed & ~one.column
                ]
                found += self._separate(axis, model.literals[i], rivals, needed)
        return found

    def _separate(
        self, axis: FieldAxis, chosen: LiteralColumn, rivals: Sequence[LiteralColumn], needed: int
    ) -> list[Point]:
        """Return at most two points on which rivals disagree with the chosen literal, the most telling first."""
        bases = [i for i in range(len(self.notebook.points)) if needed >> i & 1]
        if not bases or not rivals:
            return []
        assert axis.texts is not None
        base = self.notebook.points[bases[int(self.rng.integers(len(bases)))]]
        pool = [change_value(base, axis.index, text) for text in axis.texts.draw_texts(self.rng, TEXT_TUNING.pool)]
        fresh = [point for point in pool if not self.notebook.is_seen(point)]
        expected = [chosen.holds(point) for point in fresh]
        against = [
            [one.holds(point) is not held for one in rivals] for point, held in zip(fresh, expected, strict=True)
        ]
        weights = [2.0 ** -(max(one.price - chosen.price, 0.0) / 4) for one in rivals]
        found: list[Point] = []
        while len(found) < 2 and fresh:
            worth = [sum(w for w, no in zip(weights, said, strict=True) if no) for said in against]
            best = int(np.argmax(worth))
            if worth[best] <= 0:
                break
            found.append(fresh[best])
            weights = [0.0 if no else w for w, no in zip(weights, against[best], strict=True)]
        self._questions[axis.index] += len(found)
        return found


def _conjoin(literals: Iterable[LiteralColumn]) -> int:
    column = -1
    for one in literals:
        column &= one.column
    return column


def _note_alphabet(texts: TextField, place: str, label: bool, kept: frozenset[str], changed: frozenset[str]) -> None:
    if kept and changed:
        texts.alphabets[place, label] = kept, changed


def _is_orderly(changed: Sequence[bool]) -> bool:
    """Return True if the characters of an ordered class are one range, such as a to f, or all but a few are alike."""
    borders = sum(one is not other for one, other in pairwise(changed))
    return borders <= 2 or min(changed.count(True), changed.count(False)) <= TEXT_TUNING.max_odd_letters


def _oddness(text: str) -> tuple[bool, int, str]:
    return _is_odd(text), abs(len(text) - TEXT_TUNING.plain_length), text


def _is_odd(text: str) -> bool:
    return bool(text) and not (text.isascii() and text.isalnum())


def _vary(core: str) -> list[str]:
    """Return variations of a core: other surroundings, other lengths, and other characters."""
    fill = filler(core)
    size = len(core)
    found = [fill + core, core + fill, fill + core + fill, core + core, core.swapcase(), core[::-1], fill * size]
    found += [fill * (size - 1), fill * (size + 1), "0" * size]
    if size == 1:
        found += [members[0] for name, members in EXAMPLES.items() if name != class_of(core)]
    step = max(size // TEXT_TUNING.max_replaced, 1)
    for place in range(0, min(size, step * TEXT_TUNING.max_replaced), step):
        alike = others_of_class(core[place])
        found += [replace_char(core, place, char) for char in (*alike[:1], *alike[-1:], fill, "-", "0")]
    return [text for text in found if text != core]
