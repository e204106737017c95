"""Only regular files of a sensible size are read, whatever reads them: nothing waits for a pipe or fills the memory."""

from __future__ import annotations

import os
import resource
import socket
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import rootward as rw
from rootward import InputError
from rootward.formats.documents.registry import CHOICES, open_document
from rootward.formats.files import MAX_BYTES, MAX_DATA_BYTES, check_file, read_bytes, read_json, read_text
from rootward.formats.interfaces.json_schema import from_json_schema
from rootward.formats.interfaces.ros import from_ros
from rootward.formats.interfaces.samples import from_csv, from_document
from rootward.formats.scenes import trajectory
from rootward.formats.tables import sources, table
from rootward.formats.tracking.registry import read_tracked
from rootward.traces.languages.odx import odx_services
from rootward.traces.output.certificates.model_data import read_untrusted
from rootward.traces.recordings.files import ENDINGS

SUBJECT = '[subject]\ncommand = ["./run.sh", "{config}"]\n'
FIELDS = '[fields]\nn = "int"\n'
STUDIES = {  # each with the name of the file, @
    "failing": ("it.json", f'failing = "@"\n{SUBJECT}{FIELDS}'),
    "nominal": ("it.json", f'nominal = "@"\n{SUBJECT}{FIELDS}'),
    "interface": ("it.json", f'{SUBJECT}[interface]\njson_schema = "@"\n'),
    "elements": ("it.txt", f'{SUBJECT}[elements]\nfile = "@"\n'),
    "history": ("it.csv", f'{SUBJECT}{FIELDS}[history]\nfile = "@"\n'),
    "data": ("it.csv", f'{SUBJECT}[data]\nbad = "@"\ngood = "@"\nkey = "id"\n'.replace("config", "file")),
    "model": ("it.yaml", '[traces]\nmodel = "@"\nfiles = "*.asc"\n'),
}


def _load_study(text: str, path: Path) -> rw.Study:
    study = path.with_name("study.toml")
    study.write_text(text.replace("@", path.name.replace("\0", "\\u0000")))
    return rw.load_study(study)


def _trace(path: Path) -> None:
    (trace,) = rw.read_traces([path])
    assert not trace.events
    if trace.problems:
        raise InputError(trace.problems[0])


READERS: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "bytes": ("it", read_bytes),
    "text": ("it", read_text),
    "json": ("it.json", read_json),
    "study": ("it.toml", rw.load_study),
    "model": ("it.yaml", rw.load_model),
    "UPPAAL model": ("it.xml", rw.load_model),
    "ODX": ("it.odx", lambda path: odx_services(path, "x")),
    "PDX": ("it.pdx", lambda path: odx_services(path, "x")),
    "certificate": ("it.json", read_untrusted),
    "schema": ("it.json", from_json_schema),
    "document": ("it.json", from_document),
    "ROS message": ("it.msg", partial(from_ros, name="a/B")),
    "samples": ("it.csv", from_csv),
    "trajectory": ("it.csv", trajectory.read),
    "table": ("it.csv", table.read),
    "Parquet table": ("it.parquet", table.read),
    "history": ("it.csv", sources.source_of),
    "history in JSON lines": ("it.jsonl", sources.source_of),
    "history in Parquet": ("it.parquet", sources.source_of),
    "tracker": ("it.db", read_tracked),
    **{f"{key} of a study": (name, partial(_load_study, text)) for key, (name, text) in STUDIES.items()},
    **{f"document by {by}": ("it.mcap" if by == "messages" else "it", partial(open_document, by=by)) for by in CHOICES},
    **{f"trace{ending}": (f"it{ending}", _trace) for ending in ENDINGS if ending != ".txt"},
}  # fmt: skip


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))


def _huge(path: Path) -> None:
    with open(path, "wb") as file:
        file.truncate(20 << 30)  # without any blocks on the disk


SPECIAL = {"pipe": _pipe, "device": _device, "socket": _socket, "huge": _huge}


@pytest.fixture
def little_memory() -> Iterator[None]:
    """A gigabyte more than now: what would take all memory fails at once."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 30), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.parametrize("kind", SPECIAL)
@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_plain_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, little_memory: None, kind: str, reader: str
) -> None:
    monkeypatch.chdir(tmp_path)
    name, read = READERS[reader]
    SPECIAL[kind](Path(name))
    with pytest.raises(InputError) as error:
        read(Path(name))
    reasons = {"huge": "it has 20 GB, and the limit is", "device": "it is a device, not a regular file"}
    wanted = reasons.get(kind, f"it is a {kind}, not a regular file: copy its content to a file first")
    assert wanted in str(error.value) or reader == "tracker"
    assert name in str(error.value)


@pytest.mark.parametrize("reader", READERS)
def test_a_name_with_nul_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reader: str) -> None:
    monkeypatch.chdir(tmp_path)
    name, read = READERS[reader]
    with pytest.raises(InputError):
        read(Path(f"a\0{name}"))


def test_a_size_is_shown_as_people_say_it(tmp_path: Path) -> None:
    with open(tmp_path / "it", "wb") as file:
        file.truncate(3 << 20)
    assert check_file(tmp_path / "it") == tmp_path / "it"
    with pytest.raises(InputError, match=r"it cannot be read: it has 3 MB, and the limit is 2 kB: keep only the part"):
        check_file(tmp_path / "it", 2048)
    with open(tmp_path / "it", "wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(InputError, match="the limit is 256 MB"):
        read_bytes(tmp_path / "it")


def test_a_line_that_never_ends_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_LINE_LENGTH", 100)
    for name in ("it.csv", "it.jsonl"):
        (tmp_path / name).write_text("a,b\n" + "x" * 200 if name == "it.csv" else '{"a": 1}\n' + "x" * 200)
        with pytest.raises(InputError, match=rf"{name}:2: the line is longer than 100 characters"):
            [*(source := sources.source_of(tmp_path / name)).batches(source.names)]


def test_a_small_file_needs_little_memory(tmp_path: Path) -> None:
    """However large it might be."""
    path = tmp_path / "small"
    path.write_bytes(b"small")
    tracemalloc.start()
    try:
        assert read_bytes(path, MAX_DATA_BYTES) == b"small"
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
    assert read_bytes("/proc/self/status").startswith(b"Name:"), "it has no size"


@pytest.mark.parametrize("text", ["9" * 5000, "[" * 100_000], ids=["digits", "depth"])
def test_json_that_python_cannot_hold(tmp_path: Path, text: str) -> None:
    path = tmp_path / "it.json"
    path.write_text(f'{{"n": {text}}}')
    with pytest.raises(InputError, match=r"it\.json"):
        read_json(path)
    lines = path.rename(tmp_path / "it.jsonl")
    with pytest.raises(InputError, match=r"it\.jsonl:1: not valid JSON"):
        sources.source_of(lines)
