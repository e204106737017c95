"""SDF worlds: what is left out goes without a trace, and every other byte stays."""

import itertools
import math
import pickle
import random
import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward import InputError
from rootward.formats.documents.xml_tree import parse_markup
from rootward.formats.scenes import sdf
from rootward.formats.scenes.motion import MovingModel
from rootward.formats.scenes.scene import Pose, Shape
from rootward.formats.scenes.scene_file import VARIABLES
from rootward.space.candidate import Elements
from tests.properties import examples

WORLDS = sorted(path for path in (Path(__file__).parents[2] / "data/worlds").iterdir() if path.suffix != ".md")


@pytest.fixture(autouse=True)
def _no_models_elsewhere(monkeypatch):
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def world(tmp_path):
    """Read a world with this content."""

    def world(content, name="a.sdf"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else f"<sdf><world>{content}</world></sdf>".encode())
        return sdf.read(path)

    return world


@pytest.fixture(scope="module")
def again(tmp_path_factory):
    """Read what was rendered."""
    path = tmp_path_factory.mktemp("again") / "again.sdf"

    def again(data):
        path.write_bytes(data)
        return sdf.read(path)

    return again


def box(name, inside="", size="1 1 1"):
    return (
        f"<model name='{name}'>{inside}<link name='link'><collision name='c'><geometry><box><size>{size}</size></box>"
        "</geometry></collision></link></model>"
    )


def called(models):
    return [model.called or model.name for model in models]


# What is read


@pytest.mark.parametrize(
    ("name", "count", "shapes"),
    [
        ("aws__no_roof_small_warehouse.world", 25, 0),
        ("gz__tunnel.sdf", 139, 9),
        ("gzclassic__friction_pyramid.world", 3, 32),
        ("husky__clearpath_playpen.world", 36, 121),
        ("tb3__world.world", 3, 0),
    ],
)
def test_real_worlds(name, count, shapes):
    read = sdf.read(next(path for path in WORLDS if path.name == name))
    assert (len(read), sum(len(model.shapes) for model in read)) == (count, shapes)
    assert [model.index for model in read] == list(range(count))
    assert len({model.name for model in read}) == count


def test_a_saved_state_comes_before_the_poses_of_the_models():
    playpen = {model.name: model for model in sdf.read(next(p for p in WORLDS if "playpen" in p.name))}
    saved = re.findall(
        r"<model name='([^']*)'>\s*<pose>([^<]*)</pose>\s*<link name='link'>\s*<pose>([^<]*)</pose>\s*<velocity>",
        next(p for p in WORLDS if "playpen" in p.name).read_text(),
    )
    assert len(saved) >= 30
    for name, pose, link in saved:
        assert pose == link
        assert playpen[name].pose.point == pytest.approx(tuple(map(float, pose.split()[:3])))


def test_links_and_scales_of_a_saved_state(world):
    (model,) = world(
        box("a", "<pose>9 9 9 0 0 0</pose>", "1 2 3")
        + "<state><model name='a'><pose>1 0 0 0 0 1.5707963267948966</pose><scale>2 1 10</scale>"
        "<link name='link'><pose>1 2 0 0 0 1.5707963267948966</pose></link></model></state>"
    )
    assert model.pose == Pose(1, 0, 0, 0, 0, math.pi / 2)
    assert model.shapes[0].size == (2, 2, 30)
    assert model.shapes[0].pose.point == pytest.approx((2, 0, 0))
    assert model.shapes[0].pose.yaw == pytest.approx(0)
    assert model.centre == pytest.approx((1, 2, 0))


