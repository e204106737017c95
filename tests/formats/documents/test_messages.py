"""Message lists: the kept messages come in order, at their own times or with the gaps closed."""

import csv
import io
import itertools
import json
import pickle
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward import InputError
from rootward.formats.documents.messages import Messages, close_gaps

TIMES = st.lists(st.decimals(-1000, 10**10, places=3), min_size=1, max_size=12)


def open_text(folder, text, name="log.jsonl", timing="keep"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return Messages(path, timing)


def as_csv(times, name="time"):
    notes = ['"a ""b"",\n, "', 'a "b"', ' "', '"a"b', ""]
    rows = (f"{i},{notes[i % 5]},{time},{notes[-i % 5]}\r\n" for i, time in enumerate(times))
    return f"id,note,{name},more\r\n" + "".join(rows)


def as_lines(times):
    return "".join(f'{{"id": {i}, "t" : {time}, "note": {{"t": 7}}}}\n' for i, time in enumerate(times))


def rows(data, name):
    if name.endswith(".csv"):
        return [
            (int(row["id"]), Decimal(row["time"])) for row in csv.DictReader(io.StringIO(data.decode(), newline=""))
        ]
    lines = [json.loads(line, parse_float=Decimal, parse_int=Decimal) for line in data.splitlines()]
    return [(int(line["id"]), Decimal(line["t"])) for line in lines]


@pytest.mark.parametrize(("write", "name"), [(as_csv, "log.csv"), (as_lines, "log.jsonl")])
@given(times=TIMES, data=st.data())
def test_the_kept_messages_keep_or_close_their_gaps(tmp_path_factory, write, name, times, data):
    folder = tmp_path_factory.getbasetemp()
    text = write(times)
    keep, close = open_text(folder, text, name), open_text(folder, text, name, "close")
    assert keep.render(keep) == close.render(close) == text.encode()
    chosen = sorted(data.draw(st.sets(st.sampled_from(range(len(times))))))
    assert rows(keep.render([keep[i] for i in chosen]), name) == [(i, times[i]) for i in chosen]
    left = rows(close.render([close[i] for i in chosen]), name)
    assert [i for i, _ in left] == chosen
    assert not left or left[0][1] == times[0]
    for (_, before), (i, time) in itertools.pairwise(left):
        assert time - before == times[i] - times[i - 1]


@given(times=st.lists(st.integers(0, 2**63), min_size=1).map(sorted), data=st.data())
def test_closed_times_do_not_go_back_where_the_original_did_not(times, data):
    chosen = sorted(data.draw(st.sets(st.sampled_from(range(len(times))))))
    new = close_gaps(times, chosen)
    assert new == sorted(new)
    assert all(time <= times[i] for i, time in zip(chosen, new, strict=True))


def test_messages_have_times_and_a_text(tmp_path):
    found = open_text(tmp_path, '{"stamp": 2.5, "a": 1}\n\n{"a": 2, "timestamp": 3, "stamp": 9}\n')
    assert [(str(message), message.time) for message in found] == [
        ('{"stamp": 2.5, "a": 1}', 2.5),
        ('{"a": 2, "timestamp": 3, "stamp": 9}', 3.0),
    ]
    assert (found.noun, found.reduced_path.name) == ("message", "log.reduced.jsonl")
    assert found.render(found[1:]) == b'\n{"a": 2, "timestamp": 3, "stamp": 9}\n'
    assert list(pickle.loads(pickle.dumps(found))) == list(found)
    assert list(found) != list(open_text(tmp_path, found.path.read_bytes(), timing="close")), (
        "another run of the subject"
    )


def test_a_new_time_is_written_as_the_old_ones(tmp_path):
    found = open_text(tmp_path, "t,x\n0.50,1\n1.25,2\n\n 1700000000.000000001 ,3\n", "a.csv", "close")
    assert found.render(found[2:]) == b"t,x\n\n0.50,3\n"
    assert found.render([found[0], found[2]]) == b"t,x\n0.50,1\n\n1699999999.250000001,3\n"
    quoted = open_text(tmp_path, '"time",x\n"1",1\n"2",2\n"4",3\n', "a.csv", "close")
    assert quoted.render(quoted[1:]) == b'"time",x\n1,2\n3,3\n'


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("a.jsonl", '{"t": 1}\n{"x": 1}\n', "line 2: the message has no time: add a member named time or t "),
        ("a.jsonl", '{"t": 1}\n[{"t": 1}]\n', "line 2: the message has no time"),
        ("a.jsonl", '{"t": "2024-01-01"}', "line 1: the time '2024-01-01' is not a number"),
        ("a.jsonl", '{"t": {"sec": 1}}', "line 1: the time .* is not a number"),
        ("a.jsonl", '{"t": 1e999999999}', "is not a number"),
        ("a.jsonl", '{"t": 1' + "0" * 5000 + "}", "is not a number"),
        ("a.jsonl", '{"t": 1', "is not JSON: line 1"),
        ("a.jsonl", '{"t": ' + "[" * 10_000, "is not JSON"),
        ("a.csv", "x,y\n1,2\n", "no column with times: its header must name one time or t or timestamp or stamp"),
        ("a.csv", "", "no column with times"),
        ("a.csv", "x,t\n1,2\n3\n", "line 3: the row has no plain number in its time column"),
        ("a.csv", 'x,t\n1,"2\n', "line 2: the row has no plain number in its time column"),
        ("a.csv", "x,t\n1,two\n", "line 2: the time 'two' is not a number"),
        ("a.csv", "t\n" + '"' + "1" * 200_000, "field larger"),
        ("a.csv", b"t\n\xff\n", "UTF-8"),
        ("a.txt", "t\n1\n", r"must end in .csv, .jsonl, .ndjson, .bag or .mcap"),
    ],
)
def test_what_has_no_times_is_refused(tmp_path, name, text, reason):
    with pytest.raises(InputError, match=reason):
        open_text(tmp_path, text, name)


def test_timing_is_keep_or_close(tmp_path):
    with pytest.raises(InputError, match="keep or close, not 'shrink'"):
        open_text(tmp_path, "t\n1\n", "a.csv", "shrink")


def test_of_two_members_of_one_name_the_last_one_counts(tmp_path):
    found = open_text(tmp_path, '{"t": 0}\n{"t": 1, "stamp": 3, "t": 2}\n', timing="close")
    assert found[1].time == 2.0
    assert found.render(found[1:]) == b'{"t": 1, "stamp": 3, "t": 0}\n'
