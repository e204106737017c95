"""UPPAAL files: what maps, what is refused and where, and that nothing else ever happens."""

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from rootward.errors import InputError
from rootward.traces.languages.uppaal import read_uppaal
from rootward.traces.linting import lint
from rootward.traces.model.event import Event
from rootward.traces.model.guard import TRUE, Const, Var, format_guard
from rootward.traces.model.model import Edge, Model
from tests.properties import examples

LAMP = Path(__file__).parents[2] / "data/models/lamp.xml"


@pytest.fixture(scope="module")
def lamp() -> Model:
    return read_uppaal(LAMP)


def edges(model: Model, component: int, source: str, target: str) -> list[Edge]:
    return [edge for edge in model.components[component].edges if (edge.source, edge.target) == (source, target)]


def test_names_and_first_values(lamp: Model) -> None:
    assert lamp.name == "lamp"
    assert lamp.variables == {"level": 0, "kept": 0, "ready": 1}
    assert lamp.clocks == {"L.y": 0}
    assert [component.name for component in lamp.components] == ["L", "User"]
    assert lamp.components[0].initial == ("dark",)
    assert [location.name for location in lamp.components[0].locations] == ["dark", "low", "id2"]
    assert lint(lamp) == []


def test_guards_and_invariants(lamp: Model) -> None:
    dark, low, _ = lamp.components[0].locations
    assert dark.invariant == TRUE
    assert format_guard(low.invariant) == "L.y <= 10 ms and L.y < 100 ms"
    event, time = edges(lamp, 0, "low", "dark")
    assert format_guard(event.when) == "L.y >= 5 ms or level != 1 or ready = 0"
    assert format_guard(time.when) == "L.y >= 10 ms and L.y <= 10 ms"
    assert (time.on, edges(lamp, 0, "low", "id2")[0].requirement) == (None, "Two fast presses: bright.")


def test_assignments_follow_each_other(lamp: Model) -> None:
    (pressed,) = edges(lamp, 0, "dark", "low")
    assert pressed.set == {"level": Const(1), "kept": Const(1)}
    assert pressed.reset == {"L.y"}
    assert edges(lamp, 0, "low", "id2")[0].set == {"level": Const(2)}


def test_a_channel_is_an_operation_for_both_sides(lamp: Model) -> None:
    event = Event(0, "req", "LAMP", "press", "hard")
    for component in (0, 1):
        assert any(edge.on and edge.on.match(event) is not None for edge in lamp.components[component].edges)
    assert all(e.on is None or e.on.match(Event(0, "req", "LAMP", "pressed")) is None for e in lamp.components[0].edges)


def test_nobody_is_held_up_by_a_broadcast(lamp: Model) -> None:
    for source, target in (("dark", "dark"), ("low", "low"), ("id2", "dark")):
        assert [str(edge.on) for edge in edges(lamp, 0, source, target) if "off" in str(edge.on)] == ["* * off ..."]
    assert edges(lamp, 0, "id2", "id2") == []


def test_the_unit_of_time(lamp: Model) -> None:
    assert format_guard(read_uppaal(LAMP, unit=1_000_000).components[0].locations[1].invariant).startswith(
        "L.y <= 10 s"
    )


def changed(tmp_path: Path, old: str, new: str) -> Path:
    text = LAMP.read_text()
    assert old in text
    path = tmp_path / "changed.xml"
    path.write_text(text.replace(old, new, 1))
    return path