@pytest.mark.parametrize(
    ("geometry", "shape"),
    [
        ("<box><size>1 2 3</size></box>", Shape("box", (1, 2, 3))),
        ("<box/>", Shape("box", (1, 1, 1))),
        ("<sphere><radius>2</radius></sphere>", Shape("sphere", (2,))),
        ("<cylinder><radius>2</radius><length>3</length></cylinder>", Shape("cylinder", (2, 3))),
        ("<capsule><radius>2</radius><length>3</length></capsule>", Shape("cylinder", (2, 7))),
        ("<ellipsoid><radii>1 2 3</radii></ellipsoid>", Shape("box", (2, 4, 6))),
        ("<plane><normal>0 0 1</normal><size>3 4</size></plane>", Shape("plane", (3, 4))),
        ("<plane><normal>1 0 0</normal></plane>", Shape("plane", (1, 1), Pose(pitch=math.pi / 2))),
        (
            "<polyline><point>0 0</point><point>2 0</point><point>2 4</point><height>6</height></polyline>",
            Shape("box", (2, 4, 6), Pose(1, 2, 3)),
        ),
        (
            "<mesh><uri>model://a/b.dae</uri><scale>1 2 3</scale></mesh>",
            Shape("mesh", (), uri="model://a/b.dae", scale=(1, 2, 3)),
        ),
        (
            "<heightmap><uri>a.png</uri><size>1 2 3</size><pos>0 0 4</pos></heightmap>",
            Shape("heightmap", (1, 2, 3), Pose(0, 0, 4), uri="a.png"),
        ),
        ("<box><size>1 2 nan</size></box>", Shape("box", (1, 1, 1))),
        ("<box><size>1 2 0</size></box>", None),
        ("<sphere><radius>-1</radius></sphere>", None),
        ("<empty/>", None),
        ("", None),
    ],
)
def test_shapes(world, geometry, shape):
    (model,) = world(f"<model name='a'><link><collision><geometry>{geometry}</geometry></collision></link></model>")
    assert list(model.shapes) == ([shape] if shape else [])


@pytest.mark.parametrize(
    ("surface", "friction"),
    [
        ("<ode><mu>0.3</mu><mu2>9</mu2></ode>", 0.3),
        ("<bullet><friction>0.4</friction></bullet>", 0.4),
        ("<bullet><friction>0.4</friction></bullet><ode><mu>0</mu></ode>", 0.0),
        ("<ode/>", None),
        ("<ode><mu>slippery</mu></ode>", None),
    ],
)
def test_friction(world, surface, friction):
    (model,) = world(
        "<model name='a'><link><collision><geometry><box/></geometry><surface><friction>"
        f"{surface}</friction></surface></collision></link></model>"
    )
    assert model.shapes[0].friction == friction


def test_mass_and_static(world):
    a, b, c = world(
        "<model name='a'><static>true</static></model>"
        "<model name='b'><link><inertial><mass>2</mass></inertial></link>"
        "<link><inertial><mass>3</mass></inertial></link></model>"
        "<model name='c'><static>0</static><link/></model>"
    )
    assert [m.static for m in (a, b, c)] == [True, False, False]
    assert [m.mass for m in (a, b, c)] == [1, 5, 1]


@pytest.mark.parametrize(
    ("pose", "expected"),
    [
        ("<pose>1 2 3 0 0 1.5707963267948966</pose>", Pose(1, 2, 3, 0, 0, math.pi / 2)),
        ("<pose degrees='true'>1 2 3 0 0 90</pose>", Pose(1, 2, 3, 0, 0, math.pi / 2)),
        ("<pose rotation_format='quat_xyzw'>1 2 3 0 0 1 1</pose>", Pose(1, 2, 3, 0, 0, math.pi / 2)),
        ("<pose frame=''>1 2 3 0 0 0</pose>", Pose(1, 2, 3)),
        ("<pose> 1\n2 3 <!-- up --> 0 0 0</pose>", Pose(1, 2, 3)),
        ("<pose>1 2</pose>", Pose()),
        ("<pose>1 2 inf 0 0 0</pose>", Pose()),
        ("<pose/>", Pose()),
        ("", Pose()),
    ],
)
def test_poses(world, pose, expected):
    (model,) = world(box("a", pose))
    assert (model.pose.point, model.pose.yaw) == (expected.point, pytest.approx(expected.yaw))


def test_poses_relative_to_something_else(world):
    a, b, c, d, e = world(
        box("a", "<pose>1 0 0 0 0 1.5707963267948966</pose>")
        + box("b", "<pose relative_to='a'>1 0 0 0 0 0</pose>")
        + "<frame name='f' attached_to='b'><pose>0 0 5 0 0 0</pose></frame>"
        + box("c", "<pose relative_to='f'>0 0 1 0 0 0</pose>")
        + box("d", "<pose relative_to='e'>1 0 0 0 0 0</pose>")
        + box("e", "<pose relative_to='d'>1 0 0 0 0 0</pose>")
    )
    assert a.pose.point == (1, 0, 0)
    assert b.pose.point == pytest.approx((1, 1, 0))
    assert c.pose.point == pytest.approx((1, 1, 6))
    assert d.pose.y == e.pose.y == 0  # a loop ends somewhere


