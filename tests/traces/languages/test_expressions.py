import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward import InputError
from rootward.traces.languages.expressions import Scope, TimeSpan, constant, guard, span, term
from rootward.traces.languages.nodes import Node, from_python
from rootward.traces.model.guard import FALSE, TRUE, Bound, Const, Param, Var, all_of, any_of, format_guard, none_of
from rootward.traces.model.guard import Test as Comparison
from tests.waiting import cpu_seconds

from .naive import holds

SCOPE = Scope(
    frozenset({"session", "sec", "seed"}),
    frozenset({"clk", "t"}),
    {"S3": TimeSpan(5_000_000), "slack": TimeSpan(200_000), "LEVEL": 3, "MODE": "fast"},
    {"sub": Param("sub"), "data": Param("data")},
)


def node(text: str) -> Node:
    return Node(text, "model.yaml, line 7")


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("session in [2,3]", "session in [2, 3]"),
        ("session not in [ 2 ]", "session not in [2]"),
        ("seed != none", "seed != none"),
        ("seed == 'a b'", "seed = a b"),
        ("session == LEVEL", "session = 3"),
        ("session in [LEVEL, 0x10, MODE]", "session in [3, 16, fast]"),
        ("session = -1", "session = -1"),
        ("session < LEVEL + 2 - 1", "session < 4"),
        ("3 < session", "session > 3"),
        ("seed == $data", "seed = $data"),
        ("seed = 0100", "seed = 0100"),
        ("clk < 50ms", "clk < 50 ms"),
        ("clk >= S3 + slack", "clk >= 5.2 s"),
        ("clk < 5 s", "clk < 5 s"),
        ("clk <= 200us", "clk <= 200 µs"),
        ("clk <= 0.5", "clk <= 500 µs"),
        ("clk > 20", "clk > 20 ms"),
        ("50ms <= clk", "clk >= 50 ms"),
        ("clk = 1ms", "clk <= 1 ms and clk >= 1 ms"),
        ("clk != 1ms", "clk < 1 ms or clk > 1 ms"),
        ("$sub == 1 and (clk < 50ms or not sec = 1)", "($sub = 1 and clk < 50 ms) or ($sub = 1 and sec != 1)"),
        ("not (sec = 1 or session = 2)", "sec != 1 and session != 2"),
        ("not not sec = 1", "sec = 1"),
        ("sec = 1 or sec = 2 and session = 3", "sec = 1 or (sec = 2 and session = 3)"),
        ("LEVEL >= 3 and sec = 1", "sec = 1"),
        ("LEVEL > 3 or sec = 1", "sec = 1"),
        ("S3 > 1s", "always"),
        ("always", "always"),
        ("not true", "never"),
        ("sec = 1 or always", "always"),
    ],
)
def test_what_an_expression_means(text, meaning):
    assert format_guard(guard(node(text), SCOPE)) == meaning


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected a name or a value, got 'the end'"),
        ("sesion = 1", "unknown variable, clock or parameter 'sesion': did you mean 'session'"),
        ("session", "expected a comparison"),
        ("session = ", "expected a name or a value"),
        ("session 1", "expected a comparison"),
        ("session = 1 sec = 2", "expected `and`, `or` or the end, got 'sec'"),
        ("(session = 1", "expected \\)"),
        ("session = 1)", "or the end, got '\\)'"),
        ("session in 3", "expected \\["),
        ("session in [3", "expected ,"),
        ("session in [sec]", "only numbers and texts"),
        ("$sbu = 1", "unknown parameter \\$sbu: did you mean 'sub'"),
        ("clk < seed", "the clock clk can be compared only with a duration such as 50ms, not with seed"),
        (
            "clk < t",
            "the clock t can be compared only with a duration|the clock clk can be compared only with a duration",
        ),
        ("clk < forever", "not with forever"),
        ("clk < $sub", "not with sub"),
        ("clk in [1, 2]", "a clock or duration cannot be in a list"),
        ("session = 5ms", "a duration can be compared only with a clock"),
        ("session = none + 1", "only numbers and durations can be added"),
        ("session + 1 = 2", "only numbers and durations can be added"),
        ("clk < 0.5us", "not a whole number of microseconds"),
        ("session = 1 # what", "unexpected character '#'"),
        ("session = " + "9" * 100, "is too long"),
        ("and = 1", "expected a name or a value, got 'and'"),
    ],
)
def test_what_is_no_expression(text, reason):
    with pytest.raises(InputError, match=reason) as error:
        guard(node(text), SCOPE)
    assert str(error.value).startswith("model.yaml, line 7: ")


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5000 + "sec = 1" + ")" * 4000,
        "not " * 2400 + "sec = 1",
        " and ".join(["(sec = 1 or sec = 2 or sec = 3)"] * 250),
        "not (" + " or ".join(["(sec = 1 and sec = 2 and session = 3)"] * 200) + ")",
        " or ".join(f"sec = {i}" for i in range(800)),
        "x" * 20_000,
    ],
)
def test_hostile_expressions_end_quickly(text):
    def refused():
        with pytest.raises(InputError):
            guard(node(text), SCOPE)

    assert cpu_seconds(refused) < 20


