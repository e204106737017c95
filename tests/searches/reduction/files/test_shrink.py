"""The search that shortens a file: what it returns fails, and nothing more can go."""

import importlib.util
import json
import random
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rootward as rw
from rootward.formats.documents import syntax, whole_file
from rootward.formats.documents.whole_file import WholeFile
from rootward.search.ask import Ask, Search
from rootward.searches.reduction.files import passes
from rootward.searches.reduction.files.draft import TextDraft
from rootward.searches.reduction.files.file_reduction import LEVELS, FileReduction
from rootward.searches.reduction.files.passes import nested_lists
from rootward.searches.reduction.files.shrink import shrink
from rootward.searches.reduction.rates import Rate
from rootward.space.candidate import Version
from rootward.verdict import FAIL, PASS, Outcome
from tests.properties import examples, thorough

Fails = Callable[[bytes], bool]
with_parser = pytest.mark.skipif(
    importlib.util.find_spec("tree_sitter_language_pack") is None,
    reason="tree_sitter_language_pack is not installed: it parses program text and data",
)

PYTHON = b"""import os

def helper(a, b):
    # adds them
    return a + b

class Thing:
    def method(self, value):
        if value > 3:
            for item in [1, 2, 3]:
                boom(item, helper(value, 2))
        return "gr\xc3\xbc\xc3\x9fe"
"""
JSON = b'{"a": [1, 2, {"b": "bad", "c": [true]}], "d": {"e": null, "f": "longer text, with words"}}'
C = b'int unused(void) { return 1; }\nint main(int c, char **v) { if (c > 1) { crash("x", c); } return 0; }\n'
XML = b"<a><b c='1'>text</b><d><e f='bad'/></d><!-- why --></a>"
CSV = b"id,name,value\n1,one,10\n2,two,20\n3,bad,30\n4,four,40\n"
YAML = b"a:\n  - 1\n  - b: bad\nc: {d: 1, e: 2}\n"
TEXT = "first line\n  second (bad) line\n\nthird \N{EURO SIGN} line\n".encode()


@dataclass
class Driver:
    """Answers a search by a predicate, and checks each of its questions."""

    fails: Fails
    rate: float = 1.0
    seed: int = 0
    asks: list[Ask[Any]] = field(default_factory=list)
    asked: list[bytes] = field(default_factory=list)
    ahead: list[list[bytes]] = field(default_factory=list)
    """For each question, the versions that may be asked next."""

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)

    def __call__(self, search: Search[Version, FileReduction], most: int | None = None) -> FileReduction:
        answers: Any = None
        while most is None or len(self.asks) < most:
            try:
                ask = search.send(answers)
            except StopIteration as end:
                return end.value
            self.asks.append(ask)
            assert self.fails(ask.best.content.data)
            self.ahead.append([one.data for one in ask.ahead])
            self.asked += [one.data for one in ask.candidates]
            answers = [Outcome(FAIL if self._run(one.data) else PASS) for one in ask.candidates]
        return self.asks[-1].best

    def _run(self, data: bytes) -> bool:
        return self.fails(data) and self.rng.random() < self.rate


def file_of(folder: Path, name: str, data: bytes) -> WholeFile:
    (folder / name).write_bytes(data)
    return WholeFile(folder / name)


def all_in(*texts: bytes) -> Fails:
    return lambda data: all(text in data for text in texts)


CASES: dict[str, tuple[str, bytes, Fails]] = {
    "python, a call": ("a.py", PYTHON, all_in(b"boom(")),
    "python, two places": ("a.py", PYTHON, all_in(b"boom", b"helper(a")),
    "json": ("a.json", JSON, all_in(b'"bad"', b"null")),
    "c": ("a.c", C, all_in(b"crash(", b"return 0")),
    "xml": ("a.xml", XML, all_in(b"<e", b"bad")),
    "csv": ("a.csv", CSV, lambda data: any(row.endswith(b",bad,30") for row in data.split(b"\n"))),
    "yaml": ("a.yaml", YAML, all_in(b"bad", b"c:")),
    "text": ("a.txt", TEXT, all_in(b"bad", "\N{EURO SIGN}".encode())),
    "balanced": ("a.txt", TEXT, lambda data: data.count(b"(") == data.count(b")") > 0),
    "many": ("a.txt", TEXT, lambda data: sum(byte in b"lines" for byte in data) >= 7),
    "long": ("a.txt", b"word " * 80 + b"bad\n" + b"x" * 200, lambda data: b"bad" in data and data.count(b"x") >= 5),
    "only the whole": ("a.txt", TEXT, lambda data: data == TEXT),
    "bytes": ("a.bin", bytes(range(64)) * 3, all_in(b"\x05\x06", b"\x20")),
}


