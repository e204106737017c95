"""Rows of a CSV file: the header stays, a row goes as a whole, and every other byte stays."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward import InputError
from rootward.formats.documents.csv_rows import Rows

CELLS = st.text(alphabet='ab,"\n\r é', max_size=4)


def saved(folder, text):
    path = folder / "table.csv"
    path.write_bytes(text.encode())
    return path


@given(
    rows=st.lists(st.lists(CELLS, min_size=1, max_size=3).filter(any), max_size=5),
    blank=st.booleans(),
    ended=st.booleans(),
    data=st.data(),
)
def test_the_kept_rows_stay_below_the_header(tmp_path_factory, rows, blank, ended, data):
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(["a", 'the "b"\nof it'])
    for row in rows:
        out.write("\r\n" * blank)
        writer.writerow(row)
    text = out.getvalue() if ended else out.getvalue().removesuffix("\r\n")
    table = Rows(saved(tmp_path_factory.getbasetemp(), text))
    assert len(table) == len(rows)
    assert table.render(table) == text.encode()
    kept = sorted(data.draw(st.sets(st.sampled_from(range(len(rows)))))) if rows else []
    left = csv.reader(io.StringIO(table.render([table[i] for i in kept]).decode(), newline=""))
    assert [row for row in left if row] == [["a", 'the "b"\nof it'], *(rows[i] for i in kept)]
    passages = list(table.passages(set(kept)))
    assert "".join(piece for piece, _ in passages) == text
    assert "".join(piece for piece, there in passages if there).encode() == table.render([table[i] for i in kept])


def test_a_row_is_told_by_its_text(tmp_path):
    table = Rows(saved(tmp_path, 'a,b\n1,"x\ny"\n'))
    assert [str(row) for row in table] == ['1,"x y"']
    assert table.reduced_path == tmp_path / "table.reduced.csv"


def test_an_empty_file_has_no_header(tmp_path):
    with pytest.raises(InputError, match="is empty: expected a header"):
        Rows(saved(tmp_path, "\n\n"))