def test_a_model_without_a_name_is_not_what_others_are_placed_at(world):
    nameless, frame, a = box("", "<pose>1 0 0 0 0 0</pose>"), "<frame name='f'/>", box("a", "<pose>0 2 0 0 0 0</pose>")
    read = world(nameless + frame + a)
    assert [model.name for model in read] == ["model", "a"]
    assert [model.pose.point for model in read] == [(1, 0, 0), (0, 2, 0)]
    assert read.render([read[1]]) == f"<sdf><world>{frame}{a}</world></sdf>".encode()


def test_a_chain_of_frames_is_followed_for_a_hundred_steps(world):
    """So that a long one costs no more than its length."""
    frames = "".join(f"<frame name='f{i}' attached_to='f{i + 1}'><pose>1 0 0 0 0 0</pose></frame>" for i in range(200))
    models = "".join(f"<model name='m{i}'><pose relative_to='f{i}'>0 0 0 0 0 0</pose></model>" for i in (0, 99, 150))
    assert [model.pose.x for model in world(frames + models)] == [100, 100, 50]


def test_poses_within_a_model(world):
    (model,) = world(
        "<model name='a'><pose>100 0 0 0 0 0</pose><frame name='f'><pose>0 0 1 0 0 0</pose></frame>"
        "<link name='l'><pose relative_to='f'>0 1 0 0 0 0</pose>"
        "<collision><pose>1 0 0 0 0 0</pose><geometry><box/></geometry></collision>"
        "<collision><pose relative_to='f'>0 0 7 0 0 0</pose><geometry><box/></geometry></collision></link>"
        "<model name='inner'><pose>0 0 20 0 0 0</pose><link><pose>0 0 3 0 0 0</pose>"
        "<collision><geometry><box/></geometry></collision></link></model></model>"
    )
    assert [shape.pose.point for shape in model.shapes] == [(1, 1, 1), (0, 0, 8), (0, 0, 23)]
    assert model.pose.point == (100, 0, 0)


def test_models_of_one_name_are_two_elements(world):
    read = world(box("a", "<pose>1 0 0 0 0 0</pose>") + "<include><uri>model://a</uri></include>" + box("a"))
    assert [model.name for model in read] == ["a", "a (2)", "a (3)"]
    assert called(read) == ["a", "a", "a"]
    assert len(set(Elements(read).keys)) == 3
    assert read.render([read[2]]).count(b"<model") == 1


def test_populations_and_inserted_models_stay(world):
    text = (
        "<population name='q'><model name='r'/></population><state><insertions><model name='s'/></insertions></state>"
    )
    read = world(text + box("a"))
    assert called(read) == ["a"]
    assert read.render([]) == f"<sdf><world>{text}</world></sdf>".encode()


def test_all_worlds_of_a_file_count(world):
    state = "<state><model name='a'><pose>1 0 0 0 0 0</pose></model></state>"
    read = world(f"<sdf><world>{box('a')}</world><world>{box('a')}{state}</world></sdf>".encode())
    assert [model.pose.x for model in read] == [0, 1]
    assert read.render([read[0]]) == f"<sdf><world>{box('a')}</world><world><state></state></world></sdf>".encode()


# What is included


def model_folder(folder, name, content, config=""):
    (folder / name).mkdir(parents=True)
    (folder / name / "model.sdf").write_text(f"<sdf><model name='{name}'>{content}</model></sdf>")
    if config:
        (folder / name / "model.config").write_text(config)


LINK = "<link name='l'><collision><geometry><box/></geometry></collision></link>"


def test_an_include_without_its_file_stays_opaque(world):
    a, b, c, d = world(
        "<include><uri>model://hut</uri><pose>1 2 3 0 0 0</pose></include>"
        "<include><name>mine</name><uri>https://example.org/1.0/o/models/House/</uri></include>"
        "<model name='m'><include><uri>model://hut</uri></include></model><include/>"
    )
    assert (a.name, a.uri, a.pose, a.shapes) == ("hut", "model://hut", Pose(1, 2, 3), ())
    assert (b.name, b.uri) == ("mine", "https://example.org/1.0/o/models/House/")
    assert (c.name, c.uri, d.name, d.shapes) == ("m", "model://hut", "include", ())