def characters(data: bytes) -> list[bytes]:
    try:
        return [char.encode() for char in data.decode()]
    except UnicodeDecodeError:
        return [data[at : at + 1] for at in range(len(data))]


def without_one(data: bytes) -> list[bytes]:
    """Return each version without a single character."""
    chars = characters(data)
    return [b"".join(chars[:at] + chars[at + 1 :]) for at in range(len(chars))]


@with_parser
@pytest.mark.parametrize("name", CASES)
def test_the_result_fails_and_no_single_character_can_go(tmp_path: Path, name: str) -> None:
    file_name, data, fails = CASES[name]
    driver = Driver(fails)
    found = driver(shrink(file_of(tmp_path, file_name, data)))
    assert fails(found.kept)
    assert found.minimal
    assert [one for one in without_one(found.kept) if fails(one)] == []
    assert len(set(driver.asked)) == len(driver.asked)  # nothing is asked twice
    assert b"" in driver.asked
    sizes = [size for _, size in found.course]
    assert sizes == sorted(sizes, reverse=True)
    assert not sizes or sizes[-1] == len(found.kept)
    assert sum(one.removed for one in found.stages) == len(data) - len(found.kept)
    rebuilt = b"".join(p if isinstance(p, bytes) else data[slice(*p)] for p in found.content.pieces)
    assert rebuilt == found.kept


SHORT = {
    "a.txt": "ab(\n \N{EURO SIGN}",
    "a.json": '[{"a": 1}, 2]',
    "a.csv": "ab,\n",
    "a.py": "a = (1)\n ",
    "a.bin": "ab\0",
}


@with_parser
@examples(150)
@given(data=st.data(), seed=st.integers(0, 10**6))
@pytest.mark.parametrize("name", SHORT)
def test_any_short_text_is_reduced_until_no_character_can_go(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject, seed: int
) -> None:
    text = data.draw(st.text(SHORT[name], min_size=1, max_size=24)).encode()
    needed = random.Random(seed).sample(characters(text), min(3, len(characters(text))))

    def fails(version: bytes) -> bool:
        """Needs as many of some characters as it had, and of all others an even number."""
        return all(version.count(one) >= text.count(one) for one in needed[:1]) and all(
            version.count(one) % 2 == text.count(one) % 2 for one in needed[1:]
        )

    found = Driver(fails)(shrink(file_of(tmp_path_factory.mktemp("short"), name, text)))
    assert fails(found.kept)
    assert [one for one in without_one(found.kept) if fails(one)] == []


@with_parser
@pytest.mark.parametrize("name", ["python, a call", "text", "bytes"])
def test_the_same_search_asks_the_same(tmp_path: Path, name: str) -> None:
    file_name, data, fails = CASES[name]
    file = file_of(tmp_path, file_name, data)
    first, second = Driver(fails), Driver(fails)
    assert first(shrink(file)) == second(shrink(file))
    assert first.asked == second.asked


@with_parser
@pytest.mark.parametrize("name", ["json", "text"])
def test_what_is_predicted_is_asked_next_if_nothing_works(tmp_path: Path, name: str) -> None:
    file_name, data, _ = CASES[name]
    driver = Driver(lambda version: version == data)
    driver(shrink(file_of(tmp_path, file_name, data)))
    predicted = 0
    for asked, following, ahead in zip(driver.asked, driver.asked[1:], driver.ahead, strict=False):
        assert all(len(version) > 0 and (len(version), version) < (len(data), data) for version in ahead)
        if new := [version for version in ahead if version != asked]:  # two changes may make the same version
            assert following == new[0]
            predicted += 1
    assert predicted >= len(driver.asks) // 3


