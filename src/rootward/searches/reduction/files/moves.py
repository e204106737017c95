"""Two ways to try many changes with few runs: a scan over the text, and a list of changes.

Both are generators: they yield a change, which is tried on top of all that worked before, and are sent whether it
worked. They know neither runs nor files, so that the search can also ask them what they would try next.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

from rootward.searches.reduction.files.draft import Change, TextDraft

MAX_PASSED = 3
"""Number of failed tries in a row after which a stretch of the text is taken to be dense."""
Moves = Generator[Change, bool, None]
Changes = list[tuple[Change, int]]
"""Changes, each with the number of bytes that it saves."""


def scan(draft: TextDraft, grain: int) -> Moves:
    """Leave out stretches of the text, from its end to its beginning.

    What is used stands behind its definition in most texts, so the end goes first. A stretch that could go is followed
    by one of twice the size, one that could not by half of it; one of ``grain`` bytes that could not is passed over. If
    several in a row could not go, the stretch is dense, and ever more of it is passed over, except at a grain of 1.
    """
    place, size, passed = len(draft), max(grain, len(draft) // 2), 0
    taken: Change = {}
    while place > 0:
        start = max(0, place - size)
        start = draft.snap(start, max(grain, size // 4)) if start else 0
        nodes = draft.removable_inside(start, place, taken)
        gain = draft.size(nodes)
        if gain and (4 * gain >= grain or grain == 1):
            change: Change = dict.fromkeys(nodes)
            if (yield change):
                taken |= change
                place, size, passed = start, size * 2, 0
                continue
            if size // 2 >= grain:
                size //= 2
                continue
            passed += 1
        skipped = grain << (passed - MAX_PASSED) if passed > MAX_PASSED and grain > 1 else 0
        place, size = start - skipped, grain


def try_list(changes: Sequence[tuple[Change, int]], grain: int) -> Moves:
    """Apply as many of these changes as possible; each comes with the number of bytes that it saves.

    All at once; if that does not work, all but one half, as long as one half holds what must stay; then chunks from the
    end, larger after each that worked and smaller after each that did not.
    """
    rest = list(changes)
    if not rest or (yield _join(rest)):
        return
    rest = yield from _narrow(rest)
    if len(rest) == 1:
        return
    place, misses, max_misses = len(rest), 0, patience(len(rest), grain)
    target = sum(gain for _, gain in rest) // 4
    while place > 0 and misses < max_misses:
        start, gain = place - 1, rest[place - 1][1]
        while start > 0 and gain + rest[start - 1][1] <= target:
            start -= 1
            gain += rest[start][1]
        if gain >= grain and (yield _join(rest[start:place])):
            place, target, misses = start, max(target, gain) * 2, 0
            continue
        misses += gain >= grain
        if start == place - 1 or target // 2 < grain:
            place = start
        else:
            target = min(target, gain) // 2


def patience(count: int, grain: int) -> int:
    """Return how many chunks of a list may fail to go before it is given up."""
    return MAX_PASSED + 2 * count.bit_length() if grain > 1 else count * count


def isolate(changes: Changes) -> Moves:
    """Apply all changes; if that does not work, all but one half, as long as one half is enough."""
    if not (yield _join(changes)):
        yield from _narrow(list(changes))


def _narrow(rest: Changes) -> Generator[Change, bool, Changes]:
    """Apply all changes of one half, then of a half of what is left, and so on; return the changes that are left."""
    while len(rest) > 1:
        middle = _middle(rest)
        if (yield _join(rest[middle:])):
            rest = rest[:middle]
        elif (yield _join(rest[:middle])):
            rest = rest[middle:]
        else:
            break
    return rest


def _join(changes: Sequence[tuple[Change, int]]) -> Change:
    return {node: text for change, _ in changes for node, text in change.items()}


def _middle(changes: Sequence[tuple[Change, int]]) -> int:
    """Return where the first half of the bytes ends; at least one change is on either side."""
    total, seen = sum(gain for _, gain in changes), 0
    for place, (_, gain) in enumerate(changes):
        seen += gain
        if 2 * seen >= total:
            return min(max(1, place + 1 if 2 * seen - gain < total - gain else place), len(changes) - 1)
    return len(changes) // 2