def test_includes_are_found_beside_the_world_and_in_folders_of_variables(world, tmp_path, monkeypatch):
    model_folder(tmp_path / "worlds/models", "near", "<static>1</static><pose>5 0 0 0 0 0</pose>" + LINK)
    model_folder(tmp_path / "far", "away", LINK)
    monkeypatch.setenv("GZ_SIM_RESOURCE_PATH", f"/nowhere:{tmp_path / 'far'}")
    near, moved, away, file = world(
        "<include><uri>model://near</uri></include>"
        "<include><uri>models/near</uri><pose>7 0 0 0 0 0</pose><static>0</static><name>moved</name></include>"
        f"<include><uri>model://away</uri></include><include><uri>file://{tmp_path}/far/away/model.sdf</uri></include>",
        "worlds/a.sdf",
    )
    assert (near.name, near.static, near.pose.x, near.uri) == ("near", True, 5, None)
    assert (moved.name, moved.static, moved.pose.x) == ("moved", False, 7)
    assert [m.shapes for m in (near, moved, away, file)] == [(Shape("box", (1, 1, 1)),)] * 4
    assert (away.name, file.name, file.called) == ("away", "away (2)", "away")


def test_meshes_and_nested_includes_are_found_from_where_they_are_named(world, tmp_path):
    mesh = "<link><collision><geometry><mesh><uri>meshes/a.stl</uri></mesh></geometry></collision></link>"
    model_folder(tmp_path, "inner", mesh)
    (tmp_path / "inner/meshes").mkdir()
    (tmp_path / "inner/meshes/a.stl").touch()
    model_folder(tmp_path, "outer", "<include><pose>0 0 4 0 0 0</pose><uri>model://inner</uri></include>" + LINK)
    (model,) = world("<include><uri>model://outer</uri></include>")
    deep, own = model.shapes
    assert (deep.kind, deep.uri, deep.pose.point) == ("mesh", str(tmp_path / "inner/meshes/a.stl"), (0, 0, 4))
    assert (own.kind, model.uri) == ("box", None)


def test_the_newest_file_of_a_model_counts(world, tmp_path):
    config = "<model><sdf version='1.10'>new.sdf</sdf><sdf version='1.9'>model.sdf</sdf></model>"
    model_folder(tmp_path, "a", "", config)
    (tmp_path / "a/new.sdf").write_text(f"<sdf><model name='new'>{LINK}</model></sdf>")
    (model,) = world("<include><uri>model://a</uri></include>")
    assert (model.name, len(model.shapes)) == ("new", 1)


def test_a_file_that_includes_itself_is_entered_once(world, tmp_path):
    again = "<include><uri>model://a</uri></include>"
    model_folder(tmp_path, "a", LINK + again)
    (model,) = world(again)
    assert (len(model.shapes), model.uri) == (1, "model://a")


def test_includes_that_multiply_are_refused(world, tmp_path, monkeypatch):
    monkeypatch.setattr(sdf, "MAX_PARTS", 1000)
    for i in range(12):
        model_folder(tmp_path, f"m{i}", LINK + f"<include><uri>model://m{i + 1}</uri></include>" * 10)
    with pytest.raises(InputError, match="has more than 1,000 links and shapes"):
        world("<include><uri>model://m0</uri></include>")


def test_a_broken_include_stays_opaque(world, tmp_path):
    model_folder(tmp_path, "a", "<link>")
    (tmp_path / "empty").mkdir()
    a, b, c, d = world(
        "<include><uri>model://a</uri></include><include><uri>model://empty</uri></include>"
        f"<include><uri>file:///dev/zero</uri></include><include><uri>model://{'x' * 5000}</uri></include>"
    )
    assert [m.shapes for m in (a, b, c, d)] == [()] * 4
    assert (a.uri, b.uri, c.uri) == ("model://a", "model://empty", "file:///dev/zero")


# What is left out


@pytest.mark.parametrize("path", WORLDS, ids=lambda path: path.name)
def test_keeping_everything_changes_nothing(path):
    before = path.read_bytes()
    read = sdf.read(path)
    assert read.render(read) == before == path.read_bytes()


