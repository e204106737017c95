"""Compressed recordings are read like others; damaged ones as far as possible."""

import gzip
import importlib
import sys
from pathlib import Path

import pytest

from rootward.errors import MissingExtra
from rootward.formats.recordings import source
from rootward.formats.recordings.problems import Problems
from rootward.formats.recordings.source import open_recording, read_lines

zstd = importlib.import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")

COMPRESS = {"gzip": gzip.compress, "Zstandard": zstd.compress}
LINES = [f"({place}.000000) can0 7E0#{place * 7919 % 2**32:08X}" for place in range(20_000)]
TEXT = "\n".join(LINES).encode()


def read(path: Path, data: bytes) -> tuple[bytes, list[str]]:
    path.write_bytes(data)
    problems = Problems("it")
    with open_recording(path, problems) as file:
        return file.read(), list(problems.texts)


@pytest.mark.parametrize("name", COMPRESS)
@pytest.mark.parametrize("text", [b"", b"x", TEXT])
@pytest.mark.parametrize("padding", [0, 1, 1000])
def test_the_contents_come_back_whatever_the_file_is_called(text, padding, name, tmp_path):
    assert read(tmp_path / "log.txt", COMPRESS[name](text) + bytes(padding)) == (text, [])


@pytest.mark.parametrize("name", COMPRESS)
def test_several_members_are_read_one_after_the_other(name, tmp_path):
    for size in range(1, 300):  # members end everywhere in a step of the decompressor
        members = [b"a" * size, b"", bytes(range(256)) * 3, b"the end"]
        data = b"".join(map(COMPRESS[name], members))
        assert read(tmp_path / "log", data) == (b"".join(members), [])


def test_an_index_between_members_is_skipped(tmp_path):
    index = b"\x5e\x2a\x4d\x18" + (9).to_bytes(4, "little") + b"an index!"
    data = index + zstd.compress(b"one") + index + zstd.compress(b"two") + index
    assert read(tmp_path / "log", data) == (b"onetwo", [])


@pytest.mark.parametrize("name", COMPRESS)
def test_what_is_there_of_a_file_that_was_cut_off(name, tmp_path):
    whole = COMPRESS[name](TEXT)
    for part in (0.3, 0.7, 0.99):
        size = int(len(whole) * part)
        found, (problem,) = read(tmp_path / "log", whole[:size])
        assert TEXT.startswith(found)
        assert len(found) > len(TEXT) * (part - 0.4)
        assert problem == f"it: the {name} data end too early, after {size:,} bytes (cut off?)"


@pytest.mark.parametrize("name", COMPRESS)
def test_what_precedes_damaged_data_is_read(name, tmp_path):
    whole = bytearray(COMPRESS[name](TEXT))
    middle = len(whole) * 3 // 4
    whole[middle : middle + 40] = bytes(40)
    found, (problem,) = read(tmp_path / "log", bytes(whole))
    assert len(found) > len(TEXT) * 0.3
    assert TEXT.startswith(found[: len(TEXT) // 2])
    assert problem.startswith(f"it: the {name} data are damaged before byte ")


@pytest.mark.parametrize("name", COMPRESS)
def test_other_bytes_behind_the_data_are_told(name, tmp_path):
    found, (problem,) = read(tmp_path / "log", COMPRESS[name](TEXT) + b"something else")
    assert found == TEXT
    assert problem.startswith(f"it: bytes after the {name} data")


def test_a_file_that_would_fill_the_disk_is_not_read_to_its_end(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "MAX_DATA_BYTES", 1 << 20)
    found, (problem,) = read(tmp_path / "log", gzip.compress(bytes(1 << 23)))
    assert len(found) < 1 << 22
    assert "without compression; the rest was not read" in problem


def test_what_to_install_is_told(tmp_path, monkeypatch):
    (tmp_path / "log.log.zst").write_bytes(zstd.compress(TEXT))
    monkeypatch.setitem(sys.modules, zstd.__name__, None)
    with pytest.raises(MissingExtra, match=r"rootward\[can\]"):
        open_recording(tmp_path / "log.log.zst", Problems("it"))


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_a_line_without_end_is_left_out(compress, tmp_path):
    path, problems = tmp_path / "log", Problems("it")
    path.write_bytes(compress(b"one\n" + b"x" * 2_500_000 + b"\ntwo"))
    assert list(read_lines(path, problems)) == [(1, "one"), (3, "two")]
    assert problems.texts == ("it: line 2: longer than 1,000,000 characters",)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be"])
def test_the_encoding_is_recognised(encoding, tmp_path):
    path, problems = tmp_path / "log", Problems("it")
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    path.write_bytes(f"{mark}one\r\nzwölf\n".encode(encoding))
    assert list(read_lines(path, problems)) == [(1, "one"), (2, "zwölf")]
