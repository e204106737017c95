"""A scan and a list try changes on top of what worked, with few tries, and nothing is passed over."""

import math
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.formats.documents.syntax import CharactersParsed, Syntax, TextSection
from rootward.searches.reduction.files.draft import Change, SlotKnowledge, TextDraft
from rootward.searches.reduction.files.moves import Moves, isolate, scan, try_list
from tests.properties import examples


def characters(text: str) -> TextDraft:
    data = text.encode()
    syntax = Syntax(data, [TextSection(0, 0, len(data), "", CharactersParsed(data, "text"))])
    return TextDraft(syntax, SlotKnowledge(), exact=True)


def drive(moves: Moves, works: Callable[[set[int]], bool]) -> tuple[set[int], list[tuple[set[int], set[int]]]]:
    """Answer the moves; return what is removed in the end, and each try: what it removed, after what was gone."""
    gone: set[int] = set()
    tried: list[tuple[set[int], set[int]]] = []
    answer: Any = None
    while True:
        try:
            change = moves.send(answer)
        except StopIteration:
            return gone, tried
        new = set(change) - gone
        assert new, "a try that changes nothing"
        tried.append((new, set(gone)))
        answer = works(gone | new)
        if answer:
            gone |= new


def leaves(draft: TextDraft) -> list[int]:
    return [node for node in range(1, len(draft.syntax)) if draft.syntax.after[node] == node + 1]


@examples(200)
@given(st.text("ab €\n", min_size=2, max_size=40), st.sampled_from([1, 2, 4, 16]), st.integers(0, 10**6))
def test_a_scan_removes_nodes_of_the_text_that_are_there(text: str, grain: int, seed: int) -> None:
    draft = characters(text)
    rng = random.Random(seed)
    needed = {node for node in leaves(draft) if rng.random() < 0.3}
    gone, tried = drive(scan(draft, grain), lambda nodes: not needed & _inside(draft, nodes))
    assert not needed & _inside(draft, gone)
    for new, before in tried:
        assert all(0 < node < len(draft.syntax) for node in new)
        assert not _inside(draft, new) & _inside(draft, before)


def _spares(draft: TextDraft, needed: int, nodes: set[int]) -> bool:
    return needed not in _inside(draft, nodes)


def _misses(needed: int, nodes: set[int]) -> bool:
    return needed not in nodes


def _inside(draft: TextDraft, nodes: set[int]) -> set[int]:
    """Return the nodes with everything inside of them."""
    return {inner for node in nodes for inner in range(node, draft.syntax.after[node])}


@examples(200)
@given(st.text("ab €\n", min_size=2, max_size=40), st.integers(0, 10**6))
def test_a_fine_scan_tries_each_character_alone_before_it_passes_over_it(text: str, seed: int) -> None:
    draft = characters(text)
    rng = random.Random(seed)
    # Any answer, not only one that follows from needed characters.
    answers: dict[frozenset[int], bool] = {}
    gone, tried = drive(scan(draft, 1), lambda nodes: answers.setdefault(frozenset(nodes), rng.random() < 0.2))
    alone = {node for new, _ in tried if len(new) == 1 for node in new}
    for node in leaves(draft):
        assert node in alone or node in _inside(draft, gone)


@pytest.mark.parametrize("size", [64, 256, 1024])
def test_a_scan_for_one_needed_character_takes_few_tries(size: int) -> None:
    draft = characters("x" * size)
    for needed in (2, size // 3, size):
        gone, tried = drive(scan(draft, 1), partial(_spares, draft, needed))
        assert set(leaves(draft)) - _inside(draft, gone) == {needed}
        assert len(tried) <= 6 * math.log2(size)


# Lists


def changes_of(gains: list[int]) -> list[tuple[Change, int]]:
    return [({node: None}, gain) for node, gain in enumerate(gains)]


GAINS = st.lists(st.integers(1, 50), min_size=1, max_size=24)


@examples(300)
@given(GAINS, st.integers(0, 10**6), st.sampled_from([1, 3, 30]))
def test_a_list_proposes_its_changes_and_keeps_what_is_needed(gains: list[int], seed: int, grain: int) -> None:
    rng = random.Random(seed)
    needed = {node for node in range(len(gains)) if rng.random() < 0.3}
    for moves in (try_list(changes_of(gains), grain), isolate(changes_of(gains))):
        gone, tried = drive(moves, lambda nodes: not needed & nodes)
        assert gone <= set(range(len(gains))) - needed
        assert all(new <= set(range(len(gains))) for new, _ in tried)
        assert tried[0][0] == set(range(len(gains)))  # all at once


@examples(300)
@given(GAINS, st.integers(0, 10**6))
def test_a_fine_list_leaves_only_what_is_needed(gains: list[int], seed: int) -> None:
    rng = random.Random(seed)
    needed = {node for node in range(len(gains)) if rng.random() < 0.3}
    gone, _ = drive(try_list(changes_of(gains), 1), lambda nodes: not needed & nodes)
    assert gone == set(range(len(gains))) - needed


@examples(300)
@given(GAINS, st.integers(0, 10**6))
def test_a_fine_list_tries_each_change_alone_before_it_passes_over_it(gains: list[int], seed: int) -> None:
    rng = random.Random(seed)
    answers: dict[frozenset[int], bool] = {}
    gone, tried = drive(
        try_list(changes_of(gains), 1), lambda nodes: answers.setdefault(frozenset(nodes), rng.random() < 0.2)
    )
    alone = {node for new, _ in tried if len(new) == 1 for node in new}
    stays = set(range(len(gains))) - gone
    assert stays <= alone or len(stays) == 1  # the last one: all of them were tried without it


@pytest.mark.parametrize("size", [16, 128, 1024])
def test_a_single_needed_change_is_found_by_halving(size: int) -> None:
    for needed in (0, 1, size // 3, size - 1):
        for moves in (try_list(changes_of([5] * size), 1), isolate(changes_of([5] * size))):
            gone, tried = drive(moves, partial(_misses, needed))
            assert set(range(size)) - gone == {needed}
            assert len(tried) <= 2 * math.log2(size) + 3


def test_a_list_asks_nothing_if_it_is_empty() -> None:
    assert drive(try_list([], 1), lambda nodes: True) == (set(), [])


def test_replacements_are_joined() -> None:
    changes: list[tuple[Change, int]] = [({1: b"a", 2: b"a"}, 4), ({3: None}, 4)]
    moves = isolate(changes)
    assert next(moves) == {1: b"a", 2: b"a", 3: None}
    assert moves.send(False) == {3: None}
    with pytest.raises(StopIteration):
        moves.send(True)