@pytest.mark.parametrize("path", WORLDS, ids=lambda path: path.name)
def test_what_is_left_out_is_gone_and_nothing_else(path, again):
    etree = pytest.importorskip("lxml.etree")
    read = sdf.read(path)
    generator = random.Random(0)
    for _ in range(5):
        kept = [model for model in read if generator.random() < 0.5]
        data = read.render(kept)
        # The same by a strict parser that is not ours: the bytes differ in blanks between elements only.
        tree = etree.fromstring(path.read_bytes())
        places = [e for e in tree.find("world") if e.tag in ("model", "include")]
        gone = {model.index for model in read} - {model.index for model in kept}
        names = {read[i].called or read[i].name for i in gone}
        for entry in [
            *(places[i] for i in gone),
            *(e for e in tree.iterfind("world/state/model") if e.get("name") in names),
        ]:
            _drop(entry)
        assert _squeezed(etree, tree) == _squeezed(etree, etree.fromstring(data))
        assert data.count(b"\n\n\n") <= path.read_bytes().count(b"\n\n\n")
        if kept:
            assert called(again(data)) == called(kept)


def _drop(entry):
    """Remove an element, not the text after it."""
    before, parent = entry.getprevious(), entry.getparent()
    if before is not None:
        before.tail = (before.tail or "") + (entry.tail or "")
    else:
        parent.text = (parent.text or "") + (entry.tail or "")
    parent.remove(entry)


def _squeezed(etree, tree):
    return re.sub(rb">\s+", b">", re.sub(rb"\s+<", b"<", etree.tostring(tree)))


def test_everything_can_be_left_out():
    for path in WORLDS:
        data = sdf.read(path).render([])
        assert re.search(rb"</world>\s*</sdf>\s*$", data)


def test_a_saved_state_goes_with_its_model(world):
    read = world(
        box("a") + box("b") + box("a") + "<state>\n <model name='a'/>\n <model name='b'/>\n <model name='a'>1</model>\n"
        " <model name='c'/>\n <light name='a'/>\n</state>"
    )
    state = lambda *kept: read.render([read[i] for i in kept]).partition(b"<state>")[2].partition(b"</state>")[0]  # noqa: E731
    assert state(0, 1) == b"\n <model name='a'/>\n <model name='b'/>\n <model name='c'/>\n <light name='a'/>\n"
    assert state(2) == b"\n <model name='a'>1</model>\n <model name='c'/>\n <light name='a'/>\n"
    assert state() == b"\n <model name='c'/>\n <light name='a'/>\n"


def test_a_saved_state_of_newer_worlds_goes_with_its_model(world):
    text = "<state><model_state name='{}'><pose>1 2 3 0 0 0</pose></model_state></state>"
    read = world(box("a") + box("b") + text.format("a") + text.format("b"))
    assert read[0].pose.point == (1, 2, 3)
    assert read.render([read[1]]).count(b"model_state name='b'") == read.render([]).count(b"<state></state>") - 1 == 1


def test_joints_and_frames_of_the_world_go_with_what_they_are_attached_to(world):
    read = world(
        box("a")
        + box("b")
        + "<frame name='f' attached_to='a::link'/><frame name='g' attached_to='f'/><frame name='h'/>"
        "<joint name='j'><parent>world</parent><child>b::link</child></joint>"
        "<joint name='k'><parent>g</parent><child>b</child></joint>"
    )
    left = lambda *kept: re.findall(rb"<(?:frame|joint) name='(.)'", read.render([read[i] for i in kept]))  # noqa: E731
    assert left(0, 1) == [b"f", b"g", b"h", b"j", b"k"]
    assert left(0) == [b"f", b"g", b"h"]
    assert left(1) == [b"h", b"j"]


def test_a_model_keeps_its_place_without_what_it_was_placed_at(world, again):
    read = world(
        box("b", "<pose relative_to='f'>1 0 0 0 0 0</pose>")
        + "<frame name='f'><pose relative_to='a'>0 0 1 0 0 0</pose></frame>"
        + box("a", "<pose>1 2 3 0 0 1.5707963267948966</pose>")
    )
    assert b"<pose relative_to='f'>" in read.render(read)
    (alone,) = again(read.render([read[0]]))
    assert alone.pose.point == pytest.approx((1, 3, 4))
    assert alone.pose.yaw == pytest.approx(math.pi / 2)
    assert (alone.name, alone.shapes) == ("b", read[0].shapes)


# Any world


FILLS = st.sampled_from(
    ["", "\n", "\n    ", "\n\n  ", " text ", "\n<!-- <model name='no'> -->\n", "<light name='l'/>", "\t"]
)
NAMES = st.sampled_from(["a", "b", "c d", "é", "a &amp; b"])


