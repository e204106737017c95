"""A file as pieces: together they are the file, byte for byte."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward import InputError
from rootward.formats.documents.parts import CUTS, Pieces, characters, lines, tokens


@pytest.mark.parametrize("cut", CUTS.values())
@given(
    data=st.binary()
    | st.text().map(str.encode)
    | st.lists(st.sampled_from([b"\r\n", b"\n", b"a", b"\xff"])).map(b"".join)
)
def test_the_pieces_together_are_the_file(cut, data):
    assert b"".join(cut(data)) == data
    assert all(cut(data))


def test_lines_keep_their_endings():
    assert lines(b"a\r\nb\n\nc\rd") == [b"a\r\n", b"b\n", b"\n", b"c\rd"]
    assert lines(b"") == []


def test_characters_are_those_of_utf8_and_other_bytes_stand_alone():
    assert characters("é€\n".encode() + b"\xff\xc3") == ["é".encode(), "€".encode(), b"\n", b"\xff", b"\xc3"]


def test_tokens_are_words_numbers_blanks_and_single_signs():
    assert tokens(b"if (x_1>=3.5e-3)\n\t y = -12px.7") == [
        *(b"if", b" ", b"(", b"x_1", b">", b"=", b"3.5e-3", b")", b"\n\t ", b"y", b" ", b"=", b" ", b"-", b"12px"),
        *(b".", b"7"),
    ]
    assert tokens("é²\0".encode() + b"\xff\xff") == ["é²".encode(), b"\0", b"\xff", b"\xff"]


def test_pieces_of_a_file(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"1\n2\n3")
    pieces = Pieces(tmp_path / "a.txt")
    assert list(pieces) == [b"1\n", b"2\n", b"3"]
    assert (len(pieces), pieces[0], pieces[1:], pieces.noun) == (3, b"1\n", (b"2\n", b"3"), "line")
    assert Pieces(tmp_path / "a.txt", "chars").noun == "character"
    assert Pieces(tmp_path / "a.txt", "tokens").noun == "token"
    assert pieces.render(pieces) == b"1\n2\n3"
    assert pieces.render([pieces[0], pieces[2]]) == b"1\n3"


@pytest.mark.parametrize(
    ("name", "reduced"),
    [
        ("crash.json", "crash.reduced.json"),
        ("Makefile", "Makefile.reduced"),
        (".rc", ".rc.reduced"),
        ("a.b.c", "a.b.reduced.c"),
    ],
)
def test_the_reduced_file_keeps_the_ending(tmp_path, name, reduced):
    (tmp_path / name).touch()
    assert Pieces(tmp_path / name).reduced_path == tmp_path / reduced


def test_what_cannot_be_read_or_cut_is_refused(tmp_path):
    with pytest.raises(InputError, match="cannot be read: No such file"):
        Pieces(tmp_path / "none")
    with pytest.raises(InputError, match="cannot be read: it is a folder"):
        Pieces(tmp_path)
    with pytest.raises(InputError, match="by lines, chars, tokens, not by 'words'"):
        Pieces(Path(__file__), "words")


def test_rendering_puts_them_together(tmp_path):
    (tmp_path / "in").write_bytes(b"1\n2\n3")
    assert Pieces(tmp_path / "in").render([b"1\n", b"3"]) == b"1\n3"
