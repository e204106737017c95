"""Steps that are stored as differences come back exactly, and take little room."""

from __future__ import annotations

import json
import random
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.errors import InputError
from rootward.formats import steps
from rootward.formats.steps import ENDING, FirstVersion, Steps, add, read_step
from tests.properties import examples

lines = st.lists(st.sampled_from([b"a\n", b"b\n", b"\n", b"x" * 600 + b"\n", b"\r\n", b"end"]) | st.binary(max_size=40))


@examples(300)
@given(lines, st.data())
def test_any_difference_comes_back(before: list[bytes], data: st.DataObject) -> None:
    kept = data.draw(st.lists(st.sampled_from(before) | st.binary(max_size=40)) if before else lines)
    old, new = b"".join(before), b"".join(kept)
    assert add(old, FirstVersion(old).subtract(new)) == new


@examples(100)
@given(lines, lines)
def test_a_difference_belongs_to_its_version(before: list[bytes], after: list[bytes]) -> None:
    old, new = b"".join(before), b"".join(after)
    difference = FirstVersion(old).subtract(new)
    with pytest.raises(ValueError, match="has changed"):
        add(old + b"!", difference)


@pytest.mark.parametrize("line_feeds", [True, False], ids=["lines", "binary"])
def test_sixty_steps_of_a_large_input_take_little_more_than_one(tmp_path: Path, line_feeds: bool) -> None:
    chance = random.Random(1)
    size = 40 if line_feeds else 400
    items = [
        chance.randbytes(size).hex().encode() + b"\n" if line_feeds else chance.randbytes(size) for _ in range(9000)
    ]
    folder, versions = Steps(tmp_path / "steps"), dict[str, bytes]()
    for number in range(60):
        start = chance.randrange(len(items))
        del items[start : start + chance.randrange(1, 200)]
        versions[f"{len(items):05}-left.log"] = content = b"".join(items)
        folder.write(f"{len(items):05}-left.log", content)
        assert number or len(content) > steps.MAX_WHOLE_BYTES
    stored = sorted((tmp_path / "steps").iterdir())
    assert {path.name.removesuffix(ENDING): read_step(path) for path in stored} == versions
    used, whole = sum(path.stat().st_size for path in stored), max(map(len, versions.values()))
    assert used < (1.3 if line_feeds else 2.5) * whole


def test_small_steps_are_plain_files(tmp_path: Path) -> None:
    folder = Steps(tmp_path)
    folder.write("00002-left.txt", b"a\nb\n")
    folder.write("00001-left.txt", b"a\n")
    assert (tmp_path / "00001-left.txt").read_bytes() == b"a\n"


def test_a_step_without_its_first_version_is_said_to_be_lost(tmp_path: Path) -> None:
    folder, content = Steps(tmp_path), b"".join(b"line %d\n" % i for i in range(50_000))
    folder.write("2.txt", content)
    folder.write("1.txt", content[: len(content) // 2])
    assert read_step(tmp_path / f"1.txt{ENDING}") == content[: len(content) // 2]
    (tmp_path / "2.txt").write_bytes(b"other")
    with pytest.raises(InputError, match="cannot be restored: the version before has changed"):
        read_step(tmp_path / f"1.txt{ENDING}")
    (tmp_path / "2.txt").unlink()
    folder.write("0.txt", content[: len(content) // 3])
    assert (tmp_path / "0.txt").read_bytes() == content[: len(content) // 3], "somebody has cleaned up"


@pytest.mark.parametrize("parts", [[[-1, 1 << 22]], [[0, 1000]] * 5000], ids=["unpacked", "repeated"])
def test_a_small_step_cannot_fill_the_memory(monkeypatch: pytest.MonkeyPatch, parts: list[list[int]]) -> None:
    monkeypatch.setattr(steps, "MAX_BYTES", 1 << 20)
    before = b"x" * 1000
    head = json.dumps({"before": zlib.crc32(before), "after": 0, "parts": parts}).encode()
    with pytest.raises(ValueError, match="cut short, or larger than any input"):
        add(before, zlib.compress(head + b"\n" + b"0" * (1 << 22 if parts[0][0] < 0 else 0)))
