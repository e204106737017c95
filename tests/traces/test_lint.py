"""Every rule has a model that breaks it and one that does not; what is possible is compared with trying everything."""

from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.traces.linting import LintRemark, lint
from rootward.traces.linting.feasibility import is_possible
from rootward.traces.model.event import Event
from rootward.traces.model.guard import FALSE, TRUE, Bound, Const, Param, Term, Var, compare
from rootward.traces.model.guard import Test as Compared
from rootward.traces.model.model import UNKNOWN, Component, Edge, Location, Model
from rootward.traces.model.overlap import DOUBT, NO, YES, can_both_match
from rootward.traces.model.pattern import Derived, Pattern
from tests.properties import examples

MS = 1000


def ctr() -> Model:
    """The counter of the paper: an operation at a time, and a value that expires."""

    def on(source: str, target: str, text: str, **more: object) -> Edge:
        return Edge(source, target, Pattern(text), **more)  # type: ignore[arg-type]

    operations = Component(
        "operations",
        tuple(map(Location, ("p0", "p1", "p2", "p3"))),
        ("p0",),
        (
            on("p0", "p1", "req CTR set <val>"),
            on("p1", "p0", "res CTR ack <val:int>", set={"ctx": Param("val")}),
            on("p1", "p0", "res CTR fail"),
            on("p0", "p2", "req CTR get"),
            on("p2", "p0", "res CTR ret <val:int>", when=((Compared(Var("ctx"), "=", Param("val")),),)),
            on("p0", "p3", "req CTR log ..."),
            on("p3", "p0", "res CTR done"),
        ),
        deterministic=True,
    )
    expired = ((Bound("clk", ">=", 50 * MS), Bound("clk", "<", 55 * MS)),)
    expiry = Component(
        "expiry",
        (Location("p5"), Location("p4", stay=((Bound("clk", "<", 55 * MS),),))),
        ("p5",),
        (
            on("p4", "p4", "res CTR ack ...", reset=frozenset({"clk"})),
            on("p5", "p4", "res CTR ack ...", reset=frozenset({"clk"})),
            Edge("p4", "p5", None, expired, {"ctx": Const(0)}),
        ),
        deterministic=True,
    )
    return Model("CTR", (operations, expiry), {"ctx": 0}, {"clk": UNKNOWN})


def one(*edges: Edge, deterministic: bool = False, **locations: Location) -> Model:
    """A component C of the locations that the edges name, with the variables x and y and the clock c."""
    names = dict.fromkeys(("a", *(name for edge in edges for name in (edge.source, edge.target)), *locations))
    component = Component(
        "C", tuple(locations.get(name, Location(name)) for name in names), ("a",), edges, deterministic=deterministic
    )
    return Model("M", (component,), {"x": 0, "y": 1, "u": UNKNOWN}, {"c": 0})


def data(left: str, op: str, right: object) -> Compared:
    term: Term = Param(left[1:]) if left[0] == "$" else Var(left)
    return Compared(term, op, right if isinstance(right, tuple | Var | Param) else Const(right))  # type: ignore[arg-type]


def only(model: Model) -> LintRemark:
    (remark,) = lint(model)
    assert remark.text.endswith(".")
    return remark


def quiet(model: Model) -> bool:
    return not lint(model)


A = Pattern("res C a")


def test_a_sound_model_has_no_remarks() -> None:
    assert lint(ctr()) == []


# Names


@pytest.mark.parametrize(
    ("edge", "name"),
    [
        (Edge("a", "a", A, ((data("z", "=", 1),),)), "variable z"),
        (Edge("a", "a", A, ((data("x", "=", Var("z")),),)), "variable z"),
        (Edge("a", "a", A, ((Bound("z", "<", 1),),)), "clock z"),
        (Edge("a", "a", A, ((data("$z", "=", 1),),)), "$z"),
        (Edge("a", "a", None, ((data("$z", "=", 1),),)), "$z"),
        (Edge("a", "a", A, set={"z": Const(1)}), "variable z"),
        (Edge("a", "a", A, set={"x": Var("z")}), "variable z"),
        (Edge("a", "a", A, set={"x": Param("z")}), "$z"),
        (Edge("a", "a", A, reset=frozenset({"z"})), "clock z"),
        (Edge("a", "a", Pattern("/(/")), "pattern"),
        (Edge("a", "a", Pattern("res <v>", (Derived("d", str, ("z",)),))), "$z"),
    ],
)
def test_undeclared_names(edge: Edge, name: str) -> None:
    remark = only(one(edge))
    assert remark.severity == "error"
    assert remark.where == f"edge a -> a ({edge.on or 'time'})"
    assert name in remark.text


