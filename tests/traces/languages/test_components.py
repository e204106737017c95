import pickle
from pathlib import Path

import pytest

from rootward import InputError
from rootward.traces.languages import Draft, load_model
from rootward.traces.model.guard import Bound, Const, Param, format_guard
from rootward.traces.model.model import UNKNOWN

from .naive import component, knows, taken

MODELS = Path(__file__).parents[3] / "examples" / "models"


def test_the_ctr_of_the_paper():
    model = load_model(MODELS / "ctr.yaml")
    assert model.name == "CTR"
    assert model.variables == {"ctx": UNKNOWN}
    assert model.clocks == {"clk": UNKNOWN}
    assert model.params == {"T": "50 ms", "slack": "5 ms"}
    assert model.requirements["R1"].startswith("get returns the value")
    operations, expiry = model.components
    assert [one.name for one in operations.locations] == ["p0", "p1", "p2", "p3"]
    assert [one.name for one in expiry.locations] == ["p4", "p5"]
    assert operations.initial == ("p0",)
    assert expiry.locations[0].stay == ((Bound("clk", "<", 55_000),),)
    time = expiry.edges[-1]
    assert (time.on, format_guard(time.when), time.set) == (None, "clk >= 50 ms and clk < 55 ms", {"ctx": Const(0)})
    ack = next(one for one in operations.edges if one.set)
    assert (ack.source, ack.target, ack.set, ack.requirement) == ("p1", "p0", {"ctx": Param("val")}, "R3")
    assert {one.source for one in expiry.edges if one.reset == {"clk"}} == {"p4", "p5"}


def test_the_ctr_takes_what_the_paper_says():
    operations, expiry = load_model(MODELS / "ctr.yaml").components
    assert [one.target for one in taken(operations, "p0", "req CTR set 5", {})] == ["p1"]
    assert taken(operations, "p0", "res CTR ack 5", {}) == []
    assert [one.target for one in taken(operations, "p2", "res CTR ret 5", {"ctx": 5})] == ["p0"]
    assert taken(operations, "p2", "res CTR ret 0", {"ctx": 5}) == []
    assert knows(expiry, "res CTR ack 5")
    assert not knows(expiry, "req CTR log on")


def test_parameters_are_overridden():
    _, expiry = load_model(MODELS / "ctr.yaml", T="1s", slack=100).components
    assert format_guard(expiry.locations[0].stay) == "clk < 1.1 s"
    with pytest.raises(InputError, match="unknown parameter 'slac': did you mean 'slack'"):
        load_model(MODELS / "ctr.yaml", slac=1)
    with pytest.raises(InputError, match=r"^the parameter T: expected a duration such as 50 ms, got 'soon'$"):
        load_model(MODELS / "ctr.yaml", slack=0, T="soon")


def test_a_component_begins_where_there_is_something():
    edges = [{"from": "p", "to": "p", "on": "req X go"}]
    with pytest.raises(
        InputError, match=r"the initial location 'q' is not listed and has no edges: expected one of p$"
    ):
        Draft("M").component("c", initial="q", edges=edges).model()
    assert Draft("M").component("c", initial="q", locations={"q": {}}, edges=edges).model().components


RAW = """\
model: M
params: {T: 50ms, V: 2}
vars: {x: 1, y: unknown, z: V, w: "12", n: -3}
clocks: {c: 0, d: unknown, e: T + 1}
requirements: {R1: one}
components:
  A:
    initial: [a, b]
    locations:
      a: {invariant: c < T, stay: x = 1, requirement: R1}
      lonely:
    edges:
      - {from: "*", to: a, on: "res E go <v:int>", when: x != $v, set: {x: $v, y: z}, reset: [c, d]}
      - {from: a, to: b, when: c >= 10ms, set: {x: 0}, requirement: R2, text: two}
    deterministic: true
"""


def loaded(tmp_path, text):
    path = tmp_path / "m.yaml"
    path.write_text(text)
    return load_model(path)


