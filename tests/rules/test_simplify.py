"""Simplification: the same meaning on every value, never longer, and the shortest there is for small rules."""

from __future__ import annotations

import functools
import heapq
import itertools
import math
import operator
import random
import subprocess
import sys
import time
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rootward.errors import InputError
from rootward.rules import Atom, Rule
from rootward.rules.simplify.algebra import Algebra
from rootward.rules.simplify.boxes import Box, helpers, is_covered, primes, unreached_cells
from rootward.rules.simplify.cells import CellAxis
from rootward.rules.simplify.express import cost, shortest_alternatives
from rootward.rules.simplify.minimise import Column, Minimiser, find_cheapest_cover
from rootward.space.fields import Bool, Choice, Ordinal, Text
from rootward.space.numeric_fields import Float, Int
from rootward.space.space import Space
from tests.properties import examples, few

NAN, INF = math.nan, math.inf
GEARS = ["P", "R", "N", "D"]


def rule(*conjunctions: str) -> Rule:
    """A rule from lines such as ``x < 5, gear = R``."""
    return Rule([[_atom(part) for part in line.split(",")] for line in conjunctions])


def _atom(text: str) -> Atom:
    field, op, value = text.split()
    constants: dict[str, Any] = {"true": True, "false": False, "none": None}
    try:
        return Atom(field, op, int(value))
    except ValueError:
        return Atom(field, op, constants[value] if value in constants else value if value in GEARS else float(value))


SPACE = Space({"gear": Choice(GEARS), "on": Bool(), "n": Int(0, 100), "x": Float(), "u": Float(0, 1), "k": Int(1, 4)})


@pytest.mark.parametrize(
    ("given", "space", "expected"),
    [
        (["x < 5", "x < 5, y = 1"], None, "x < 5"),  # absorption
        (["x < 5", "x = 5"], None, "x <= 5"),
        (["x < 5", "x >= 5"], None, "x < 5 or x >= 5"),  # neither NaN nor what is no number
        (["x < 5", "x >= 5"], SPACE, "x is not NaN"),
        (["u < 0.5", "u >= 0.5"], SPACE, "always"),
        (["x = 1", "x != 1"], None, "always"),
        (["x < 1, x > 2"], None, "never"),
        (["gear = R", "gear = N", "gear = D"], SPACE, "gear != P"),
        (["gear = R", "gear = N", "gear = D"], None, "gear in {D, N, R}"),
        (["gear = R", "gear = N"], SPACE, "gear in {N, R}"),
        (["gear != P, gear != D, x < 0"], SPACE, "x < 0 and gear in {N, R}"),
        (["on != false"], SPACE, "on = true"),
        (["on = true, x < 1", "on = false, x < 1"], SPACE, "x < 1"),
        (["n > 3", "n = 3", "n = 2"], SPACE, "n >= 2"),
        (["n > 3", "n >= 4, x < 0"], SPACE, "n > 3"),  # said in its own words
        (["n >= 4", "x < 0, n = 4"], SPACE, "n >= 4"),
        (["n >= 0"], SPACE, "always"),
        (["n > 100"], SPACE, "never"),
        (["n < 2.5", "n = 3"], SPACE, "n <= 3"),
        (["k = 2", "k = 3", "k = 4"], SPACE, "k != 1"),
        (["k > 1"], SPACE, "k > 1"),
        (["x = 0.0", "x = -0.0"], None, "x = 0.0"),
        (["x <= 5", "x > 5, y = 1"], None, "x <= 5 or (x > 5 and y = 1)"),
        (["a = 1, b = 1", "a = 1, b != 1", "c = 2, a != 1"], None, "a = 1 or c = 2"),
        (
            ["a = 1, b = 1", "a != 1, c = 1", "b = 1, c = 1"],  # the third is the consensus of the others
            None,
            "(a = 1 and b = 1) or (a != 1 and c = 1)",
        ),
        (["on = true, gear = P", "on = false", "gear != P"], SPACE, "always"),
        # The widest terms are not the shortest: each of these takes one atom less than a cover by maximal boxes.
        (["n <= 5, f = none", "n < 5, f = 1"], SPACE, "(n <= 5 and f is none) or (n < 5 and f = 1)"),
        (
            ["on = true, gear = P", "on = false, gear = R", "gear = D"],
            SPACE,
            "gear = D or (gear = P and on = true) or (gear = R and on = false)",
        ),
        (["n < 10, x = nan", "n >= 10, x = nan"], SPACE, "x is NaN"),
    ],
)
def test_examples(given: list[str], space: Space | None, expected: str) -> None:
    assert str(rule(*given).simplify(space)) == expected