@st.composite
def worlds(draw):
    """Bytes of a world in some encoding, with some formatting."""
    parts, names = [], draw(st.lists(NAMES, min_size=1, max_size=6))
    for name in names:
        include = f"<include><name>{name}</name><uri>model://x</uri></include>"
        pieces = [box(name), f"<model name='{name}'/>", include, f'<model\n name = "{name}">\n</model >']
        parts.append(draw(FILLS) + draw(st.sampled_from(pieces)))
    state = "".join(draw(FILLS) + f"<model name='{name}'></model>" for name in draw(st.lists(NAMES, max_size=4)))
    text = f"<sdf><world>{''.join(parts)}{draw(FILLS)}<state>{state}</state>{draw(FILLS)}</world></sdf>"
    ending = draw(st.sampled_from(["\n", "\r\n"]))
    return text.replace("\n", ending).encode(draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32-be"])))


def inside(part, whole):
    """Whether a text is the other one with some characters left out."""
    rest = iter(whole)
    return all(char in rest for char in part)


@given(worlds(), st.data())
def test_any_part_of_any_world(again, data, choice):
    read = again(data)
    assert read.render(read) == data
    kept = [model for model in read if choice.draw(st.booleans())]
    rendered = read.render(kept)
    assert inside(rendered, data)
    assert read.render(list(reversed(kept))) == rendered
    assert pickle.loads(pickle.dumps(read)).render(kept) == rendered
    if not kept:
        with pytest.raises(InputError, match="has no models"):
            again(rendered)
        return
    fewer = again(rendered)
    assert called(fewer) == called(kept)
    assert [(m.pose, m.shapes) for m in fewer] == [(m.pose, m.shapes) for m in kept]
    assert fewer.render(fewer) == rendered
    # In two steps or in one: the same, but for the blanks where several models stood on one line.
    some = [i for i in range(len(kept)) if choice.draw(st.booleans())]
    twice, once = fewer.render([fewer[i] for i in some]), read.render([kept[i] for i in some])
    assert "".join(twice.decode(read.codec).split()) == "".join(once.decode(read.codec).split())


SMALL = [path.read_bytes() for path in WORLDS if path.stat().st_size < 10_000]


@examples(150)
@given(st.sampled_from(SMALL), st.integers(0, 2**32))
def test_a_damaged_world_is_read_or_refused(again, data, seed):
    damaged = damage(data, random.Random(seed))
    try:
        read = again(damaged)
    except InputError:
        return
    assert read.render(read) == damaged
    assert inside(read.render(read[::2]), damaged)


def damage(data, generator):
    """A few bytes changed, cut out, doubled or swapped."""
    for _ in range(generator.randint(1, 3)):
        i, j = sorted(generator.randrange(len(data) + 1) for _ in range(2))
        j = min(j, i + generator.choice([0, 1, 1, 1, 5, 50, 5000]))
        other = generator.choice(
            [
                b"",
                b"<",
                b">",
                b'"',
                b"&",
                b"\0",
                b"\xff",
                b"</",
                b"<!--",
                b"]]>",
                b"7",
                b"-",
                b" ",
                b"a",
                data[i:j] * 2,
                b"9" * 400,
            ]
        )
        data = data[:i] + other + data[j:]
    return data


# Large and hostile worlds


@pytest.mark.rest
def test_a_thousand_models(tmp_path):
    generator = random.Random(1)
    solids = itertools.cycle(
        [
            "<box><size>1 1 1</size></box>",
            "<cylinder><radius>0.5</radius><length>1</length></cylinder>",
            "<sphere><radius>0.5</radius></sphere>",
        ]
    )
    models = "\n".join(
        f"    <model name='shape_{i}'>\n      <pose>{generator.random()} {i} 1 0 0 0</pose>\n      <link name='link'>\n"
        "        <inertial>\n          <inertia>\n            <ixx>1</ixx>\n            <iyy>1</iyy>\n"
        "            <izz>1</izz>\n"
        "          </inertia>\n          <mass>1.0</mass>\n        </inertial>\n        <collision name='c'>\n"
        f"          <geometry>{next(solids)}</geometry>\n        </collision>\n        <visual name='v'>\n"
        "          <material>\n"
        "            <ambient>1 0 0 1</ambient>\n            <diffuse>1 0 0 1</diffuse>\n          </material>\n"
        "        </visual>\n      </link>\n    </model>"
        for i in range(1000)
    )
    path = tmp_path / "many.sdf"
    path.write_text(f"<sdf>\n  <world name='w'>\n{models}\n  </world>\n</sdf>\n")
    begin = time.process_time()
    read = sdf.read(path)
    reading = time.process_time() - begin
    begin = time.process_time()
    data = read.render(read[::2])
    rendering = time.process_time() - begin
    assert (len(read), data.count(b"<model")) == (1000, 500)
    assert reading < 20
    assert rendering < 5


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "has no <world>"),
        (b"\x89PNG\r\n\x1a\n\0\0", "contains NUL bytes"),
        (b"just text", "has no <world>"),
        (b"<sdf><model name='a'/></sdf>", "has no <world>"),
        (b"<sdf><world/></sdf>", "has no models"),
        (b"<sdf><world>&models;</world></sdf>", "has no models"),
        (b"<sdf><world><model name='a'><link>", "line 1: <link> is never closed"),
        (
            b"<sdf>\n<world>\n<model>\n</world></sdf>",
            "line 4: </world> does not match: <model> of line 3 is still open",
        ),
    ],
)
def test_what_is_no_world_is_refused(world, data, reason):
    with pytest.raises(InputError, match=re.escape(reason)):
        world(data)