@with_parser
@pytest.mark.parametrize("name", ["python, two places", "text", "only the whole"])
def test_each_question_has_a_valid_answer_if_the_search_ends_there(tmp_path: Path, name: str) -> None:
    file_name, data, fails = CASES[name]
    file = file_of(tmp_path, file_name, data)
    driver = Driver(fails)
    driver(shrink(file))
    for most in (1, 2, 5, len(driver.asks) // 2, len(driver.asks)):
        best = Driver(fails)(shrink(file), most)
        assert fails(best.content.data)
        assert not best.minimal


# Simpler versions of the same length


@with_parser
@pytest.mark.parametrize("name", CASES)
def test_each_version_that_fails_is_simpler_than_the_one_before(tmp_path: Path, name: str) -> None:
    file_name, data, fails = CASES[name]
    driver = Driver(fails)
    driver(shrink(file_of(tmp_path, file_name, data)))
    order = [(len(ask.best.content), ask.best.content.data) for ask in driver.asks]
    assert order == sorted(order, reverse=True)


@pytest.mark.parametrize(
    ("text", "fails", "kept"),
    [
        (b"size 731 ok", lambda data: re.search(rb"\d{3}", data), b"000"),
        (b"size 731 ok", lambda data: re.search(rb"[1-9]\d", data), b"10"),
        (b"size 731 ok", lambda data: re.search(rb"[3-9]", data), b"7"),  # only 0 and 1 are tried
        (b"\x89ab\xff", lambda data: len(data) >= 2, b"\0\0"),
    ],
)
def test_digits_and_bytes_are_lowered(tmp_path: Path, text: bytes, fails: Fails, kept: bytes) -> None:
    found = Driver(lambda data: bool(fails(data)))(shrink(file_of(tmp_path, "a.txt", text)))
    assert (found.kept, found.minimal) == (kept, True)


def test_a_lower_size_in_a_header_makes_most_of_the_data_superfluous(tmp_path: Path) -> None:
    def fails(data: bytes) -> bool:
        return data[:1] == b"\x89" and len(data) >= 3 and len(data) - 3 >= data[1] * data[2]

    driver = Driver(fails)
    found = driver(shrink(file_of(tmp_path, "a.bin", b"\x89\x40\x30" + random.Random(0).randbytes(64 * 48))))
    assert (found.kept, found.minimal) == (b"\x89\0\0", True)
    assert len(driver.asked) < 100


def test_compressed_data_are_replaced_by_zeros(tmp_path: Path) -> None:
    def fails(data: bytes) -> bool:
        try:
            return len(zlib.decompress(data)) >= 100
        except zlib.error:
            return False

    found = Driver(fails)(shrink(file_of(tmp_path, "a.bin", zlib.compress(random.Random(0).randbytes(5000)))))
    content = zlib.decompress(found.kept)
    assert content == bytes(len(content))
    assert 100 <= len(content) < 200


def test_what_only_looks_compressed_is_left_alone() -> None:
    stream = zlib.compress(b"text")
    assert list(passes.simplify_compressed(stream, "text")) == []
    assert list(passes.simplify_compressed(b"\xff" + stream, "bytes")) == []


def test_a_failure_that_does_not_depend_on_the_content_leaves_nothing(tmp_path: Path) -> None:
    driver = Driver(lambda data: True)
    found = driver(shrink(file_of(tmp_path, "a.txt", TEXT)))
    assert (found.kept, driver.asked) == (b"", [TEXT, b""])
    assert found.gone == 1


def test_an_original_that_passes_is_given_back(tmp_path: Path) -> None:
    file = file_of(tmp_path, "a.txt", TEXT)
    search = shrink(file)
    assert next(search).candidates == [file.original]
    with pytest.raises(StopIteration) as end:
        search.send([Outcome(PASS)])
    assert end.value.value.kept == TEXT
    assert not end.value.value.minimal


# Options


@with_parser
def test_a_coarser_level_ends_earlier(tmp_path: Path) -> None:
    file = file_of(tmp_path, "a.py", PYTHON + b"something(something)\nprint('xx3xx')\n")

    def fails(data: bytes) -> bool:
        return re.search(rb"(\w+)\(\1\)", data) is not None and b"3xx')" in data

    drivers = {level: Driver(fails) for level in LEVELS}
    found = {level: driver(shrink(file, until=level)) for level, driver in drivers.items()}
    sizes = [len(found[level].kept) for level in LEVELS]
    assert sizes[0] > sizes[1] > sizes[2]
    assert [len(drivers[level].asked) for level in LEVELS] == sorted(len(one.asked) for one in drivers.values())
    assert {stage.name for stage in found["parts"].stages} == {"parts"}
    for level, one in found.items():
        assert fails(one.kept)
        assert one.minimal
        assert one.until == level
        assert {stage.name for stage in one.stages} <= set(LEVELS[: LEVELS.index(level) + 1])


@with_parser
@pytest.mark.parametrize("stop_at", [0.2, 0.5, 0.8])
def test_the_search_stops_once_enough_is_gone(tmp_path: Path, stop_at: float) -> None:
    driver = Driver(all_in(b"boom"))
    found = driver(shrink(file_of(tmp_path, "a.py", PYTHON), stop_at=stop_at))
    assert found.gone >= stop_at
    assert not found.minimal
    assert [size for _, size in found.course][:-1] == [
        size for _, size in found.course if 1 - size / len(PYTHON) < stop_at
    ]
    assert driver.asked[-1] == found.kept


def test_passes_of_users_are_tried(tmp_path: Path) -> None:
    seen: list[tuple[bytes, str]] = []

    def swap(text: bytes, language: str) -> Any:
        seen.append((text, language))
        yield text + b"longer"
        yield text.replace(b"long", b"s")

    def fails(data: bytes) -> bool:
        return data.endswith((b"long", b"s"))

    data = b"something\nlong"
    without = Driver(fails)(shrink(file_of(tmp_path, "a.txt", data)))
    assert without.kept == b"long"
    assert Driver(fails)(shrink(file_of(tmp_path, "a.txt", data), passes=[swap])).kept == b"s"
    assert {language for _, language in seen} == {"text"}


def broken(text: bytes, language: str) -> Iterator[bytes]:
    raise ZeroDivisionError("no columns")


def of_text(text: bytes, language: str) -> list[Any]:
    return [text.decode()]


def of_nothing(text: bytes, language: str) -> Any:
    return None


@pytest.mark.parametrize(
    ("one", "why"),
    [
        (broken, "broken of .* ended with ZeroDivisionError: no columns"),
        (of_text, "of_text of .* ended with TypeError: it yields str, not bytes"),
        (of_nothing, "of_nothing of .* ended with TypeError: 'NoneType' object is not iterable"),
    ],
)
def test_a_pass_that_fails_is_named(tmp_path: Path, one: Any, why: str) -> None:
    with pytest.raises(rw.InputError, match=f"the pass {why}"):
        Driver(all_in(b"bad"))(shrink(file_of(tmp_path, "a.txt", TEXT), passes=[one]))


def test_passes_of_users_get_each_file_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "f").mkdir()
    (tmp_path / "f" / "a.txt").write_bytes(b"long")
    (tmp_path / "f" / "b.csv").write_bytes(b"x,long\n")
    seen: set[tuple[bytes, str]] = set()

    def swap(text: bytes, language: str) -> Any:
        seen.add((text, language))
        yield text.replace(b"long", b"s")

    file = WholeFile(tmp_path / "f")

    def fails(data: bytes) -> bool:
        files = {member.name: member.data for member in file.realise(data)}
        return len(files) == 2 and all(one.endswith((b"long", b"s", b"long\n")) for one in files.values())

    found = Driver(fails)(shrink(file, passes=[swap]))
    assert [(one.name, one.data) for one in file.realise(found.kept)] == [("a.txt", b"s"), ("b.csv", b"s")]
    assert {language for _, language in seen} == {"text", "csv"}