# Meaning, judged by evaluation on concrete values.

PROBES: list[Any] = [
    *(0, 1, 2, 3, 1.0, 0.0, -0.0, 0.5, 1.5, 1.75, -1, 2.5, NAN, INF, -INF, 2**53, 2**53 + 1, math.nextafter(1, 2)),
    *(True, False, None, "", "P", "PQ", "R", "Z", (1,), b"P"),
]
CONSTANTS = [0, 1, 2, 0.0, -0.0, 1.5, NAN, INF, 2**53, True, None, "P", "R"]
ORDERABLE = [value for value in CONSTANTS if value is not None and value is not True]


def free_atoms(field: str) -> st.SearchStrategy[Atom]:
    equal = st.builds(Atom, st.just(field), st.sampled_from(["=", "!="]), st.sampled_from(CONSTANTS))
    ordered = st.builds(Atom, st.just(field), st.sampled_from(["<", "<=", ">", ">="]), st.sampled_from(ORDERABLE))
    return equal | ordered


free_rules = st.lists(st.lists(free_atoms("a") | free_atoms("b"), max_size=3), max_size=5).map(Rule)


@examples(120)
@given(free_rules)
def test_the_same_meaning_for_any_value(given: Rule) -> None:
    found = given.simplify()
    assert found.length <= given.length
    for a, b in itertools.product(PROBES, repeat=2):
        assert found.holds({"a": a, "b": b}) == given.holds({"a": a, "b": b}), (a, b)


@examples(80)
@given(free_rules, free_rules)
def test_implication_and_equivalence_are_those_of_evaluation(one: Rule, other: Rule) -> None:
    pairs = [{"a": a, "b": b} for a, b in itertools.product(PROBES, repeat=2)]
    held = [(one.holds(pair), other.holds(pair)) for pair in pairs]
    # The probes reach every cell that the constants above can cut, so they decide both ways.
    assert one.implies(other) == all(b for a, b in held if a)
    assert one.equivalent(other) == all(a == b for a, b in held)
    assert (one & other).holds_many(pairs).tolist() == [a and b for a, b in held]
    assert (one | other).holds_many(pairs).tolist() == [a or b for a, b in held]


@examples(80)
@given(st.lists(st.lists(free_atoms("a") | free_atoms("b"), max_size=2), max_size=3).map(Rule))
def test_complement(given: Rule) -> None:
    by_field = {atom.field: type(atom.value) for one in given.conjunctions for atom in one if atom.op[0] in "<>"}
    atoms = [atom for one in given.conjunctions for atom in one]
    assume(
        all(isinstance(atom.value, str) == (by_field.get(atom.field) is str) for atom in atoms if atom.op[0] in "<>")
    )
    opposite = ~given
    for a, b in itertools.product(PROBES, repeat=2):
        # A field compared by order is taken to hold what can be ordered.
        if _fits(a, by_field.get("a")) and _fits(b, by_field.get("b")):
            assert opposite.holds({"a": a, "b": b}) is not given.holds({"a": a, "b": b}), (a, b)


def _fits(value: Any, ordered: type | None) -> bool:
    if ordered is None:
        return True
    return isinstance(value, str) if ordered is str else type(value) in (int, float)


def test_complement_of_an_ordering() -> None:
    assert str(~rule("x < 0")) == "x >= 0 or x is NaN"
    assert str(rule("x < 0").complement(Space({"x": Float(-1, 1)}))) == "x >= 0"
    assert str(rule("x < 0").complement(Space({"x": Int()}))) == "x >= 0"
    assert str(~rule("gear = P")) == "gear != P"
    assert str(~rule("gear = P, x = nan")) == "gear != P or x is not NaN"
    assert str(~Rule.never()) == "always"
    assert str(~Rule.always()) == "never"


# With a space: all members of small domains, or a member of each cell.

DOMAINS: dict[str, Any] = {
    "b": Bool(),
    "c": Choice(["P", "R", "N"]),
    "i": Int(0, 3),
    "j": Int(0, 100),
    "o": Ordinal([1, 2, 3]),
    "f": Float(),
    "u": Float(0, 2),
    "t": Text(),
    "z": Choice([0, -0.0, 1]),
    "m": Choice([None, True, 1, "P"]),
}
MEMBERS: dict[str, list[Any]] = {
    **{name: list(DOMAINS[name].values) for name in "bciozm"},
    "j": list(range(8)),
    "f": [-1.0, -0.0, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0, NAN, INF, -INF],
    "u": [0.0, 0.5, 1.0, 1.5, 2.0],
    "t": ["", "A", "P", "PP", "R", "S"],
}