def test_entities_are_neither_expanded_nor_followed(world):
    laughs = "".join(f"<!ENTITY l{i + 1} '{f'&l{i};' * 10}'>" for i in range(30))
    data = (
        f"<!DOCTYPE sdf [<!ENTITY l0 'ha'>{laughs}<!ENTITY file SYSTEM 'file:///etc/passwd'>]>"
        f"<sdf><world><model name='&l30;'><pose>&file;</pose></model>{box('a')}</world></sdf>"
    ).encode()
    read = world(data)
    assert [model.name for model in read] == ["&l30;", "a"]
    assert read[0].pose == Pose()
    assert read.render(read) == data


# What moves


def actor(script, inside="", name="p"):
    return f"<actor name='{name}'>{inside}<script>{script}</script></actor>"


def road(*points):
    marks = (f"<waypoint><time>{t}</time><pose>{x} {y} 0 0 0 0</pose></waypoint>" for t, x, y in points)
    return f"<trajectory id='0' type='walk'>{''.join(marks)}</trajectory>"


def where(model, *times):
    return [model.motion.pose_at(time).point[:2] for time in times]


def test_an_actor_is_a_model_that_can_be_removed(world):
    text = actor(road((0, 1, 2), (2, 3, 2)))
    read = world(text + box("a") + actor(road((0, 0, 0)), name="q"))
    assert called(read) == ["p", "a", "q"]
    assert read.render([read[1]]) == f"<sdf><world>{box('a')}</world></sdf>".encode()
    assert read.render([read[0]]) == f"<sdf><world>{text}</world></sdf>".encode()
    assert read[0].pose == Pose(1, 2)


def test_an_actor_drives_along_its_waypoints_again_and_again(world):
    [model] = world(actor(road((2, 2, 0), (0, 0, 0), (4, 2, 4))))
    assert where(model, 0, 1, 2, 3, 4, 5) == [(0, 0), (1, 0), (2, 0), (2, 2), (0, 0), (1, 0)]


def test_an_actor_without_a_loop_stays_at_the_end(world):
    [model] = world(actor("<loop>false</loop>" + road((0, 0, 0), (2, 2, 0))))
    assert where(model, 1, 2, 9) == [(1, 0), (2, 0), (2, 0)]


def test_an_actor_waits_before_each_cycle(world):
    [model] = world(actor("<delay_start>3</delay_start><auto_start>1</auto_start>" + road((0, 0, 0), (2, 2, 0))))
    assert where(model, 0, 3, 4, 5, 7.5, 9) == [(0, 0), (0, 0), (1, 0), (0, 0), (0, 0), (1, 0)]


@pytest.mark.parametrize("script", ["<auto_start>false</auto_start>" + road((0, 5, 5), (1, 6, 6)), "", "<trajectory/>"])
def test_an_actor_that_a_plugin_would_have_to_start_stands_still(world, script):
    [model] = world(actor(script, "<pose>1 2 0 0 0 0</pose>"))
    assert not hasattr(model, "motion")
    assert model.pose == Pose(1, 2)
    assert model.static