@pytest.mark.parametrize(("name", "value"), [("until", "lines"), ("stop_at", 0), ("stop_at", 1.5)])
def test_wrong_options_are_refused(tmp_path: Path, name: str, value: Any) -> None:
    (tmp_path / "a.txt").write_bytes(TEXT)
    with pytest.raises(rw.InputError, match=name):
        rw.reduce(tmp_path / "a.txt", rw.fails_when(lambda data: True), **{name: value})


# Folders in the form of one text


@pytest.mark.parametrize("names", [["a  b.txt", "c.txt"], [" ", "\t"], ["a ", "a"]])
def test_names_with_blanks_are_kept(tmp_path: Path, names: list[str]) -> None:
    (tmp_path / "f").mkdir()
    for name in names:
        (tmp_path / "f" / name).write_bytes(b"\n\n  one  two\n\n  bad\n")
    file = WholeFile(tmp_path / "f")

    def fails(data: bytes) -> bool:
        return all(b"bad" in member.data for member in file.realise(data)) and len(file.realise(data)) == 2

    found = Driver(fails)(shrink(file))
    assert {member.name: member.data for member in file.realise(found.kept)} == dict.fromkeys(names, b"bad")


# Flaky failures


def flaky_results(folder: Path, seeds: int) -> list[tuple[FileReduction, float]]:
    """Return the results of searches for a flaky failure, each with the true rate of its result.

    The failure needs one word, and without another one it is less than a third as frequent.
    """
    results = []
    file = file_of(folder, "a.txt", b"one two three\n" * 8 + b"bad\nworse\n" + b"four five\n" * 8)
    for seed in range(seeds):
        rng = random.Random(f"flaky {seed}")
        rate = lambda data: 0.0 if b"bad" not in data else 0.5 if b"worse" in data else 0.15  # noqa: E731
        search = shrink(file, flaky=True)
        answers: Any = None
        while True:
            try:
                ask = search.send(answers)
            except StopIteration as end:
                results.append((end.value, rate(end.value.kept)))
                break
            answers = [Outcome(FAIL if rng.random() < rate(one.data) else PASS) for one in ask.candidates]
    return results


