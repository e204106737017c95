"""Frames of one sender joined to messages: whole ones come back, broken ones are told, nothing is lost."""

from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.formats.recordings.frame import Frame
from rootward.formats.recordings.isotp import PATIENCE, Reassembler

FLOW = bytes.fromhex("300800CCCCCCCCCC")
LONG = bytes(range(100))


def sent(message: bytes, size: int = 8, prefix: bytes = b"") -> list[bytes]:
    """The frames of a message; ``size`` is that of the largest (8, up to 64 for CAN FD), ``prefix`` an address byte."""
    room = size - len(prefix)
    if len(message) < 8 - len(prefix):
        return [(prefix + bytes([len(message)]) + message).ljust(8, b"\xcc")]
    if size > 8 and len(message) <= room - 2:
        return [(prefix + bytes([0, len(message)]) + message).ljust(size, b"\xcc")]
    if len(message) < 4096:
        head = bytes([0x10 | len(message) >> 8, len(message) & 255])
    else:
        head = b"\x10\x00" + len(message).to_bytes(4, "big")
    done = room - len(head)
    result = [prefix + head + message[:done]]
    number = 1
    while done < len(message):
        result.append((prefix + bytes([0x20 | number & 15]) + message[done : done + room - 1]).ljust(size, b"\xcc"))
        done, number = done + room - 1, number + 1
    return result


def joined(pieces, skip=0, step=1000):
    reassembler, found = Reassembler(skip), list[Any]()
    for number, data in enumerate(pieces, 1):
        found += reassembler.add(Frame(number * step, 0x7E8, False, data, "1", number))
    return found + list(reassembler.end())


def told(pieces, **how):
    return [(message.error, message.data) for message in joined(pieces, **how)]


messages = st.binary(min_size=1, max_size=300)


@given(st.lists(messages, max_size=6), st.sampled_from([8, 12, 24, 64]), st.sampled_from([b"", b"\xf1"]), st.data())
def test_what_was_sent_comes_back_whatever_is_in_between(given_messages, size, prefix, data):
    pieces = []
    for message in given_messages:
        for piece in sent(message, size, prefix):
            pieces.append(piece)
            if data.draw(st.booleans()):
                pieces.append(prefix + FLOW)
    assert told(pieces, skip=len(prefix)) == [("", message) for message in given_messages]


def test_a_message_of_more_than_4095_bytes():
    message = bytes(range(256)) * 20
    assert told(sent(message)) == [("", message)]
    assert told(sent(message, 64)) == [("", message)]


def test_a_message_knows_its_first_and_its_last_frame():
    (message,) = joined([FLOW, *sent(LONG[:20]), FLOW])
    assert (message.first, message.last, message.first_number, message.last_number) == (2000, 4000, 2, 4)


def test_a_message_that_the_recording_cuts_off():
    assert told(sent(LONG)[:3]) == [("truncated", LONG[:20])]


def test_a_message_that_begins_before_the_last_one_ended():
    pieces = sent(LONG)[:3] + sent(b"\x3e\x00")
    assert told(pieces) == [("overlap", LONG[:20]), ("", b"\x3e\x00")]
    assert told(pieces, step=PATIENCE + 1) == [("truncated", LONG[:20]), ("", b"\x3e\x00")]


@pytest.mark.parametrize("lost", [1, 2, 5, 14])
def test_a_lost_frame_breaks_one_message_and_not_the_next(lost):
    pieces = sent(LONG)
    rest = b"".join([pieces[0][2:], *(piece[1:] for piece in pieces[1:lost] + pieces[lost + 1 :])])
    found = told([*pieces[:lost], *pieces[lost + 1 :], *sent(LONG)])
    assert found[-1] == ("", LONG)
    assert found[:-1] == [("sequence" if lost < len(pieces) - 1 else "overlap", rest)]


def test_frames_of_a_message_that_began_before_the_recording():
    pieces = sent(LONG)[1:4] + sent(b"\x3e\x00")
    assert told(pieces) == [("unexpected", b"".join(piece[1:] for piece in pieces[:3])), ("", b"\x3e\x00")]


@pytest.mark.parametrize("data", ["", "00", "07112233", "0811223344556677", "4000", "F0", "1014", "1005112233445566"])
def test_what_is_no_frame_of_iso_tp(data):
    assert told([bytes.fromhex(data)]) == [("malformed", bytes.fromhex(data))]


def test_a_malformed_frame_does_not_disturb_a_message():
    pieces = sent(LONG)
    assert told([*pieces[:4], b"\xff\x01", *pieces[4:]]) == [("malformed", b"\xff\x01"), ("", LONG)]


def test_a_message_that_announces_four_gigabytes_needs_no_memory():
    assert told([bytes.fromhex("1000FFFFFFFF0102"), b"\x21abcdefg"]) == [("truncated", b"\x01\x02abcdefg")]


@given(st.lists(st.binary(max_size=12), max_size=30), st.sampled_from([0, 1]))
def test_nothing_is_lost_of_noise(pieces, skip):
    numbers = count(1)
    kinds = [piece[skip] >> 4 if len(piece) > skip else -1 for piece in pieces]
    used = [number for number, kind in zip(numbers, kinds, strict=False) if kind != 3]
    found = joined(pieces, skip)
    assert {message.first_number for message in found} | {message.last_number for message in found} <= set(used)
    covered = {n for message in found for n in range(message.first_number, message.last_number + 1)}
    assert set(used) <= covered