@st.composite
def spaced_atoms(draw: st.DrawFn, names: str) -> Atom:
    name = draw(st.sampled_from(names))
    if name in "bcm":
        return Atom(name, draw(st.sampled_from(["=", "!="])), draw(st.sampled_from([*MEMBERS[name], "elsewhere"])))
    constants: list[Any] = ["P", "R"] if name == "t" else [1, 2, 1.5, 0, -0.0]
    return Atom(name, draw(st.sampled_from(["=", "!=", "<", "<=", ">", ">="])), draw(st.sampled_from(constants)))


@st.composite
def spaced_rules(draw: st.DrawFn, sizes: list[int]) -> tuple[Rule, Space]:
    names = "".join(draw(st.lists(st.sampled_from(sorted(DOMAINS)), min_size=1, max_size=3, unique=True)))
    lines = draw(st.lists(st.lists(spaced_atoms(names), min_size=1, max_size=3), max_size=max(sizes)))
    return Rule(lines), Space({name: DOMAINS[name] for name in names})


@examples(100)
@given(spaced_rules([6]))
def test_the_same_meaning_within_a_space(given: tuple[Rule, Space]) -> None:
    rule, space = given
    found, opposite = rule.simplify(space), rule.complement(space)
    assert found.length <= rule.length
    for values in itertools.product(*(MEMBERS[name] for name in space)):
        configuration = dict(zip(space, values, strict=True))
        assert found.holds(configuration) == rule.holds(configuration)
        assert opposite.holds(configuration) is not rule.holds(configuration)


def test_a_field_that_the_space_does_not_have_may_hold_anything() -> None:
    assert str(rule("other = 1", "other != 1, on = true").simplify(SPACE)) == "on = true or other = 1"


# Minimality, against brute force: all atoms for one field, then all boxes for a rule.


@pytest.mark.parametrize(
    ("constants", "domain", "ordered"),
    [
        ([1, 3], None, True),
        ([1, NAN, None], None, False),
        ([0, -0.0], None, True),
        ([-0.0, 2], None, True),
        ([INF, 0], None, True),
        ([-INF, INF], None, True),
        (["a", "b"], None, True),
        (["", "a"], None, True),
        ([1, None, True], None, False),
        ([2, 5], Int(0, 100), True),
        ([2.5, 5], Int(0, 100), True),
        ([2, 0.0, -0.0], Float(), True),
        ([1, 2], Float(0, 2), True),
        ([1], Choice([1, 2, "a", None, True]), False),
        ([1, 3], Ordinal([1, 2, 3, 4, 5]), False),
        ([0, -0.0], Choice([0, -0.0, 1, 2]), True),
        (["b"], Text(), True),
    ],
)
def test_a_set_of_cells_takes_the_fewest_atoms(constants: list[Any], domain: Any, ordered: bool) -> None:
    atoms = [Atom("x", "=", value) for value in constants]
    atoms += [Atom("x", "<", value) for value in constants] if ordered else []
    axis = CellAxis("x", atoms, domain)
    known = [value for slot in axis.slots if slot.is_point for value in slot.witnesses] + constants
    chains = {slot.chain for slot in axis.slots}
    orderable = [value for value in known if ("text" if isinstance(value, str) else "number") in chains]
    pool = {Atom("x", op, value) for value in known for op in ("=", "!=")}
    pool |= {Atom("x", op, value) for value in orderable if type(value) is not bool for op in ("<", "<=", ">", ">=")}
    fewest = _fewest(axis, sorted(pool))
    for mask in range(1, axis.full):
        assert cost(axis, mask) == fewest.get(mask), mask
        assert mask not in fewest or _mask(axis, mask) == mask


def _mask(axis: CellAxis, mask: int) -> int:
    found = 0
    for one in shortest_alternatives(axis, mask) or ():
        here = axis.full
        for atom in one:
            here &= axis.mask(atom)
        found |= here
    return found


def _fewest(axis: CellAxis, pool: list[Atom]) -> dict[int, int]:
    """For each set of cells that a disjunction of conjunctions of the pool's atoms can say, the fewest atoms."""
    single: dict[int, int] = {}
    for size in (1, 2, 3, 4):
        for chosen in itertools.combinations(sorted({axis.mask(atom) for atom in pool}), size):
            mask = axis.full
            for part in chosen:
                mask &= part
            single.setdefault(mask, size)
    return _distances({mask: size for mask, size in single.items() if mask})