@pytest.mark.both
def test_a_flaky_failure_stays_nearly_as_frequent(tmp_path: Path) -> None:
    seeds = 20 if thorough() else 8
    results = flaky_results(tmp_path, seeds)
    assert sum(rate >= 0.25 for _, rate in results) >= 0.75 * seeds
    assert sum(len(found.kept) < 30 for found, _ in results) >= 0.6 * seeds
    assert sum(found.confidence is not None for found, _ in results) >= 0.85 * seeds
    for found, _ in results:
        assert found.share == 0.5
        assert isinstance(found.before, Rate)
        assert found.before.runs >= 16
        assert found.result is not None
        assert found.confidence is None or found.confidence >= 0.95


def test_a_flaky_original_that_hardly_fails_is_given_back(tmp_path: Path) -> None:
    file = file_of(tmp_path, "a.txt", TEXT)
    driver = Driver(lambda data: data == TEXT, rate=0.0)
    found = driver(shrink(file, flaky=True))
    assert found.kept == TEXT
    assert set(driver.asked) == {TEXT}
    assert not found.minimal


# With the lab


@with_parser
def test_the_number_of_jobs_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.json").write_bytes(JSON)
    subject = rw.fails_when(lambda data: b'"bad"' in data and b"null" in data)
    found = {jobs: rw.reduce(tmp_path / "a.json", subject, jobs=jobs) for jobs in (1, 4)}
    assert isinstance(found[1], FileReduction)
    assert found[1] == found[4]
    assert found[1].course == found[4].course
    assert found[1].complete
    assert found[1].confidence is None


@with_parser
@pytest.mark.parametrize("budget", [2, 6, 15])
def test_a_budget_leaves_a_version_that_fails(tmp_path: Path, budget: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_bytes(PYTHON)
    found = rw.reduce(tmp_path / "a.py", rw.fails_when(lambda data: b"boom" in data), budget=budget)
    assert isinstance(found, FileReduction)
    assert not found.complete
    assert not found.minimal
    assert b"boom" in found.kept
    assert found.trials <= budget


def test_an_empty_file_is_reduced_to_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_bytes(b"")
    found = rw.reduce(tmp_path / "a.txt", rw.fails_when(lambda data: True))
    assert isinstance(found, FileReduction)
    assert (found.kept, found.size, found.total, found.gone) == (b"", 0, 0, 0)


def test_a_large_item_that_must_stay_ends_the_narrowing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One item holds most of the text, and nothing can go: the search goes on inside of it, and then elsewhere."""
    data = json.dumps({"a": 1, "b": ["much longer than all the rest", {"c": [10, 20, 30]}]}).encode()
    calls = 0

    def count(draft: TextDraft) -> Iterator[Any]:
        nonlocal calls
        calls += 1
        assert calls < 50, "the same list is tried again and again"
        return nested_lists(draft)

    monkeypatch.setattr(passes, "nested_lists", count)
    found = Driver(lambda one: one == data)(shrink(file_of(tmp_path, "a.json", data)))
    assert found.kept == data
    assert calls > 1


def test_a_file_too_large_to_parse_is_cut_into_chunks_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_file, "MAX_PARSED_BYTES", 2000)
    monkeypatch.setattr(syntax, "MAX_CHUNKS", 16)
    data = b"".join(b"entry %d of a long log\n" % number for number in range(1000))
    file = file_of(tmp_path, "a.log", data)
    coarse = file.syntax(data)
    chunks = [coarse.text(node) for node in coarse.children(1)]
    assert b"".join(chunks) == data
    assert 8 <= len(chunks) <= 16
    assert all(chunk.endswith(b"\n") for chunk in chunks)
    found = Driver(lambda one: b"17 of" in one and b"931" in one)(shrink(file))
    assert found.kept == b"17 of931"
    assert found.minimal
