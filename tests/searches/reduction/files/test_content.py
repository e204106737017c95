"""A changed version of a file knows what is left of the original."""

import json
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from rootward.formats.documents.syntax import apply_edits
from rootward.searches.reduction.files.shrink import difference, edit_content
from rootward.space.candidate import MAX_TOLD_PIECES, Version, key_of, positions, realise, to_json
from tests.properties import examples

TEXTS = st.binary(max_size=3)


@st.composite
def edits_of(draw: st.DrawFn, size: int) -> list[tuple[int, int, bytes]]:
    places = sorted(draw(st.lists(st.integers(0, size), max_size=8)))
    return [(start, end, draw(TEXTS)) for start, end in zip(places[::2], places[1::2], strict=False)]


def rebuild(content: Version, original: bytes) -> bytes:
    return b"".join(piece if isinstance(piece, bytes) else original[slice(*piece)] for piece in content.pieces)


@examples(400)
@given(original=st.binary(max_size=30), data=st.data())
def test_the_pieces_rebuild_the_data_after_any_edits(original: bytes, data: st.DataObject) -> None:
    content = Version(original, [(0, len(original))], len(original))
    expected = original
    for _ in range(3):
        edits = data.draw(edits_of(len(expected)))
        content, expected = edit_content(content, edits), apply_edits(expected, edits)
        assert content.data == expected == rebuild(content, original)
        spans = [piece for piece in content.pieces if isinstance(piece, tuple)]
        assert all(start <= end for start, end in spans)
        assert all(a[1] <= b[0] for a, b in pairwise(spans))
        assert content.of == len(original)


@examples(400)
@given(original=st.binary(max_size=30), data=st.data())
def test_what_is_told_are_the_places_that_are_left(original: bytes, data: st.DataObject) -> None:
    edits = data.draw(edits_of(len(original)))
    content = edit_content(Version(original, [(0, len(original))], len(original)), edits)
    removed = {place for start, end, _ in edits for place in range(start, end)}
    left = [place for place in range(len(original)) if place not in removed]
    assert positions(content.told["kept"]) == left
    assert json.loads(to_json(content)) == {"kept": content.told["kept"], "of": len(original)}


def test_an_empty_file_tells_no_places() -> None:
    assert Version(b"", [(0, 0)], 0).told == {"kept": "", "of": 0}


def test_many_pieces_are_told_by_their_size() -> None:
    size = 2 * MAX_TOLD_PIECES
    for extra, expected in [(0, size // 2), (1, MAX_TOLD_PIECES + 1)]:
        spans = [(place, place + 1) for place in range(0, size + 2 * extra, 2)]
        told = Version(b"x" * len(spans), spans, size + 2 * extra).told
        assert len(positions(told["kept"])) == expected
        assert told["kept"] == (f"0-{expected - 1}" if extra else ",".join(str(start) for start, _ in spans))


def test_versions_with_the_same_bytes_are_the_same() -> None:
    one, other = Version(b"ab", [(0, 2)], 4), Version(b"ab", [b"ab"], 4)
    assert one == other
    assert len({one, other}) == 1
    assert key_of(one) == key_of(other) != key_of(Version(b"ac", [b"ac"], 4))
    assert realise(one) == b"ab"
    assert realise(Version(b"ab", [], 4, lambda data: data.decode())) == "ab"


@examples(400)
@given(st.text("ab", max_size=8), st.text("ab", max_size=8))
def test_the_difference_turns_one_text_into_the_other(old: str, new: str) -> None:
    edit = start, end, instead = difference(old.encode(), new.encode())
    assert 0 <= start <= end <= len(old)
    assert apply_edits(old.encode(), [edit]) == new.encode()
    for smaller in (old[start:end], instead.decode()):  # it begins and ends with something that differs
        other = instead.decode() if smaller == old[start:end] else old[start:end]
        assert not smaller or not other or (smaller[0] != other[0] and smaller[-1] != other[-1])
