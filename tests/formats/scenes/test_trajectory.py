"""Trajectories from files."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward import InputError
from rootward.formats.scenes.trajectory import read

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
WAYS = st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS), min_size=1)


def saved(folder, name, text):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@given(way=WAYS, header=st.booleans())
def test_what_was_written_is_read(tmp_path_factory, way, header):
    folder = tmp_path_factory.getbasetemp()
    rows = "".join(f"{t!r},{x!r},{y!r},{z!r}\n" for t, x, y, z in way)
    assert read(saved(folder, "a.csv", "t,x,y,z\n" * header + rows)) == tuple(way)
    assert read(saved(folder, "a.json", json.dumps(way))) == tuple(way)
    assert read(saved(folder, "a.json", json.dumps([dict(zip("txyz", p, strict=True)) for p in way]))) == tuple(way)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "0,1,2\n1,3,4\n"),
        ("a.csv", "\ufefftime,id,y,x\r\n0,7,2,1\r\n\r\n1,7,4,3\r\n"),
        ("a.txt", " 0 , 1.0,2\n1, 3,4"),
        ("a.json", "[[0, 1, 2], [1, 3, 4]]"),
        ("a.json", '[{"stamp": 0, "x": 1, "y": 2}, {"stamp": 1, "x": 3, "y": 4, "yaw": 9}]'),
    ],
)
def test_without_a_height_it_is_zero(tmp_path, name, text):
    assert read(saved(tmp_path, name, text)) == ((0.0, 1.0, 2.0, 0.0), (1.0, 3.0, 4.0, 0.0))


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("a.csv", "", "has no points"),
        ("a.csv", "t,x,y\n", "has no points"),
        ("a.csv", "a,b,c\n1,2,3\n", "needs columns named t, x and y; its header is a,b,c"),
        ("a.csv", "0,1\n", "line 1: expected finite numbers"),
        ("a.csv", "0,1,2\n1,nan,2\n", "line 2: expected finite numbers"),
        ("a.csv", "t,x,y\n0,1\n", "line 2: expected finite numbers"),
        ("a.csv", "0,1,2\n" + "x" * 200_000, "field larger"),
        ("a.csv", b"\xff\xfe", "cannot be read"),
        ("a.json", "{}", "not a list of points"),
        ("a.json", "[]", "has no points"),
        ("a.json", "[[0, 1, true]]", "point 0: expected finite numbers"),
        ("a.json", "[[0, 1, 1e999]]", "point 0: expected finite numbers"),
        ("a.json", "[[0, 1, 1" + "0" * 4000 + "]]", "point 0: expected finite numbers"),
        ("a.json", "[[0, 1, 1" + "0" * 5000 + "]]", "point 0: expected finite numbers"),
        ("a.json", '[{"x": 1, "y": 2}]', "point 0: expected finite numbers"),
        ("a.json", "[3]", "point 0"),
        ("a.json", "[" * 100_000, "nested too deeply"),
        ("a.json", "[", "is not JSON"),
    ],
)
def test_what_is_no_trajectory_is_refused(tmp_path, name, text, reason):
    with pytest.raises(InputError, match=reason):
        read(saved(tmp_path, name, text))


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read(tmp_path / "none.csv")
