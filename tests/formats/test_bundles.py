"""Bundles are opened as members, edited as one byte string, and written again."""

import io
import os
import socket
import stat
import struct
import subprocess
import tarfile
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward import InputError
from rootward.formats.bundles import Member, flatten, open_bundle, spans, unflatten
from rootward.formats.bundles import bundle as limits
from rootward.formats.bundles.kinds import Folder, PngImage, TarArchive, ZipArchive
from tests.properties import examples

CONTENTS = {"src/main.c": b"int main(void) { return 0; }\n", "empty": b"", "bytes": bytes(range(256))}


def write_folder(path: Path) -> Path:
    for name, data in CONTENTS.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(data)
    return path


def write_zip(path: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = b"packed by hand"
        for name, data in CONTENTS.items():
            archive.writestr(name, data)
    return path


def write_tar(path: Path, mode: Any = "w", kind: int = tarfile.PAX_FORMAT) -> Path:
    with tarfile.open(path, mode, format=kind) as archive:
        for name, data in CONTENTS.items():
            info = tarfile.TarInfo(name)
            info.size, info.mode, info.mtime, info.uname = len(data), 0o750, 1_600_000_000, "ada"
            archive.addfile(info, io.BytesIO(data))
    return path


def write_png(path: Path) -> Path:
    pixels = zlib.compress(b"\0\xff\xff\xff")
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)),
        (b"tEXt", b"a\0b"),
        (b"IDAT", pixels),
        (b"IEND", b""),
    ]
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(pack_chunk(name, data) for name, data in chunks))
    return path


def pack_chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


WRITERS = {
    "directory": (write_folder, "files", "directory", "file"),
    "zip": (write_zip, "it.zip", "zip archive", "member"),
    "zip with another ending": (write_zip, "it.docx", "zip archive", "member"),
    "tar": (write_tar, "it.tar", "tar archive", "member"),
    "gnu tar": (lambda path: write_tar(path, kind=tarfile.GNU_FORMAT), "it.tar", "tar archive", "member"),
    "tar.gz": (lambda path: write_tar(path, "w:gz"), "it.tar.gz", "tar archive", "member"),
    "tar.xz": (lambda path: write_tar(path, "w:xz"), "it.tar.xz", "tar archive", "member"),
    "tar.bz2": (lambda path: write_tar(path, "w:bz2"), "it.data", "tar archive", "member"),
    "png": (write_png, "it.png", "PNG image", "chunk"),
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_kind_is_recognised_and_written_as_it_was(tmp_path, name):
    write, file_name, kind, noun = WRITERS[name]
    bundle = open_bundle(write(tmp_path / file_name))
    assert (bundle.kind, bundle.noun) == (kind, noun)
    if name != "png":
        assert {member.name: member.data for member in bundle.members} == CONTENTS
    first, second = tmp_path / "first", tmp_path / "second"
    bundle.write(bundle.members, first)
    bundle.write(bundle.members, second)
    assert open_bundle(first).members == bundle.members
    if name != "directory":
        assert first.read_bytes() == second.read_bytes()
    if name in ("tar", "gnu tar", "png"):
        assert first.read_bytes() == bundle.path.read_bytes()


@pytest.mark.parametrize("name", WRITERS)
def test_a_changed_bundle_is_valid_again(tmp_path, name):
    bundle = open_bundle(WRITERS[name][0](tmp_path / WRITERS[name][1]))
    flat = flatten(bundle.members)
    place = spans(flat)[1]
    flat = flat[: place.start] + flat[place.end :]
    place = spans(flat)[0]
    flat = flat[: place.content_start + 5] + flat[place.end :]
    left = unflatten(flat, bundle.members)
    bundle.write(left, tmp_path / "target")
    assert open_bundle(tmp_path / "target").members == tuple(left)
    assert [member.data for member in left] == [
        bundle.members[0].data[:5],
        *[member.data for member in bundle.members[2:]],
    ]


def test_an_ordinary_file_is_no_bundle(tmp_path):
    for name, data in [("a.txt", b"text"), ("b", b""), ("c.gz", b"\x1f\x8bno"), ("d.zip", b"text"), ("e", bytes(600))]:
        (tmp_path / name).write_bytes(data)
        assert open_bundle(tmp_path / name) is None
    with pytest.raises(InputError, match="No such file"):
        open_bundle(tmp_path / "missing")


# Metadata


def test_a_folder_keeps_links_permissions_times_and_empty_folders(tmp_path):
    folder = write_folder(tmp_path / "files")
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o755)
    os.utime(folder / "run.sh", ns=(5_000_000_000, 5_000_000_000))
    (folder / "link").symlink_to("src/main.c")
    (folder / "folder link").symlink_to("/etc")
    (folder / "lost").symlink_to("nowhere")
    (folder / "hollow" / "inner").mkdir(parents=True)
    bundle = open_bundle(folder)
    names = {"bytes", "empty", "folder link", "hollow/inner/", "link", "lost", "run.sh", "src/main.c"}
    assert {member.name for member in bundle.members} == names
    bundle.write(bundle.members, tmp_path / "copy")
    assert not subprocess.run(["diff", "-r", "--no-dereference", folder, tmp_path / "copy"]).returncode
    status = (tmp_path / "copy" / "run.sh").stat()
    assert (stat.S_IMODE(status.st_mode), status.st_mtime) == (0o755, 5)


