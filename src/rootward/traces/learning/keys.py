"""Keys: how a key follows from its seed, how long a seed is valid, how wrong keys are counted, and the delay after too
many of them.

SecurityAccess is the one service whose rules cannot be seen in single answers, but the standard says what they look
like, so only the details are learned: which byte turns a seed into its key by XOR (if it is one), what makes a seed
invalid, how many wrong keys are answered with 0x35 before 0x36, what resets their counter, and how long 0x37 follows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from rootward.traces.learning.cells import CONSTANT, CellEffect, Label, MemoryCell, Occurrence
from rootward.traces.learning.exchanges import POSITIVE, Exchange, RecordedExchanges, parse_hex
from rootward.traces.learning.memory import EXPIRY, Timeline, label_group
from rootward.traces.learning.sessions import RESET, SECURITY, SESSION_CONTROL
from rootward.traces.learning.time_limits import split_times

NO_SEED, WRONG, TOO_MANY, DELAYED = 0x24, 0x35, 0x36, 0x37
MAX_WRONG = 0.01
"""Maximum share of keys that the learned function may contradict."""


@dataclass
class Level:
    """One security level: the sub-functions that return its seed and take its key."""

    seed: int
    mask: int | None = None
    """The byte that turns the seed into the key by XOR; None if this does not explain the keys."""
    accepted: int = 0
    refused: int = 0
    wrong: tuple[tuple[int, int], ...] = ()
    """The recordings and messages whose keys contradict the function that explains most keys."""
    memory: MemoryCell = field(default_factory=lambda: MemoryCell("", "none", {}))
    """The cell that holds "none" if there is no valid seed."""
    in_sequence: bool = False
    """True if it is known when a key is refused with "request sequence error"."""

    @property
    def key(self) -> int:
        return self.seed + 1

    @property
    def name(self) -> str:
        return f"seed{self.seed:02X}"


@dataclass
class Keys:
    """The details of SecurityAccess."""

    levels: list[Level] = field(default_factory=list)
    tries: int | None = None
    """Number of wrong keys in a row that are answered with 0x36; None if that was not seen."""
    cleared: tuple[Label, ...] = ()
    """The events that reset the counter of wrong keys."""
    too_many: int = 0
    delay: tuple[int, int] | None = None
    """The longest time after 0x36 at which a seed was refused, and the shortest at which one was given."""
    delayed: int = 0


def learn_keys(recordings: RecordedExchanges, timeline: Timeline) -> Keys:
    """Learn the rules of SecurityAccess from all recordings."""
    asked = sorted({one.first for one in _exchanges(recordings) if one.first is not None and one.first % 2})
    found = Keys([_level(seed, recordings, timeline) for seed in asked if _is_given(recordings, seed)])
    _count_tries(found, timeline)
    _measure_delay(found, recordings)
    return found


def _exchanges(recordings: RecordedExchanges) -> Iterator[Exchange]:
    return (one for one in recordings.all() if one.operation == SECURITY)


def _is_given(recordings: RecordedExchanges, seed: int) -> bool:
    return any(one.first == seed and one.answer == POSITIVE for one in _exchanges(recordings))


def _level(seed: int, recordings: RecordedExchanges, timeline: Timeline) -> Level:
    level = Level(seed)
    pairs = list(_pairs(recordings, seed))
    accepted = [(given, one) for given, one in pairs if one.answer == POSITIVE]
    refused = [(given, one) for given, one in pairs if one.answer in (WRONG, TOO_MANY)]
    level.accepted, level.refused = len(accepted), len(refused)
    masks = Counter(mask for given, one in accepted if (mask := _mask(given, one.data)) is not None)
    if masks:
        mask = masks.most_common(1)[0][0]
        wrong = [one for given, one in accepted if _mask(given, one.data) != mask]
        wrong += [one for given, one in refused if _mask(given, one.data) == mask]
        level.mask = mask if len(wrong) <= MAX_WRONG * len(pairs) else None
        level.wrong = tuple((one.recording, one.message) for one in wrong)
    memory = _seed_memory(level, timeline)
    if memory is not None:
        level.memory, level.in_sequence = memory, True
    else:
        ends = (SECURITY, level.key, POSITIVE), (SECURITY, None, WRONG), (SECURITY, None, TOO_MANY)
        forget = CellEffect(CONSTANT, "none")
        level.memory = MemoryCell(
            level.name, "none", dict.fromkeys((*ends, (RESET,), (SESSION_CONTROL,), EXPIRY), forget)
        )
    return level


def _pairs(recordings: RecordedExchanges, seed: int) -> Iterator[tuple[str, Exchange]]:
    """Yield each request with a key, with the seed that was given last."""
    for exchanges in recordings.exchanges:
        given = None
        for one in exchanges:
            if one.operation != SECURITY or (one.answer != POSITIVE and one.first == seed):
                continue
            if one.first == seed:
                given = one.answer_data
            elif one.first == seed + 1 and given is not None:
                yield given, one


def _mask(seed: str, key: str) -> int | None:
    """Return the byte with which XOR turns the seed into the key."""
    if len(seed) % 2 or parse_hex(seed) is None or parse_hex(key) is None or len(seed) != len(key):
        return None
    masks = {one ^ other for one, other in zip(bytes.fromhex(seed), bytes.fromhex(key), strict=True)}
    return masks.pop() if len(masks) == 1 else None


def _seed_memory(level: Level, timeline: Timeline) -> MemoryCell | None:
    def observe(exchange: Exchange) -> object:
        if exchange.operation != SECURITY or exchange.first != level.key:
            return None
        if exchange.answer == NO_SEED:
            return "none"
        return "some" if exchange.answer in (POSITIVE, WRONG, TOO_MANY) else None

    if not any(one.after == "none" for one in timeline.segments(observe)):
        return None
    cell = timeline.learn_cell(level.name, SECURITY, observe, steps=False)
    given = (SECURITY, level.seed, POSITIVE)
    if not cell.understood or any(one.value == "some" for label, one in cell.effects.items() if label != given):
        return None
    return cell


# The counter of wrong keys: it is simulated for each combination of what may reset it


def _count_tries(keys: Keys, timeline: Timeline) -> None:
    answers = [one for some in timeline.entries for one in some if isinstance(one, Exchange)]
    keys.too_many = sum(one.operation == SECURITY and one.answer == TOO_MANY for one in answers)
    if not keys.too_many:
        return
    accepted: list[Label] = [(SECURITY, level.key, POSITIVE) for level in keys.levels]
    resets: list[list[Label]] = [accepted, [(RESET,)], [(SESSION_CONTROL,)], [EXPIRY]]
    best: tuple[int, int, int] | None = None
    for chosen in product((True, False), (False, True), (False, True), (False, True)):
        cleared = tuple(label for labels, used in zip(resets, chosen, strict=True) if used for label in labels)
        counts = list(_counts(timeline, cleared))
        if not counts:
            return
        refusals = Counter(count for count, answer in counts if answer == TOO_MANY)
        tries = refusals.most_common(1)[0][0] + 1 if refusals else 1
        wrong = sum((count >= tries - 1) != (answer == TOO_MANY) for count, answer in counts)
        cost = (wrong, abs(sum(chosen) - 1), not chosen[0])
        if best is None or cost < best:
            best, keys.tries, keys.cleared = cost, tries, cleared
    if best is None or best[0] > MAX_WRONG * len(counts):
        keys.tries, keys.cleared = None, ()


def _counts(timeline: Timeline, cleared: Sequence[Label]) -> Iterator[tuple[int, object]]:
    """Yield, for each wrong key, how many there were before it, and its answer."""
    for entries in timeline.entries:
        count: int | None = 0
        for entry in entries:
            if entry is None:
                count = None if EXPIRY in cleared else count
            elif isinstance(entry, Occurrence):
                label = entry.label
                if label in cleared or label_group(label) in cleared or label == (SECURITY, None, TOO_MANY):
                    count = 0
                elif label == (SECURITY, None, WRONG) and count is not None:
                    count += 1
            elif entry.operation == SECURITY and entry.answer in (WRONG, TOO_MANY) and count is not None:
                yield count, entry.answer


def _measure_delay(keys: Keys, recordings: RecordedExchanges) -> None:
    refused, given = [], []
    for exchanges in recordings.exchanges:
        since = None
        for one in exchanges:
            if one.operation != SECURITY:
                continue
            if one.answer == TOO_MANY:
                since = one.answered
            elif one.first is not None and one.first % 2 and since is not None:
                if one.answer == DELAYED:
                    refused.append(one.time - since)
                elif one.answer == POSITIVE:
                    given.append(one.time - since)
                    since = None
    keys.delayed = len(refused)
    longest, shortest = split_times(refused, given)
    if refused and shortest is not None:
        keys.delay = longest, shortest