def test_all_trajectories_of_an_actor_are_one_motion(world):
    [model] = world(actor(road((0, 0, 0), (2, 2, 0)) + road((3, 2, 1), (5, 2, 3))))
    assert where(model, 1, 2.5, 4) == [(1, 0), (2, 0.5), (2, 2)]


@pytest.mark.parametrize("number", ["nan", "x", "-3", "1e999", ""])
def test_a_time_that_is_none_counts_as_the_start(world, number):
    [model] = world(actor(f"<delay_start>{number}</delay_start>" + road((number, 4, 4), (2, 2, 0))))
    assert where(model, 0, 1) == [(4, 4), (3, 2)]


def test_the_shapes_of_an_actor(world):
    look = "<visual name='v'><geometry><sphere><radius>2</radius></sphere></geometry></visual>"
    solid = "<collision name='c'><geometry><box><size>1 2 3</size></box></geometry></collision>"
    skin = "<skin><filename>walk.dae</filename></skin>"
    bodies = [
        f"<link name='l'>{look}</link>",
        f"<link name='l'>{look}{solid}</link>",
        skin,
        skin + f"<link>{look}</link>",
        "",
    ]
    read = world("".join(actor(road((0, 0, 0)), body, name=f"a{i}") for i, body in enumerate(bodies)))
    assert [[shape.kind for shape in model.shapes] for model in read] == [["sphere"], ["box"], ["mesh"], ["sphere"], []]
    assert read[2].shapes[0].size == sdf.PERSON
    assert read[2].shapes[0].uri == "walk.dae"


def follower(inside, loop="false"):
    return (
        "<plugin filename='gz-sim-trajectory-follower-system' name='gz::sim::systems::TrajectoryFollower'>"
        f"<link_name>link</link_name><loop>{loop}</loop>{inside}</plugin>"
    )


def test_a_model_that_follows_waypoints_moves_at_a_guessed_speed(world):
    points = "<waypoints><waypoint>5 1</waypoint><waypoint>5 4</waypoint></waypoints>"
    [once] = world(box("a", "<pose>1 1 0 0 0 0</pose>" + follower(points)))
    assert once.motion.is_speed_guessed
    assert where(once, 0, 4, 4 + math.pi / 2, 99) == [(1, 1), (5, 1), (5, 1), (5, 4)]
    assert once.motion.pose_at(99).yaw == pytest.approx(math.pi / 2)
    [again] = world(box("a", "<pose>1 1 0 0 0 0</pose>" + follower(points, "true")))
    cycle = again.motion.end - again.motion.repeat_from
    assert where(again, 5 + cycle) == where(again, 5)
    assert where(again, 0) == [(1, 1)]


def test_a_model_that_follows_a_line_or_a_circle(world):
    [line] = world(
        box("a", "<pose>1 1 0 0 0 0</pose>" + follower("<line><direction>0</direction><length>3</length></line>", "1"))
    )
    assert where(line, 2, 3, 6 + math.pi) == [(3, 1), (4, 1), (1, 1)]
    [circle] = world(box("a", follower("<circle><radius>2</radius></circle>")))
    assert all(math.dist(pose.point, (0, 0, 0)) == pytest.approx(2) for _, pose in circle.motion.waypoints[1:])


@pytest.mark.parametrize(
    "inside", ["", "<waypoints/>", "<waypoints><waypoint>x y</waypoint><waypoint>1</waypoint></waypoints>"]
)
def test_a_follower_without_waypoints_stands_still(world, inside):
    [model] = world(box("a", follower(inside)))
    assert not hasattr(model, "motion")


@given(st.lists(st.text("0123456789.e-+ naif", max_size=12), max_size=4), st.sampled_from(["0", "1", ""]))
def test_any_waypoints_give_finite_poses(words, loop):
    points = "".join(f"<waypoint>{word}</waypoint>" for word in words)
    times = "".join(f"<waypoint><time>{word}</time><pose>{word}</pose></waypoint>" for word in words)
    text = box("a", follower(f"<waypoints>{points}</waypoints>", loop)) + actor(
        f"<loop>{loop}</loop><trajectory>{times}</trajectory>"
    )
    markup = sdf.worlds(parse_markup(Path("a.sdf"), f"<sdf><world>{text}</world></sdf>".encode()))
    for model in markup[0].models():
        if isinstance(model, MovingModel):
            assert all(map(math.isfinite, (v for t in (0, 1, 1e3, 1e9) for v in model.motion.pose_at(t).point)))