def test_all_that_the_general_form_has(tmp_path):
    model = loaded(tmp_path, RAW)
    assert model.variables == {"x": 1, "y": UNKNOWN, "z": 2, "w": "12", "n": -3}
    assert model.clocks == {"c": 0, "d": UNKNOWN, "e": 51_000}
    assert model.requirements == {"R1": "one", "R2": "two"}
    found = component(model, "A")
    assert found.deterministic
    assert found.initial == ("a", "b")
    assert [one.name for one in found.locations] == ["a", "lonely", "b"]
    assert format_guard(found.locations[0].invariant) == "c < 50 ms"
    assert [(one.source, one.target) for one in found.edges] == [("a", "a"), ("lonely", "a"), ("b", "a"), ("a", "b")]
    assert found.edges[0].reset == {"c", "d"}
    assert pickle.loads(pickle.dumps(model)) == model


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("model: M", "name: M", 1, "unknown key 'name' in a model: expected one of"),
        ("components:", "component:", 6, "did you mean 'components'"),
        ("initial: [a, b]", "initial: {a: 1}", 8, "expected the name of a location, got entries"),
        ("    initial: [a, b]\n", "", 7, "needs `initial`"),
        ("when: x != $v", "when: xx != $v", 13, "unknown variable, clock or parameter 'xx'"),
        ("when: x != $v", "when: x != $w", 13, "unknown parameter \\$w: expected one of v"),
        ("when: x != $v", "when: [x]", 13, "expected a condition, got a list"),
        ("set: {x: 0}", "set: {x: $v}", 14, "unknown parameter \\$v: none is declared"),
        ("set: {x: 0}", "set: {q: 0}", 14, "unknown variable 'q'"),
        ("set: {x: 0}", "set: {c: 0}", 14, "c is a clock: write `reset: c`"),
        ("set: {x: 0}", "set: {x: c}", 14, "'c' is a duration or a clock"),
        ("set: {x: 0}", "set: x", 14, "expected variables and their new values, got a text"),
        ("reset: [c, d]", "reset: [c, q]", 13, "unknown clock 'q'"),
        ("reset: [c, d]", "rest: [c, d]", 13, "unknown key 'rest' in an edge: did you mean 'reset'"),
        ("from: a, to: b", "from: aa, to: b", 14, "the location 'aa' is not listed"),
        ("from: a, to: b", "from: a, to: bb", 14, "the location 'bb' is not listed, .*: did you mean 'b'"),
        ("from: a, to: b", "from: a", 14, "an edge needs `from` and `to`"),
        ("from: a, to: b", "from: a, to: [a, b]", 14, "the name of one location"),
        ("stay: x = 1", "stays: x = 1", 10, "did you mean 'stay'"),
        ("res E go <v:int>", "/(/", 13, "pattern '/\\(/'"),
        ("res E go <v:int>", "/(?P<v>(a+)+)/", 13, "a repeated group must not contain"),
        ("res E go <v:int>", " ", 13, "a pattern must have 1 to 1,000 characters"),
        ("deterministic: true", "deterministic: perhaps", 15, "expected true or false"),
        ("{c: 0, d: unknown, e: T + 1}", "{c: 0, d: soon}", 4, "expected a duration such as 50ms"),
        ("clocks: {c: 0", "clocks: {x: 0", 1, "'x' is declared twice: parameters, variables and clocks"),
        ("vars: {x: 1", "vars: {x-y: 1", 3, "'x-y' is not a valid name"),
        ("vars: {x: 1", "vars: {and: 1", 3, "'and' is not a valid name"),
        ("vars: {x: 1", "vars: {x: 5ms", 3, "is a duration"),
        ("{R1: one}", "[one]", 5, "expected requirements, got a list"),
        ("V: 2}", "V: T + a}", 2, "only numbers and durations can be added"),
        ("requirement: R1}", "requirement: [R1]}", 10, "the name of a requirement, or its text"),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path, old, new, line, reason):
    assert RAW.count(old) == 1
    with pytest.raises(InputError, match=reason) as error:
        loaded(tmp_path, RAW.replace(old, new))
    assert str(error.value).startswith(f"{tmp_path / 'm.yaml'}, line {line}: ")


def test_a_component_in_python_is_the_same(tmp_path):
    draft = Draft("CTR", params={"T": "50ms", "slack": "5ms"}, variables={"ctx": "unknown"}, clocks=["clk"])
    draft.component(
        "expiry",
        initial="p5",
        locations={"p4": {"stay": "clk < T + slack", "requirement": "R2"}},
        edges=[
            {"from": ["p4", "p5"], "to": "p4", "on": "res CTR ack ...", "reset": "clk"},
            {"from": "p4", "to": "p5", "when": "clk >= T and clk < T + slack", "set": {"ctx": 0}, "requirement": "R2"},
        ],
    )
    assert draft.model().components == load_model(MODELS / "ctr.yaml").components[1:]
    with pytest.raises(InputError, match="the model CTR, components, expiry, edges, item 1: an edge needs"):
        Draft("CTR").component("expiry", initial="a", edges=[{"to": "a"}]).model()