def test_a_changed_file_of_a_folder_has_a_new_time(tmp_path):
    folder = write_folder(tmp_path / "files")
    os.utime(folder / "bytes", (5, 5))
    (member,) = [member for member in open_bundle(folder).members if member.name == "bytes"]
    flat = flatten([member])
    open_bundle(folder).write(unflatten(flat[:-1], [member]), tmp_path / "copy")
    assert (tmp_path / "copy" / "bytes").stat().st_mtime > 5


def test_sockets_and_pipes_of_a_folder_are_left_out(tmp_path, monkeypatch):
    folder = write_folder(tmp_path / "files")
    os.mkfifo(folder / "pipe")
    monkeypatch.chdir(folder)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        assert {member.name for member in open_bundle(folder).members} == set(CONTENTS)


def test_a_zip_archive_keeps_its_comment_and_how_members_are_packed(tmp_path):
    with zipfile.ZipFile(tmp_path / "it.epub", "w") as archive:
        archive.comment = b"hello"
        archive.writestr(zipfile.ZipInfo("mimetype", (1999, 1, 2, 3, 4, 6)), b"application/epub+zip")
        info = zipfile.ZipInfo("book/")
        info.external_attr = 0o40755 << 16
        archive.writestr(info, b"")
        archive.writestr("book/page", b"a" * 1000, zipfile.ZIP_LZMA)
    bundle = open_bundle(tmp_path / "it.epub")
    bundle.write(bundle.members, tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == (tmp_path / "it.epub").read_bytes()


def list_headers(path: Path) -> list[tuple[object, ...]]:
    with tarfile.open(path) as archive:
        return [(info.name, info.type, info.linkname, info.mtime) for info in archive]


def test_a_tar_archive_keeps_links_devices_and_long_names(tmp_path):
    with tarfile.open(tmp_path / "it.tar", "w", pax_headers={"comment": "hello"}) as archive:
        for name, kind, link in [
            ("a", tarfile.DIRTYPE, ""),
            ("a/s", tarfile.SYMTYPE, "../x"),
            ("a/" + "long" * 90, tarfile.REGTYPE, ""),
            ("ü", tarfile.LNKTYPE, "a/s"),
            ("tty", tarfile.CHRTYPE, ""),
        ]:
            info = tarfile.TarInfo(name)
            info.type, info.linkname, info.mtime = kind, link, 1.5
            archive.addfile(info)
    bundle = open_bundle(tmp_path / "it.tar")
    assert bundle.members[1].link == "../x"
    bundle.write(bundle.members, tmp_path / "copy")
    assert list_headers(tmp_path / "copy") == list_headers(tmp_path / "it.tar")


def test_a_sparse_file_in_a_tar_archive_is_written_with_its_gaps(tmp_path):
    with open(tmp_path / "sparse", "wb") as file:
        file.seek(1 << 20)
        file.write(b"end")
    for format in ("gnu", "posix"):
        subprocess.run(["tar", f"--format={format}", "-cSf", "it.tar", "sparse"], cwd=tmp_path, check=True)
        bundle = open_bundle(tmp_path / "it.tar")
        bundle.write(bundle.members, tmp_path / "copy")
        (member,) = open_bundle(tmp_path / "copy").members
        assert (member.name, member.data) == ("sparse", bytes(1 << 20) + b"end")


def test_a_wrong_checksum_of_a_chunk_stays_wrong(tmp_path):
    path = write_png(tmp_path / "it.png")
    path.write_bytes(path.read_bytes().replace(struct.pack(">I", zlib.crc32(b"tEXta\0b")), b"oops"))
    bundle = open_bundle(path)
    bundle.write(bundle.members, tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == path.read_bytes()
    flat = flatten(bundle.members).replace(b"a\0b", b"a\0c")
    bundle.write(unflatten(flat, bundle.members), tmp_path / "copy")
    wrong_bits = zlib.crc32(b"tEXta\0b") ^ int.from_bytes(b"oops")
    chunk = struct.pack(">I", 3) + b"tEXta\0c" + struct.pack(">I", zlib.crc32(b"tEXta\0c") ^ wrong_bits)
    assert chunk in (tmp_path / "copy").read_bytes()
    assert pack_chunk(b"IHDR", bundle.members[0].data) in (tmp_path / "copy").read_bytes()


# Trouble


@pytest.mark.parametrize("name", ["../out", "/out", "a/../../out", "", ".", "a//b", "a\0"])
def test_nothing_is_written_outside_of_a_folder(tmp_path, name):
    bundle = open_bundle(write_folder(tmp_path / "files"))
    with pytest.raises(InputError, match="cannot be written"):
        bundle.write([Member(name, b"x")], tmp_path / "target" / "inner")
    assert not (tmp_path / "target" / "out").exists()
    assert not Path("/out").exists()


def test_nothing_is_written_through_a_link(tmp_path):
    bundle = open_bundle(write_folder(tmp_path / "files"))
    (tmp_path / "elsewhere").mkdir()
    members = [Member("a", link=str(tmp_path / "elsewhere")), Member("a/b", b"x")]
    with pytest.raises(InputError, match="cannot be written"):
        bundle.write(members, tmp_path / "target")
    assert not any((tmp_path / "elsewhere").iterdir())


def test_a_folder_that_holds_something_is_not_replaced(tmp_path):
    bundle = open_bundle(write_folder(tmp_path / "files"))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis").write_text("years of work")
    with pytest.raises(InputError, match="not empty"):
        bundle.write(bundle.members, tmp_path / "mine")
    assert os.listdir(tmp_path / "mine") == ["thesis"]


def test_members_with_strange_names_stay_inside_an_archive(tmp_path):
    with zipfile.ZipFile(tmp_path / "it.zip", "w") as archive:
        for name in ("../out", "/etc/out", "line\nfeed"):
            archive.writestr(name, b"x")
    bundle = open_bundle(tmp_path / "it.zip")
    bundle.write(unflatten(flatten(bundle.members), bundle.members), tmp_path / "copy")
    assert open_bundle(tmp_path / "copy").members == bundle.members
    assert sorted(os.listdir(tmp_path)) == ["copy", "it.zip"]


def test_an_encrypted_archive_is_refused(tmp_path):
    path = write_zip(tmp_path / "it.zip")
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    with pytest.raises(InputError, match="is encrypted"):
        open_bundle(path)


@pytest.mark.parametrize("name", ["zip", "tar", "tar.gz", "tar.xz", "png"])
def test_a_damaged_bundle_is_refused(tmp_path, name):
    path = WRITERS[name][0](tmp_path / WRITERS[name][1])
    whole = path.read_bytes()
    for share in (0.3, 0.5):
        path.write_bytes(whole[: int(len(whole) * (0.1 * share if name == "tar" else share))])
        with pytest.raises(InputError, match=r"it\..* is damaged"):
            open_bundle(path)


def test_a_tar_archive_with_a_damaged_header_is_refused(tmp_path):
    path = write_tar(tmp_path / "it.tar")
    data = bytearray(path.read_bytes())
    data[1024 + 150] ^= 0xFF  # the checksum of the second member
    path.write_bytes(data)
    with pytest.raises(InputError, match="no member at byte 1,024"):
        open_bundle(path)


def test_a_bundle_that_is_too_large_is_refused(tmp_path, monkeypatch):
    paths = [write(tmp_path / f"{n}{name}") for n, (write, name, *_) in enumerate(WRITERS.values())]
    monkeypatch.setattr(limits, "MAX_BYTES", 10)
    for path in paths:
        with pytest.raises(InputError, match="more than 10 bytes"):
            open_bundle(path)
    monkeypatch.setattr(limits, "MAX_BYTES", 1 << 20)
    monkeypatch.setattr(limits, "MAX_MEMBERS", 2)
    for path in paths:
        with pytest.raises(InputError, match="more than 2 members"):
            open_bundle(path)


# One byte string


def test_the_flat_form_can_be_read_by_people():
    members = [Member("a.c", b"int x;\n"), Member("b\n.c", b"")]
    assert flatten(members) == b"\x1e 0 a.c\nint x;\n\x1e 1 b\\n.c\n"
    assert spans(flatten(members)) == [(0, 8, 15, "a.c"), (15, 25, 25, "b\n.c")]


@pytest.mark.parametrize("flat", [b"text", b" 0 a\n", b"\x1e 0 a", b"\x1e x a\n", b"\x1e 7 a\n", b"\x1e 0 a\n\x1e"])
def test_a_damaged_header_is_noticed(flat):
    with pytest.raises(InputError, match="changed"):
        unflatten(flat, [Member("a")])


# Short texts of few letters, so that markers occur in them; and all bytes, so that no byte is left for a marker.
DATA = st.one_of(st.binary(max_size=30), st.just(bytes(range(256))), st.just(b"\x1e1000000000000000"))
MEMBERS = st.lists(st.builds(Member, st.text(max_size=8), DATA), max_size=6)


@examples(300)
@given(MEMBERS, st.data())
def test_flattening_is_exact_for_every_subset_and_every_edit(members, data):
    flat = flatten(members)
    assert unflatten(flat, members) == members
    found = spans(flat)
    assert [span.name for span in found] == [member.name for member in members]
    kept = [index for index in range(len(members)) if data.draw(st.booleans())]
    cuts = [data.draw(st.integers(0, len(members[index].data))) for index in kept]
    edited = b"".join(flat[found[i].start : found[i].content_start + cut] for i, cut in zip(kept, cuts, strict=True))
    left = unflatten(edited, members)
    assert [(member.name, member.data) for member in left] == [
        (members[i].name, members[i].data[:cut]) for i, cut in zip(kept, cuts, strict=True)
    ]


NAMES = st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=8).filter(
    lambda name: name not in (".", "..")
)


@examples(60)
@given(contents=st.dictionaries(NAMES, DATA, min_size=1, max_size=4), data=st.data())
@pytest.mark.parametrize("kind", [Folder, ZipArchive, TarArchive, PngImage])
def test_every_kind_writes_what_it_was_given(tmp_path_factory, kind, contents, data):
    folder = tmp_path_factory.mktemp("bundle")
    if kind is PngImage:
        contents = {(name.encode() + b"    ")[:4].decode("latin-1"): content for name, content in contents.items()}
    name = {Folder: "it", ZipArchive: "it.zip", TarArchive: "it.tar", PngImage: "it.png"}[kind]
    start = open_bundle(
        {Folder: write_folder, ZipArchive: write_zip, TarArchive: write_tar, PngImage: write_png}[kind](
            folder / f"0{name}"
        )
    )
    start.write([Member(name, content) for name, content in contents.items()], folder / name)
    bundle = open_bundle(folder / name)
    assert {member.name: member.data for member in bundle.members} == contents
    kept = [member for member in bundle.members if data.draw(st.booleans())]
    bundle.write(unflatten(flatten(kept), kept), folder / "kept")
    if kept:
        assert open_bundle(folder / "kept").members == tuple(kept)
