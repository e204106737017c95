"""Folders, archives and images are reduced by their members and by the text of each."""

import io
import os
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

import pytest

import rootward as rw
from rootward.formats.bundles import Member, open_bundle
from rootward.formats.documents.whole_file import WholeFile
from rootward.searches.reduction.files.file_reduction import FileReduction

FILES = {f"src/{i:02}.txt": f"first {i}\n  (second {i})\nthird\n".encode() for i in range(50)}
CULPRIT = "src/31.txt"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write_folder(path: Path) -> Path:
    for name, data in FILES.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(data)
        (path / name).chmod(0o640)
    return path


def write_zip(path: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = b"packed by hand"
        for name, data in FILES.items():
            info = zipfile.ZipInfo(name, (1999, 1, 2, 3, 4, 6))
            info.external_attr = 0o640 << 16
            archive.writestr(info, data)
    return path


def write_tar(path: Path) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, data in FILES.items():
            info = tarfile.TarInfo(name)
            info.size, info.mode, info.mtime, info.uname = len(data), 0o640, 1_600_000_000, "ada"
            archive.addfile(info, io.BytesIO(data))
    return path


def is_bad(members: Sequence[Member]) -> bool:
    return any(member.name == CULPRIT and b"second 31" in member.data for member in members)


def reduce(path: Path) -> FileReduction:
    found = rw.reduce(path, rw.fails_when(is_bad))
    assert isinstance(found, FileReduction)
    return found


def write_result(path: Path, found: FileReduction, target: Path) -> Path:
    WholeFile(path).write(found.content.convert(found.kept), target)
    return target


BUNDLES = {
    "directory": (write_folder, "f"),
    "zip archive": (write_zip, "f.zip"),
    "tar archive": (write_tar, "f.tar.gz"),
}


@pytest.mark.parametrize("kind", BUNDLES)
def test_one_line_of_one_file_is_left(tmp_path: Path, kind: str) -> None:
    write, name = BUNDLES[kind]
    path = write(tmp_path / name)
    found = reduce(path)
    assert found.members == [(CULPRIT, b"second 31")]
    assert (found.language, found.minimal, found.complete) == (kind, True, True)
    assert found.size == len(b"second 31")
    assert found.total == sum(map(len, FILES.values()))
    left = open_bundle(write_result(path, found, tmp_path / "left"))
    assert left is not None
    assert [(member.name, member.data) for member in left.members] == [(CULPRIT, b"second 31")]


def test_the_metadata_of_a_member_are_kept(tmp_path: Path) -> None:
    folder, packed, tar = write_folder(tmp_path / "f"), write_zip(tmp_path / "f.zip"), write_tar(tmp_path / "f.tar.gz")
    left = write_result(folder, reduce(folder), tmp_path / "left")
    assert stat.S_IMODE((left / CULPRIT).stat().st_mode) == 0o640
    with zipfile.ZipFile(write_result(packed, reduce(packed), tmp_path / "left.zip")) as archive:
        (info,) = archive.infolist()
        assert archive.comment == b"packed by hand"
        assert (info.date_time, info.external_attr >> 16) == ((1999, 1, 2, 3, 4, 6), 0o640)
    with tarfile.open(write_result(tar, reduce(tar), tmp_path / "left.tar.gz")) as unpacked:
        (header,) = unpacked.getmembers()
        assert (header.mode, header.mtime, header.uname) == (0o640, 1_600_000_000, "ada")


def test_an_empty_folder_is_enough_if_the_content_does_not_matter(tmp_path: Path) -> None:
    found = rw.reduce(write_folder(tmp_path / "f"), rw.fails_when(lambda members: True))
    assert isinstance(found, FileReduction)
    assert (found.members, found.size) == ([], 0)


def test_files_whose_names_alone_matter_are_emptied(tmp_path: Path) -> None:
    def names(members: Sequence[Member]) -> set[str]:
        return {member.name for member in members}

    found = rw.reduce(
        write_folder(tmp_path / "f"), rw.fails_when(lambda members: {CULPRIT, "src/02.txt"} <= names(members))
    )
    assert isinstance(found, FileReduction)
    assert found.members == [("src/02.txt", b""), (CULPRIT, b"")]


def test_links_and_empty_folders_are_members(tmp_path: Path) -> None:
    folder = tmp_path / "f"
    (folder / "hollow").mkdir(parents=True)
    (folder / "a").write_bytes(b"text\n")
    os.symlink("a", folder / "link")
    found = rw.reduce(folder, rw.fails_when(lambda members: any(member.link == "a" for member in members)))
    assert isinstance(found, FileReduction)
    assert found.members == [("link", b"")]
    left = write_result(folder, found, tmp_path / "left")
    assert os.listdir(left) == ["link"]
    assert os.readlink(left / "link") == "a"


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def test_the_chunks_of_an_image_get_valid_checksums(tmp_path: Path) -> None:
    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"tEXt", b"key\0words and more"), (b"IDAT", zlib.compress(b"\0\xff\xff\xff"))]
    image = tmp_path / "a.png"
    image.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*one) for one in [*chunks, (b"IEND", b"")]))
    found = rw.reduce(
        image, rw.fails_when(lambda members: any(m.name == "tEXt" and b"words" in m.data for m in members))
    )
    assert isinstance(found, FileReduction)
    assert found.members == [("tEXt", b"words")]
    assert write_result(image, found, tmp_path / "b.png").read_bytes() == b"\x89PNG\r\n\x1a\n" + chunk(
        b"tEXt", b"words"
    )


def test_what_a_pass_adds_never_looks_like_a_header(tmp_path: Path) -> None:
    """The zeros to which this image is reduced hold the byte that marks the members."""
    zeros = zlib.compress(bytes(30), 9)
    pixels = next(
        data
        for data in (zlib.compress(bytes([n]) * 5 + bytes(range(n, n + 25))) for n in range(99))
        if 0x1E not in data
    )
    assert 0x1E in zeros
    image = tmp_path / "a.png"
    image.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IDAT", pixels))

    def fails(members: Sequence[Member]) -> bool:
        try:
            return any(len(zlib.decompress(member.data)) >= 30 for member in members)
        except zlib.error:
            return False

    found = rw.reduce(image, rw.fails_when(fails))
    assert isinstance(found, FileReduction)
    assert fails([Member(name, data) for name, data in found.members or []])

    def add_the_marker(text: bytes, language: str) -> list[bytes]:
        return [b"\x1e"]

    assert rw.reduce(image, rw.fails_when(fails), passes=[add_the_marker]).complete


@pytest.mark.parametrize(
    "data", [b"PK\x03\x04 cut off", b"\x89PNG\r\n\x1a\n" + chunk(b"IEND", b"") + b"more", b"\x1f\x8b cut off"]
)
def test_what_cannot_be_opened_is_reduced_like_any_other_data(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.tar.gz"
    path.write_bytes(data)
    assert "is damaged" in WholeFile(path).damage
    found = rw.reduce(path, rw.fails_when(lambda data: data[:2] in (b"PK", b"\x89P", b"\x1f\x8b")))
    assert isinstance(found, FileReduction)
    assert (len(found.kept), found.members) == (2, None)


def test_data_that_is_no_text_is_reduced_by_bytes(tmp_path: Path) -> None:
    data = bytes(range(256))
    (tmp_path / "a.bin").write_bytes(data)
    found = rw.reduce(tmp_path / "a.bin", rw.fails_when(lambda data: b"\x03\x04" in data and b"\xfe" in data))
    assert isinstance(found, FileReduction)
    assert (found.kept, found.language, found.members) == (b"\x03\x04\xfe", "bytes", None)