def test_declared_names() -> None:
    blank = Pattern("res <v>", (Derived("d", str, ("v",)), Derived("e", str, ("d",))))
    when = ((data("x", "=", Param("e")), Bound("c", "<", 1)),)
    assert quiet(one(Edge("a", "a", blank, when, {"x": Param("d"), "y": Var("x")}, frozenset({"c"}))))


def test_locations_that_are_not_there() -> None:
    twice = Component("C", (Location("a"), Location("a")), ("b",), (Edge("a", "z", A),))
    texts = [str(remark) for remark in lint(Model("M", (twice, twice)))]
    assert any("2 components" in text for text in texts)
    assert any("location a: it is declared 2 times" in text for text in texts)
    assert any("location b: it is initial, but not declared" in text for text in texts)
    assert any("edge a -> z (res C a): the location z is not declared" in text for text in texts)
    assert "there is no initial location" in only(Model("M", (Component("C", (Location("a"),), (), ()),))).text


def test_names_in_the_conditions_of_a_location() -> None:
    remark = only(one(a=Location("a", stay=((data("$v", "=", 1),),))))
    assert (remark.where, remark.severity) == ("location a", "error")
    assert "$v" in remark.text


# Edges that can never fire, and what lies behind them


@pytest.mark.parametrize(
    "when",
    [
        ((Bound("c", "<", 5), Bound("c", ">=", 5)),),
        ((Bound("c", "<", 0),),),
        ((data("u", "=", 1), data("u", "!=", 1)),),
        ((data("u", "in", (1, 2)), data("u", ">", 2)), (data("u", "in", ()),)),
        ((data("u", "<", 2), data("u", ">", 0), data("u", "!=", 1)),),
        ((data("u", "<", 2), data("u", ">", "a")),),
        ((data("u", "<", Var("x")), data("x", "<", Var("u"))),),
    ],
)
def test_a_contradiction(when: tuple[tuple[Compared, ...], ...]) -> None:
    model = one(Edge("a", "a", Pattern("res <v:int>"), when, {"x": Param("v")}))
    remark = only(model)
    assert (remark.severity, remark.where) == ("error", "edge a -> a (res <v:int>)")
    assert "contradicts itself" in remark.text


def test_a_text_that_is_taken_for_a_number() -> None:
    assert "write <name:int>" in only(one(Edge("a", "a", Pattern("s <v>"), ((data("$v", "=", 1),),)))).text
    assert quiet(one(Edge("a", "a", Pattern("s <v:hex>"), ((data("$v", "=", 1),),))))


def test_a_value_that_is_never_held() -> None:
    write = Edge("a", "a", A, set={"x": Const(3), "y": Var("x")})
    assert "x never has" in only(one(write, Edge("a", "a", A, ((data("x", "=", 7),),)))).text
    assert "y never has" in only(one(write, Edge("a", "a", A, ((data("y", "in", (4, 5)),),)))).text
    assert quiet(one(write, Edge("a", "a", A, ((data("y", "=", 3),),))))
    assert quiet(one(write, Edge("a", "a", A, ((data("u", "=", 7),),))))
    listed = Edge("a", "a", Pattern("s <v:int>"), ((data("$v", "in", (1, 2)),),), {"x": Param("v")})
    assert "x never has" in only(one(listed, Edge("a", "a", A, ((data("x", "=", 7),),)))).text
    free = Edge("a", "a", Pattern("s <v:int>"), set={"x": Param("v")})
    assert quiet(one(free, Edge("a", "a", A, ((data("x", "=", 7),),))))


def test_an_invariant_keeps_an_edge_from_firing() -> None:
    limit = Location("a", invariant=((Bound("c", "<=", 5),),))
    assert "invariant of a" in only(one(Edge("a", "b", A, ((Bound("c", ">", 5),),)), Edge("a", "b", A), a=limit)).text
    assert quiet(one(Edge("a", "b", A, ((Bound("c", ">=", 5),),)), a=limit))
    entered = Location("b", invariant=((Bound("c", "<=", 5),),))
    back = Edge("b", "a", A)
    late = ((Bound("c", ">", 5),),)
    assert "invariant of b" in lint(one(Edge("a", "b", A, late), back, b=entered))[-1].text
    assert quiet(one(Edge("a", "b", A, late, reset=frozenset({"c"})), back, b=entered))


def test_unreachable_locations() -> None:
    assert only(one(Edge("b", "a", A))).where == "location b"
    assert quiet(one(Edge("a", "b", A), Edge("b", "a", A)))
    closed = ((Bound("c", "<", 0),),)
    behind = lint(one(Edge("a", "b", A, closed), Edge("b", "d", A)))
    assert [remark.where for remark in behind] == ["location b", "location d", "edge a -> b (res C a)"]