def _distances(steps: Mapping[int, int], goal: int | None = None) -> dict[int, int]:
    """The cheapest unions: Dijkstra's algorithm over sets. With a goal, only unions that grow towards it."""
    known, queue = {0: 0}, [(0, 0)]
    while queue:
        price, covered = heapq.heappop(queue)
        if covered == goal:
            break
        if price > known[covered]:
            continue
        missing = -1 if goal is None else (goal & ~covered) & -(goal & ~covered)
        for rows, extra in steps.items():
            if rows & missing and price + extra < known.get(covered | rows, 10**9):
                known[covered | rows] = price + extra
                heapq.heappush(queue, (price + extra, covered | rows))
    return known


@examples(70)
@given(spaced_rules([4]) | free_rules.map(lambda rule: (rule, None)))
def test_small_rules_become_as_short_as_any_can_be(given: tuple[Rule, Space | None]) -> None:
    rule, space = given
    algebra = Algebra(rule.terms, space)
    assume(math.prod(axis.full.bit_count() for axis in algebra.axes) <= 18)
    boxes = algebra.boxes(rule.terms)
    assert rule.simplify(space).length == _shortest(algebra, boxes)


def _shortest(algebra: Algebra, boxes: list[Box]) -> int:
    cells = list(itertools.product(*([1 << bit for bit in range(len(axis.witnesses))] for axis in algebra.axes)))

    def rows(masks: tuple[int, ...]) -> int:
        inside = (all(a & b for a, b in zip(cell, masks, strict=True)) for cell in cells)
        return sum(1 << row for row, fits in enumerate(inside) if fits)

    union = 0
    for box in boxes:
        union |= rows(tuple(box.get(index, full) for index, full in enumerate(algebra.full)))
    sides = [[(mask, cost(axis, mask)) for mask in range(1, axis.full + 1)] for axis in algebra.axes]
    steps: dict[int, int] = {}
    for choice in itertools.product(*([side for side in one if side[1] is not None] for one in sides)):
        found = rows(tuple(mask for mask, _ in choice))
        if found & ~union == 0:
            steps[found] = min(steps.get(found, 10**9), sum(price or 0 for _, price in choice))
    return _distances(steps, union)[union]


@examples(60)
@given(spaced_rules([8]))
def test_the_method_for_larger_rules_keeps_the_meaning_too(given: tuple[Rule, Space]) -> None:
    rule, space = given
    algebra = Algebra(rule.terms, space)
    improved = Rule.of_terms(algebra.terms(Minimiser(algebra.axes)._improve(algebra.boxes(rule.terms))))
    assert improved.equivalent(rule, space)
    assert rule.simplify(space).length <= improved.length


@examples(100)
@given(st.lists(st.tuples(st.integers(1, 255), st.integers(1, 6)), min_size=1, max_size=12))
def test_covers_are_the_cheapest(given: list[tuple[int, int]]) -> None:
    columns = [Column(rows, weight) for rows, weight in given]
    union = functools.reduce(operator.or_, (rows for rows, _ in given))
    steps: dict[int, int] = {}
    for rows, weight in given:
        steps[rows] = min(weight, steps.get(rows, weight))
    chosen = find_cheapest_cover(columns, union, 100_000)
    assert chosen is not None
    assert functools.reduce(operator.or_, (columns[index].rows for index in chosen)) == union
    assert sum(columns[index].weight for index in chosen) == _distances(steps, union)[union]
    assert find_cheapest_cover(columns, union, 0) is None


@examples(100)
@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7), st.integers(0, 7)), min_size=1, max_size=8))
def test_coverage_is_that_of_the_cells(given: list[tuple[int, int, int]]) -> None:
    first, *others = [{axis: mask or 7 for axis, mask in enumerate(masks)} for masks in given]
    expected = _cells(first) <= set().union(*map(_cells, others))
    sparse = [{axis: mask for axis, mask in box.items() if mask != 7} for box in others]
    assert is_covered(first, sparse, [7, 7, 7]) == expected
    near = helpers(first, sparse, [7, 7, 7], unreached_cells(sparse, [7, 7, 7]))
    assert is_covered(first, near, [7, 7, 7]) == expected


