"""Names of places: every place has exactly one name, and every name one place."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rootward.errors import InputError
from rootward.formats.documents.paths import child, join, parse, write

keys = st.text(st.sampled_from('a0_.["]\\ \n\0é\ud83d\ude00\u2028*'), max_size=4) | st.text(max_size=3)
steps = st.lists(keys | st.integers(0, 10**20), max_size=4)


@given(steps)
@example(["\ud83d", "\ude00"])
@example(["", 0, ""])
@example(["A\u0300", "\u0300"])
def test_a_name_says_its_steps(way):
    assert list(parse(write(way))) == way


@given(st.text(st.sampled_from('ab.0[]"\\'), max_size=8))
def test_every_text_is_a_name_or_refused(text):
    try:
        way = parse(text)
    except InputError:
        return
    assert write(way) == text


@pytest.mark.parametrize(
    ("way", "name"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b", 0, "c"], "a.b[0].c"),
        (["a", "x.y"], 'a["x.y"]'),
        (["a", "x.y", "b"], 'a["x.y"].b'),
        ([0, 1], "[0][1]"),
        (["0"], '["0"]'),
        ([""], '[""]'),
        (['"'], r'["\""]'),
        (["größe"], "größe"),
        (["max-speed"], '["max-speed"]'),
    ],
)
def test_the_syntax(way, name):
    assert write(way) == name
    assert list(parse(name)) == way


@pytest.mark.parametrize(
    "name", ["a.", ".a", "a..b", "a[", "a[-1]", "a[x]", "a[0]b", 'a["x"', 'a["x]', "a b", "a]", "0"]
)
def test_what_is_no_name(name):
    with pytest.raises(InputError, match="is not a valid path in a document"):
        parse(name)


@pytest.mark.parametrize(("name", "written"), [('a["b"]', "a.b"), (r'["\u0061"]', "a"), (r'["\u002d"]', '["-"]')])
def test_another_spelling_of_a_name_is_refused_with_the_right_one(name, written):
    with pytest.raises(InputError) as caught:
        parse(name)
    assert str(caught.value).endswith(f"write {written!r}")


def test_a_prefix_is_joined_like_a_step():
    assert [join("M0", name) for name in ("a", "[0]", '["x y"]', "")] == ["M0.a", "M0[0]", 'M0["x y"]', "M0"]
    assert join("", "a") == "a"
    assert child("", "a") == "a"