def test_an_event_can_be_known_and_forbidden() -> None:
    assert quiet(one(Edge("a", "a", A, FALSE)))


# Promises


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (Edge("a", "a", A), Edge("a", "b", A), "error"),
        (Edge("a", "a", A), Edge("a", "b", Pattern("res C b")), None),
        (Edge("a", "a", A), Edge("a", "b", Pattern("res * ...")), "error"),
        (Edge("a", "a", A), Edge("a", "b", Pattern("/res . a/")), "error"),
        (Edge("a", "a", A), Edge("a", "b", Pattern("/res . b/")), None),
        (Edge("a", "a", Pattern("res <v>")), Edge("a", "b", Pattern("/res .*z/")), "warning"),
        (Edge("a", "a", Pattern("/res [ab]/")), Edge("a", "b", Pattern("/res [bc]/")), "warning"),
        (Edge("a", "a", Pattern("/res [ab]/")), Edge("a", "b", Pattern("/req [ab]/")), None),
        (Edge("a", "a", Pattern("r <p=01[0-9]*>")), Edge("a", "b", Pattern("r <p=81[0-9]*>")), None),
        (Edge("a", "a", Pattern("r <p=(?!x)\\S+>")), Edge("a", "b", Pattern("r x")), None),
        (Edge("a", "a", A, ((data("u", "=", 0),),)), Edge("a", "b", A, ((data("u", "!=", 0),),)), None),
        (Edge("a", "a", A, ((data("u", "=", 0),),)), Edge("a", "b", A, ((data("u", "<", 1),),)), "warning"),
        (
            Edge("a", "a", Pattern("r <v:int>"), ((data("u", "=", Param("v")),),)),
            Edge("a", "b", Pattern("r <w:int>"), ((data("u", "!=", Param("w")),),)),
            None,
        ),
        (
            Edge("a", "a", Pattern("r <v:int>"), ((data("$v", "<", 5),),)),
            Edge("a", "b", Pattern("r 7")),
            None,
        ),
        (Edge("a", "a", None, ((Bound("c", "<", 5),),)), Edge("a", "b", None, ((Bound("c", ">=", 5),),)), None),
        (Edge("a", "a", None, ((Bound("c", "<", 5),),)), Edge("a", "b", None, ((Bound("c", ">", 3),),)), "warning"),
        (Edge("a", "a", None), Edge("a", "b", A), None),
        (Edge("a", "b", A), Edge("a", "b", Pattern("res ...")), None),
    ],
)
def test_determinism(first: Edge, second: Edge, expected: str | None) -> None:
    loop = Edge("b", "a", Pattern("back"))
    found = lint(one(first, second, loop, deterministic=True))
    assert [remark.severity for remark in found] == ([expected] if expected else [])
    assert all("deterministic" in remark.text for remark in found)
    assert quiet(one(first, second, loop))


def test_an_invariant_may_decide_between_two_edges() -> None:
    early = Location("b", invariant=((Bound("c", "<=", 5),),))
    model = one(Edge("a", "a", A), Edge("a", "b", A), Edge("b", "a", A), b=early, deterministic=True)
    assert only(model).severity == "warning"


WORDS = st.sampled_from(["a", "7", "F", "*", "...", "(a|7)", "<v>", "<v:int>", "<v:hex>", "<v=[ab]>", "<v:...>"])
EVENTS = [Event(0, " ".join(words), "", "") for size in range(1, 7) for words in product("a7F", repeat=size)]
"""All that two patterns of three words can need to meet."""


@given(st.lists(WORDS, min_size=1, max_size=3), st.lists(WORDS, min_size=1, max_size=3))
def test_patterns_meet_when_an_event_matches_both(one: list[str], other: list[str]) -> None:
    first, second = (Pattern(" ".join(w.replace("v", f"v{n}") for n, w in enumerate(words))) for words in (one, other))
    both = any(first.match(event) is not None and second.match(event) is not None for event in EVENTS)
    assert can_both_match(first, second) in ((YES, DOUBT) if both else (NO, DOUBT))
    if "<v=[ab]>" not in (*one, *other):
        assert can_both_match(first, second) == (YES if both else NO)


# Cycles of time