PLACE = '<location id="id2" x="200" y="0"/>'
EITHER = " && ".join(f"(ready || level == {n})" for n in range(20))
GUARD = '<label kind="guard">ready</label>'


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            '<location id="id2" x="200" y="0"/>',
            '<location id="id2"><urgent/></location>',
            "line 15: .*urgent locations",
        ),
        ('<location id="id2" x="200" y="0"/>', '<location id="id2"><committed/></location>', "committed locations"),
        ("chan press;", "urgent chan press;", "line 4: <declaration>: urgent channels"),
        ("chan press;", "chan press[3];", "arrays"),
        ("chan press;", "int a[2] = {1, 2}; chan press;", "braces"),
        ("chan press;", "void f() { } chan press;", "functions"),
        ("chan press;", "typedef int t; chan press;", "type definitions"),
        ("chan press;", "double d; chan press;", "floating-point"),
        ("chan press;", "chan press; chan priority press;", "priorities"),
        ("chan press;", "chan press; string s;", "strings"),
        ("chan press;", "chan press; unit u;", "only int, bool, clock and chan"),
        ("chan press;", "chan press, press;", "declared twice"),
        ("chan press;", "chan press; clock c = 3;", "can start only at 0"),
        ("chan press;", "const int n; chan press;", "ends too early"),
        (GUARD, '<label kind="guard">y - y &lt; 3</label>', "line 17: .*difference of clocks"),
        (GUARD, '<label kind="guard">y &lt; y</label>', "compares two clocks"),
        (GUARD, '<label kind="guard">y &lt; level</label>', "not constant"),
        (GUARD, '<label kind="guard">level + 1 &lt; 3</label>', "computes"),
        (GUARD, '<label kind="guard">a[3] == 1</label>', "arrays"),
        (GUARD, '<label kind="guard">f(3)</label>', "functions"),
        (GUARD, '<label kind="guard">1 &lt; level &lt; 3</label>', "more than two"),
        (GUARD, '<label kind="guard">level == </label>', "ends too early"),
        (GUARD, '<label kind="guard">nothing == 1</label>', "nothing is not declared"),
        (GUARD, '<label kind="guard">y</label>', "uses a clock"),
        (GUARD, '<label kind="guard">(ready && ready) == 1</label>', "uses a condition"),
        (GUARD, '<label kind="guard">(ready</label>', "expected \\) but got 'the end'"),
        (GUARD, '<label kind="guard">forall (i : int[0,3]) ready</label>', "functions"),
        (GUARD, '<label kind="guard">ready ? 1 : 0</label>', "'\\?' is not supported"),
        (GUARD, '<label kind="guard">level == 99999999999</label>', "is not supported"),
        (GUARD, f'<label kind="guard">{"(" * 50}ready{")" * 50}</label>', "nested more than 40 levels"),
        (
            GUARD,
            f'<label kind="guard">{" && ".join(f"(ready || level == {n})" for n in range(20))}</label>',
            "alternatives",
        ),
        (GUARD, f'<label kind="guard">{" || ".join(f"level == {n}" for n in range(600))}</label>', "alternatives"),
        (GUARD, '<label kind="select">i : int[0,3]</label>', "kind 'select'"),
        (GUARD, '<label kind="probability">3</label>', "kind 'probability'"),
        (GUARD, GUARD + GUARD, "two labels of the kind 'guard'"),
        ("y &lt;= 2 * limit", "y' == 0", "rates"),
        ("y = 0, level := 1", "y = 3", "only be set to 0"),
        ("y = 0, level := 1", "level++", "expected an assignment"),
        ("y = 0, level := 1", "level = y", "only to a number"),
        ("y = 0, level := 1", "level = level + 1", "computes"),
        ("y = 0, level := 1", "nothing = 1", "expected an assignment"),
        ("press!</label>", 'press!</label><label kind="assignment">level = 2</label>', "passing values"),
        ("press!", "press[1]!", "expected a declared channel"),
        ("off!", "press?", "more than one sender"),
        ("L = Lamp(FAST, press);", "L = Lamp(FAST, press); M = Lamp(FAST, press);", None),
        ("system L, User;", "M = Lamp(FAST, press); system L, M, User;", "more than one sender"),
        ("system L, User;", "system L &lt; User;", "priorities"),
        ("system L, User;", "system L, L;", "started twice"),
        ("system L, User;", "system L, Nobody;", "unknown template Nobody"),
        ("system L, User;", "system Lamp, User;", "takes 2 arguments, not 0"),
        ("system L, User;", "x = 3; system L;", "expected a process"),
        ("Lamp(FAST, press)", "Lamp(level, press)", "not a constant"),
        ("Lamp(FAST, press)", "Lamp(FAST, level)", "must be a declared channel"),
        ("chan &amp;button", "chan button", "must be a reference"),
        ("const int limit", "int[0,9] limit", None),
        ("const int limit", "struct s limit", "expected int, bool, or a reference"),
        ('<init ref="id0"/>', "", "no initial location"),
        ('<target ref="id1"/>', "", "source or target"),
        ("<name>low</name>", "<name>dark</name>", "two locations"),
        ('<init ref="id0"/>', '<branchpoint id="b"/><init ref="id0"/>', "probabilistic"),
        ("<system>", "<nosystem>", "does not match"),
    ],
)
def test_what_does_not_map_is_refused_with_its_line(tmp_path: Path, old: str, new: str, reason: str | None) -> None:
    path = changed(tmp_path, old, new)
    if reason is None:
        read_uppaal(path)
    else:
        with pytest.raises(InputError, match=reason) as caught:
            read_uppaal(path)
        assert re.match(rf"{re.escape(str(path))}, line \d+: ", str(caught.value))