def test_an_alternative_that_is_negated_is_not_multiplied_out_first():
    many = " and ".join(f"(sec = {i} or session = {i})" for i in range(60))
    assert len(guard(node(many), SCOPE, negated=True)) == 60
    with pytest.raises(InputError, match="more than 500 alternatives"):
        guard(node(many), SCOPE)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("$sub", Param("sub")),
        ("session", Var("session")),
        ("none", Const("none")),
        ("LEVEL", Const(3)),
        ("7", Const(7)),
    ],
)
def test_terms(value, expected):
    assert term(node(value), SCOPE) == expected


def test_a_quoted_text_is_a_text_unless_it_names_a_parameter():
    assert term(Node("session", "", quoted=True), SCOPE) == Const("session")
    assert term(Node("12", "", quoted=True), SCOPE) == Const("12")
    assert term(Node("$sub", "", quoted=True), SCOPE) == Param("sub")
    assert term(from_python("0000", ""), SCOPE) == Const("0000")
    assert term(from_python("12", ""), SCOPE) == Const("12")
    assert term(from_python(12, ""), SCOPE) == Const(12)


@pytest.mark.parametrize("value", ["clk", "5ms", "S3", "a b", "session + 1"])
def test_what_no_variable_can_become(value):
    with pytest.raises(InputError):
        term(node(value), SCOPE)


def test_spans():
    assert span(node("S3 + 1"), SCOPE) == 5_001_000
    assert span(Node("50 ms", "", quoted=True), SCOPE) == 50_000
    assert constant(Node("50ms", "", quoted=True), SCOPE) == TimeSpan(50_000)
    for wrong in ("MODE", "soon", "-1", "0 - S3"):
        with pytest.raises(InputError, match="a duration such as 50ms"):
            span(node(wrong), SCOPE)


# Random conditions, as text and as a function that says the same.
NUMBERS = st.integers(-3, 3)
ORDER = st.sampled_from(["=", "==", "!=", "<", "<=", ">", ">="])
PYTHON = {"=": "=="}


@st.composite
def comparisons(draw):
    name = draw(st.sampled_from(["session", "sec", "$sub", "clk"]))
    if name != "clk" and draw(st.booleans()):
        values = draw(st.lists(NUMBERS, min_size=1, max_size=3))
        op = draw(st.sampled_from(["in", "not in"]))
        return f"{name} {op} {values}", f"{name.strip('$')} {op} {values}"
    op, right = (
        draw(ORDER),
        draw(NUMBERS if name == "clk" else st.one_of(NUMBERS, st.sampled_from(["session", "$sub"]))),
    )
    return f"{name} {op} {right}", f"{name.strip('$')} {PYTHON.get(op, op)} {str(right).strip('$')}"


def joined(parts):
    word, (left, right) = parts
    return f"({left[0]} {word} {right[0]})", f"({left[1]} {word} {right[1]})"


CONDITIONS = st.recursive(
    comparisons(),
    lambda inner: st.one_of(
        inner.map(lambda one: (f"not ({one[0]})", f"(not ({one[1]}))")),
        st.tuples(st.sampled_from(["and", "or"]), st.tuples(inner, inner)).map(joined),
    ),
    max_leaves=6,
)
ASSIGNMENTS = st.fixed_dictionaries(dict.fromkeys(["session", "sec", "sub", "clk"], NUMBERS))


@given(CONDITIONS, st.lists(ASSIGNMENTS, min_size=1, max_size=10), st.booleans())
def test_a_condition_holds_exactly_when_it_is_true(condition, assignments, negated):
    text, python = condition
    found = guard(node(text), SCOPE, negated=negated)
    for values in assignments:
        expected = eval(python, {}, values) != negated
        assert holds(found, values, values, {"clk": values["clk"] * 1000}) == expected


ATOMS = st.one_of(
    st.builds(
        Comparison, st.sampled_from([Var("a"), Var("b")]), ORDER.filter(lambda op: op != "=="), NUMBERS.map(Const)
    ),
    st.builds(Bound, st.just("c"), st.sampled_from(["<", "<=", ">", ">="]), NUMBERS),
)
GUARDS = st.lists(st.lists(ATOMS, max_size=3).map(tuple), max_size=3).map(tuple)


@given(GUARDS, GUARDS, NUMBERS, NUMBERS, NUMBERS)
def test_guards_combine_as_they_should(first, second, a, b, c):
    def true(one):
        return holds(one, {"a": a, "b": b}, {}, {"c": c})

    assert true(none_of(first)) != true(first)
    assert true(all_of([first, second])) == (true(first) and true(second))
    assert true(any_of([first, second])) == (true(first) or true(second))
    assert true(TRUE)
    assert not true(FALSE)