def test_zeno_cycles() -> None:
    reset = frozenset({"c"})
    assert only(one(Edge("a", "a", None, reset=reset))).severity == "error"
    waits = ((Bound("c", ">=", 5),),)
    assert quiet(one(Edge("a", "a", None, waits, reset=reset)))
    assert only(one(Edge("a", "a", None, waits, set={"x": Const(0)}))).severity == "warning"
    assert quiet(one(Edge("a", "b", None, waits, reset=reset), Edge("b", "a", None)))
    cycle = only(one(Edge("a", "b", None), Edge("b", "a", None)))
    assert (cycle.where, cycle.severity) == ("cycle a -> b -> a", "error")
    assert quiet(one(Edge("a", "a", None)))


def test_a_cycle_that_ends_itself() -> None:
    once = Edge("a", "a", None, ((data("u", "!=", 1),),), {"u": Const(1)})
    assert quiet(one(once))
    assert only(one(Edge("a", "a", None, ((data("u", "!=", 1),),), {"u": Const(2)}))).severity == "warning"
    delayed = Edge("a", "a", None, ((data("u", "=", 1),),), {"u": Var("x"), "x": Var("y"), "y": Const(2)})
    assert [r.text for r in lint(one(delayed)) if "in no time" in r.text] == []


def test_cycles_whose_updates_are_not_idempotent() -> None:
    rearmed = {"when": ((Bound("c", ">=", 5),),), "reset": frozenset({"c"})}
    swap = Edge("a", "a", None, set={"x": Var("y"), "y": Var("x")}, **rearmed)  # type: ignore[arg-type]
    remark = only(one(swap))
    assert (remark.severity, "x, y" in remark.text) == ("warning", True)
    assert quiet(one(Edge("a", "a", None, set={"x": Var("y"), "u": Const(1)}, **rearmed)))  # type: ignore[arg-type]
    there = Edge("a", "b", None, set={"x": Var("y")}, **rearmed)  # type: ignore[arg-type]
    assert quiet(one(there, Edge("b", "a", None, set={"y": Var("x")})))


# Waiting


def test_stay_conditions_that_never_hold() -> None:
    leave = Edge("a", "a", A)
    bounds = ((Bound("c", "<", 5), Bound("c", ">", 5)),)
    assert only(one(leave, a=Location("a", stay=bounds))).severity == "error"
    assert only(one(leave, a=Location("a", stay=FALSE))).severity == "warning"
    assert quiet(one(leave, a=Location("a", stay=((Bound("c", "<", 5),),))))
    assert "can never hold" in lint(one(leave, a=Location("a", invariant=bounds)))[0].text


def test_invariants_that_are_no_upper_bounds() -> None:
    leave = Edge("a", "a", A)
    assert only(one(leave, a=Location("a", invariant=((data("u", "=", 1),),)))).severity == "warning"
    assert only(one(leave, a=Location("a", invariant=((Bound("c", ">", 1),),)))).severity == "warning"
    assert quiet(one(leave, a=Location("a", invariant=((Bound("c", "<=", 9),),))))


def test_locations_that_trap() -> None:
    limit = ((Bound("c", "<", 5),),)
    into = Edge("a", "b", A)
    assert only(one(into, b=Location("b", stay=limit))).severity == "error"
    assert only(one(into, b=Location("b", invariant=limit))).where == "location b"
    closed = lint(one(into, Edge("b", "a", A, FALSE), b=Location("b", stay=limit)))
    assert [remark.where for remark in closed] == ["location b"]
    assert quiet(one(into, b=Location("b", stay=(*limit, ()))))
    assert quiet(one(into, Edge("b", "a", A), b=Location("b", stay=limit)))
    model = one(into, b=Location("b", stay=limit))
    helper = Component("H", (Location("h"),), ("h",), (Edge("h", "h", A, reset=frozenset({"c"})),))
    assert only(Model("M", (*model.components, helper), model.variables, model.clocks)).severity == "warning"


# What is possible

SMALL = (-1, 0, 1, 2, 3, "", "\0", "a", "a\0", "a\0\0", "b")
VARIABLES: list[Term] = [Var("x"), Var("y"), Param("p")]
CONSTANTS: st.SearchStrategy[Any] = st.sampled_from([0, 1, 2, "", "a", "a\0"])
OPERATORS = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])
TERMS = st.sampled_from(VARIABLES)
TESTS = st.one_of(
    st.builds(Compared, TERMS, OPERATORS, st.one_of(CONSTANTS.map(Const), TERMS)),
    st.builds(Compared, CONSTANTS.map(Const), OPERATORS, TERMS),
    st.builds(Compared, TERMS, st.sampled_from(["in", "not in"]), st.lists(CONSTANTS, max_size=3).map(tuple)),
)
GRID: list[int | str] = [*range(-3, 6), *("\0" * n for n in range(4)), *("a" + "\0" * n for n in range(5))]