def test_other_files(tmp_path: Path) -> None:
    for text, reason in (("<sdf/>", "no <nta>"), ("<nta/>", "no <system>"), ("hello", "no <nta>")):
        path = tmp_path / "other.xml"
        path.write_text(text)
        with pytest.raises(InputError, match=reason):
            read_uppaal(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_uppaal(tmp_path / "nothing.xml")


def test_entities_are_not_expanded(tmp_path: Path) -> None:
    bomb = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 30))
    path = changed(tmp_path, "<nta>", f'<!DOCTYPE x [<!ENTITY a0 "ready">{bomb}]><nta>')
    assert read_uppaal(path).name == "changed"
    with pytest.raises(InputError, match="&"):
        read_uppaal(changed(tmp_path, GUARD, '<label kind="guard">&a29;</label>'))


def test_a_reference_can_be_a_clock_or_a_variable(tmp_path: Path) -> None:
    path = tmp_path / "shared.xml"
    path.write_text("""<nta><declaration>clock c; int v;</declaration><template><name>T</name>
      <parameter>clock &amp;x, int &amp;w, bool on</parameter>
      <location id="a"/><init ref="a"/>
      <transition><source ref="a"/><target ref="a"/><label kind="guard">on &amp;&amp; x &gt; 3</label>
      <label kind="assignment">x = 0, w = w</label></transition></template>
      <system>P = T(c, v, true); Q = T(c, v, false); system P, Q;</system></nta>""")
    model = read_uppaal(path)
    edge = model.components[0].edges[0]
    assert (format_guard(edge.when), edge.reset, edge.set) == ("c > 3 ms", {"c"}, {"v": Var("v")})
    assert model.components[1].edges[0].when == ()
    assert (model.variables, model.clocks) == ({"v": 0}, {"c": 0})


@examples(150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_files_are_refused_or_read(tmp_path: Path, data: st.DataObject) -> None:
    content = LAMP.read_bytes()
    start = data.draw(st.integers(0, len(content)))
    stop = data.draw(st.integers(start, min(len(content), start + 40)))
    noise = data.draw(
        st.one_of(st.binary(max_size=20), st.text("()&|<>=!;,[]{}xy19 \n\"'", max_size=20).map(str.encode))
    )
    path = tmp_path / "damaged.xml"
    path.write_bytes(content[:start] + noise + (content[stop:] if data.draw(st.booleans()) else b""))
    try:
        model = read_uppaal(path)
    except InputError:
        return
    lint(model)