def test_primes_are_all_maximal_boxes() -> None:
    rng = random.Random(1)
    full = [0b111, 0b11, 0b1111]
    every = [dict(enumerate(masks)) for masks in itertools.product(*(range(1, one + 1) for one in full))]
    cells = [_cells(box) for box in every]
    for _ in range(20):
        boxes = rng.sample(every, 4)
        union = set().union(*map(_cells, boxes))
        inside = [(box, here) for box, here in zip(every, cells, strict=True) if here <= union]
        maximal = [box for box, here in inside if not any(here < other for _, other in inside)]
        found = primes([{k: v for k, v in box.items() if v != full[k]} for box in boxes], full, 1000)
        assert found is not None
        expanded = [{k: box.get(k, full[k]) for k in range(3)} for box in found]
        assert sorted(map(str, expanded)) == sorted(map(str, maximal))


def _cells(box: Box) -> set[tuple[int, ...]]:
    return set(itertools.product(*([bit for bit in range(4) if mask >> bit & 1] for mask in box.values())))


# Determinism and time.

_PROGRAM = """
import random, sys
from rootward.rules import Atom, Rule
rng = random.Random(int(sys.argv[1]))
lines = [[Atom(f, "=", rng.randint(0, 2)) for f in rng.sample("abcdef", 3)] for _ in range(40)]
bounds = [Atom("g", op, value) for op in ("<", ">=") for value in (1, 2.5)]
lines += [[rng.choice(bounds), Atom("t", "!=", rng.choice("pqr"))] for _ in range(6)]
rule = Rule({frozenset(line) for line in lines})
print(rule, rule.conjunctions, rule.simplify(), ~Rule(lines[40:]), rule.to_dict(), rule.to_python())
"""


def test_the_same_in_every_process() -> None:
    runs = [_run(seed) for seed in ("0", "1")]
    assert runs[0] == runs[1]
    assert len(runs[0]) > 1000


def _run(hash_seed: str) -> str:
    command = [sys.executable, "-c", _PROGRAM, "7"]
    done = subprocess.run(command, env={"PYTHONHASHSEED": hash_seed}, capture_output=True, text=True, check=True)
    return done.stdout


@examples(40)
@given(free_rules, st.randoms(use_true_random=False))
def test_the_order_of_the_input_does_not_matter(given: Rule, rng: random.Random) -> None:
    shuffled = list(given.conjunctions)
    rng.shuffle(shuffled)
    assert Rule(shuffled) == Rule(given.conjunctions)
    assert Rule(shuffled).simplify() == Rule(given.conjunctions).simplify()


@pytest.mark.parametrize("kind", few(1, ["float", "choice", "bool"]))
@pytest.mark.parametrize("atoms", few(1, [3, 6]))
def test_two_hundred_conjunctions_over_thirty_fields(kind: str, atoms: int) -> None:
    rng = random.Random(5)
    names = [f"f{number:02}" for number in range(30)]
    domain: Any = {"choice": Choice(range(5)), "bool": Bool(), "float": Float()}[kind]
    draw = {
        "choice": lambda name: Atom(name, "=", rng.randrange(5)),
        "bool": lambda name: Atom(name, "=", rng.random() < 0.5),
        "float": lambda name: Atom(name, rng.choice(["<", ">="]), rng.gauss(0, 1)),
    }[kind]
    given = Rule([[draw(name) for name in rng.sample(names, atoms)] for _ in range(200)])
    space = Space(dict.fromkeys(names, domain))
    start = time.process_time()
    found = given.simplify(space)
    assert time.process_time() - start < 50  # about 0.5 s; the machine may be slow
    assert found.length <= given.length
    assert found.equivalent(given, space)


def test_a_grid_of_cases_collapses() -> None:
    lines = [
        [Atom("a", "=", a), Atom("b", "=", b), Atom("c", "=", c)] for a in range(6) for b in range(6) for c in (0, 1)
    ]
    found = Rule(lines).simplify(Space({"a": Int(0, 20), "b": Int(0, 5), "c": Bool()}))
    assert str(found) == "never"  # c is a bool, which is never 0
    found = Rule(lines).simplify(Space({"a": Int(0, 20), "b": Int(0, 5), "c": Choice([0, 1, 2])}))
    assert str(found) == "a <= 5 and c != 2"


def test_a_product_of_sets_stays_small() -> None:
    sets = {f"f{number}": [value * 2 for value in range(20)] for number in range(50)}
    product = Rule.product(sets)
    assert product.length == 1000
    assert product.holds(dict.fromkeys(sets, 4))
    assert not product.holds({**dict.fromkeys(sets, 4), "f7": 5})
    assert product.simplify() == product
    assert Rule.from_dict(product.to_dict()) == product
    with pytest.raises(InputError, match="conjunctions"):
        product.conjunctions  # noqa: B018
    assert Rule.product({"a": [1, 2], "b": []}) == Rule.never()
    assert Rule.product({}) == Rule.always()