def holds(atom: Compared, values: dict[Term, int | str]) -> bool:
    def value(term: Term) -> int | str:
        return term.value if isinstance(term, Const) else values[term]

    return compare(value(atom.left), atom.op, atom.right if isinstance(atom.right, tuple) else value(atom.right))


@examples(150)
@given(st.lists(TESTS, max_size=6))
def test_data_that_is_possible_is_found_by_trying_everything(tests: list[Compared]) -> None:
    used = [term for term in VARIABLES if any(term in (atom.left, atom.right) for atom in tests)]
    tried = any(
        all(holds(atom, dict(zip(used, values, strict=True))) for atom in tests)
        for values in product(GRID, repeat=len(used))
    )
    assert is_possible(tests) == tried


@given(st.lists(TESTS, max_size=6), st.sets(st.sampled_from(SMALL), max_size=4), st.sets(st.sampled_from(SMALL)))
def test_data_with_known_values(tests: list[Compared], xs: set[int | str], ys: set[int | str]) -> None:
    domains = {Var("x"): frozenset(xs), Var("y"): frozenset(ys)}
    tests = [atom for atom in tests if Param("p") not in (atom.left, atom.right)]
    used = [term for term in domains if any(term in (atom.left, atom.right) for atom in tests)]
    tried = any(
        all(holds(atom, dict(zip(used, values, strict=True))) for atom in tests)
        for values in product(*(domains[term] for term in used))
    )
    assert is_possible(tests, domains) == tried  # type: ignore[arg-type]


BOUNDS = st.builds(Bound, st.sampled_from(["c", "d"]), st.sampled_from(["<", "<=", ">", ">="]), st.integers(-1, 5))


@given(st.lists(BOUNDS, max_size=6))
def test_clocks_are_dense_and_never_negative(bounds: list[Bound]) -> None:
    """Half steps stand for all instants between two whole ones."""

    def fits(clock: str) -> bool:
        mine = [(bound.op, 2 * bound.limit) for bound in bounds if bound.clock == clock]
        return any(all(compare(now, op, limit) for op, limit in mine) for now in range(14))

    assert is_possible(bounds) == (fits("c") and fits("d"))


def test_hard_conjunctions_are_given_up_not_waited_for() -> None:
    """Ten values in nine places: deciding that takes long, so it counts as possible."""
    xs = [Var(f"x{n}") for n in range(10)]
    apart = [Compared(a, "!=", b) for n, a in enumerate(xs) for b in xs[:n]]
    within = [atom for x in xs for atom in (Compared(x, ">", Const(0)), Compared(x, "<", Const(10)))]
    assert is_possible([*apart, *within])
    assert is_possible([Compared(a, "<", b) for a, b in pairwise(xs)])


def test_the_rules_take_a_big_model_in_a_moment() -> None:
    edges = tuple(Edge("a", "a", Pattern(f"req C {n} <v>"), TRUE, {"x": Const(n)}) for n in range(150))
    assert lint(one(*edges, deterministic=True)) == []


# Answers that nobody judges


def answering(*answers: str) -> Model:
    edges = [
        Edge("a", "b", Pattern("req E Read ...")),
        *(Edge("b", "a", Pattern(one)) for one in answers),
    ]
    other = [Edge("a", "a", Pattern("res E Write NRC 22")), Edge("a", "a", Pattern("res E Write ..."), FALSE)]
    parts = (
        Component("reader", (Location("a"), Location("b")), ("a",), tuple(edges)),
        Component("writer", (Location("a"),), ("a",), tuple(other)),
    )
    return Model("answers", parts)


def test_answers_that_no_pattern_matches_are_told() -> None:
    [remark] = lint(answering("res E Read data", "res E Read NRC 22", "res E Read NRC 31"))
    assert (remark.severity, remark.component, remark.where) == ("warning", "reader", "answers of Read")
    assert remark.text.startswith("no pattern matches NRC 23, NRC 32, data0, so such an answer is ignored")
    [remark] = lint(answering("res E Read data"))
    assert "no pattern matches data0, so" in remark.text


@pytest.mark.parametrize("catching", ["res E Read ...", "res * Read <payload>", "/res \\S+ Read .*/"])
def test_answers_that_some_pattern_matches_are_judged(catching: str) -> None:
    caught = [catching, catching.replace("<payload>", "<one> <two>")]
    assert lint(answering("res E Read data", "res E Read NRC 31", *caught)) == []


def test_a_model_that_names_no_answer_is_not_told() -> None:
    assert lint(answering("res E Read <value>")) == []
