"""The kinds of bundles, and how one is recognised: the place to add another kind."""

from __future__ import annotations

import bz2
import copy
import gzip
import io
import lzma
import os
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from rootward.errors import InputError
from rootward.formats.bundles.bundle import DAMAGE, Bundle, Member, ReadLimit
from rootward.formats.files import MAX_BYTES, UnreadableFile, check_regular, read_bytes, replace_file
from rootward.words import show_size

# Folders


class Folder(Bundle):
    """A folder with everything below it, except sockets, pipes and devices.

    A folder is a member only if it is empty; its name then ends in a slash. Symbolic links are members, and are not
    followed. Of the permissions of a file all are kept, of those of folders none.
    """

    kind, noun = "directory", "file"

    @classmethod
    def recognises(cls, path: Path, head: bytes) -> bool:
        return path.is_dir()

    def _read(self) -> Iterator[Member]:
        limit = ReadLimit(self.path)

        def refuse(error: OSError) -> None:
            raise UnreadableFile(error.filename or self.path, error.strerror or str(error))

        for folder, subfolders, names in os.walk(self.path, onerror=refuse):
            subfolders.sort()
            links = [name for name in subfolders if os.path.islink(os.path.join(folder, name))]
            for name in sorted([*names, *links]):
                path = Path(folder, name)
                status = path.lstat()
                shown = path.relative_to(self.path).as_posix()
                if stat.S_ISLNK(status.st_mode):
                    limit.count(0)
                    yield Member(shown, link=os.readlink(path), original=b"")
                elif stat.S_ISREG(status.st_mode):
                    limit.count(status.st_size)
                    data = read_bytes(path)
                    yield Member(shown, data, stat.S_IMODE(status.st_mode), None, status.st_mtime_ns, data)
            if not subfolders and not names and Path(folder) != self.path:
                limit.count(0)
                yield Member(f"{Path(folder).relative_to(self.path).as_posix()}/", original=b"")

    def write(self, members: Sequence[Member], target: Path) -> None:
        try:
            if target.is_dir() and any(target.iterdir()):
                raise InputError(f"{target} cannot be written: there is a folder that is not empty")
            target.mkdir(parents=True, exist_ok=True)
            # Links come last, so that no file is written through one.
            for member in sorted(members, key=lambda member: member.link is not None):
                self._write_member(member, target.joinpath(*_split_name(member.name)))
        except OSError as error:
            raise InputError(f"{error.filename or target} cannot be written: {error.strerror or error}") from error

    @staticmethod
    def _write_member(member: Member, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        if member.link is not None:
            path.symlink_to(member.link)
        elif member.name.endswith("/"):
            path.mkdir(exist_ok=True)
        else:
            path.write_bytes(member.data)
            path.chmod(stat.S_IMODE(member.mode))
            if member.is_unchanged and member.metadata is not None:  # a tool such as make must see what has changed
                os.utime(path, ns=(member.metadata, member.metadata))


def _split_name(name: str) -> list[str]:
    """Return the parts of a relative path. Raises InputError if it leads out of its folder."""
    parts = name.removesuffix("/").split("/")
    if {"", ".", ".."} & set(parts) or "\0" in name:
        raise InputError(f"a member named {name!r} cannot be written below a folder")
    return parts


# Zip archives


class ZipArchive(Bundle):
    """A zip archive. Many formats are one: .jar, .apk, .docx, .xlsx, .epub, .whl, .fmu."""

    kind, noun = "zip archive", "member"
    _comment = b""

    @classmethod
    def recognises(cls, path: Path, head: bytes) -> bool:
        return head.startswith((b"PK\x03\x04", b"PK\x05\x06"))

    def _read(self) -> Iterator[Member]:
        limit = ReadLimit(self.path)
        content = read_bytes(self.path)
        with self.refuse_damage(), zipfile.ZipFile(io.BytesIO(content)) as archive:
            self._comment = archive.comment
            for info in archive.infolist():
                if info.flag_bits & 1:
                    raise UnreadableFile(self.path, f"{info.filename} is encrypted: write it without a password")
                limit.count(info.file_size)  # no more than that is read
                data = archive.read(info)
                yield Member(info.filename, data, metadata=info, original=data)

    def write(self, members: Sequence[Member], target: Path) -> None:
        written = io.BytesIO()
        with zipfile.ZipFile(written, "w") as archive:
            archive.comment = self._comment
            for member in members:
                info = copy.copy(member.metadata) or zipfile.ZipInfo(member.name)
                info.extra = _drop_zip64(info.extra)
                external = info.external_attr
                archive.writestr(info, member.data)
                info.external_attr = external  # zipfile has set it if it was 0
        with replace_file(target) as file:
            file.write(written.getvalue())


def _drop_zip64(extra: bytes) -> bytes:
    """Remove the sizes of a large member from its extra fields, because zipfile adds them again if they are needed."""
    kept, at = b"", 0
    while at + 4 <= len(extra):
        number, size = struct.unpack_from("<HH", extra, at)
        kept += extra[at : at + 4 + size] if number != 1 else b""
        at += 4 + size
    return kept + extra[at:]


# Tar archives


class _Compression(NamedTuple):
    magic: bytes
    open: Callable[[BinaryIO], Any]
    compress: Callable[[bytes], bytes]


_COMPRESSIONS = (
    _Compression(b"\x1f\x8b", gzip.open, lambda data: gzip.compress(data, mtime=0)),
    _Compression(b"\xfd7zXZ\0", lzma.open, lzma.compress),
    _Compression(b"BZh", bz2.open, bz2.compress),
)
_TAR_ENDINGS = re.compile(r"\.(tar(\.(gz|xz|bz2))?|tgz|txz|tbz2?)$", re.IGNORECASE)


_DERIVED_HEADER = re.compile(r"(path|linkpath|size|GNU\.sparse\..*)$")
"""Headers that tarfile adds again if they are needed."""


class TarArchive(Bundle):
    """A tar archive, which may be compressed by gzip, xz or bzip2. A hard link stays a link without data."""

    kind, noun = "tar archive", "member"
    _compress: Callable[[bytes], bytes] = bytes
    _format = tarfile.PAX_FORMAT
    _headers: dict[str, str]

    @classmethod
    def recognises(cls, path: Path, head: bytes) -> bool:
        if not head:
            return False
        compression = _compression_of(head)
        if compression is not None:
            try:
                with open(path, "rb") as file, compression.open(file) as content:
                    head = content.read(tarfile.BLOCKSIZE)
            except DAMAGE:
                return _TAR_ENDINGS.search(path.name) is not None
        # An archive from before 1988 has no magic number.
        return head[257:262] == b"ustar" or _TAR_ENDINGS.search(path.name) is not None

    def _read(self) -> Iterator[Member]:
        limit = ReadLimit(self.path)
        data = self._decompress(read_bytes(self.path))
        if data[257:265] == b"ustar  \0":
            self._format = tarfile.GNU_FORMAT
        with self.refuse_damage(), tarfile.open(fileobj=io.BytesIO(data), mode="r:", encoding="utf-8") as archive:
            for info in archive:
                limit.count(info.size)
                file = archive.extractfile(info) if info.isreg() else None
                content = b"" if file is None else file.read()
                link = info.linkname if info.issym() else None
                yield Member(info.name, content, info.mode, link, info, content)
            self._headers = dict(archive.pax_headers)
            end = archive.offset
        if data[end : end + tarfile.BLOCKSIZE].strip(b"\0"):  # where tarfile would stop without a word
            raise self.refuse(f"there is no member at byte {end:,}")

    def _decompress(self, data: bytes) -> bytes:
        compression = _compression_of(data)
        if compression is None:
            return data
        self._compress = compression.compress
        with self.refuse_damage(), compression.open(io.BytesIO(data)) as content:
            found: bytes = content.read(2 * MAX_BYTES)
        if len(found) == 2 * MAX_BYTES:
            raise UnreadableFile(
                self.path, f"it has more than {show_size(MAX_BYTES)}: keep only the part that is needed"
            )
        return found

    def write(self, members: Sequence[Member], target: Path) -> None:
        written = io.BytesIO()
        options: Any = {"format": self._format, "encoding": "utf-8", "pax_headers": self._headers}
        with tarfile.open(fileobj=written, mode="w:", **options) as archive:
            for member in members:
                info = copy.copy(member.metadata) or tarfile.TarInfo(member.name)
                data = member.data if info.isreg() else b""
                info.size = len(data)
                if info.issparse():  # it was read with its gaps filled
                    info.type = tarfile.REGTYPE
                info.pax_headers = {k: v for k, v in info.pax_headers.items() if not _DERIVED_HEADER.match(k)}
                archive.addfile(info, io.BytesIO(data))
        with replace_file(target) as file:
            file.write(self._compress(written.getvalue()))


def _compression_of(data: bytes) -> _Compression | None:
    return next((one for one in _COMPRESSIONS if data.startswith(one.magic)), None)


# Images


class PngImage(Bundle):
    """A PNG image. Its members are its chunks as they are: pixels stay compressed.

    A checksum that was wrong stays wrong: after a change of its chunk, it differs in the same bits from the right one.
    """

    kind, noun = "PNG image", "chunk"
    _MAGIC = b"\x89PNG\r\n\x1a\n"

    @classmethod
    def recognises(cls, path: Path, head: bytes) -> bool:
        return head.startswith(cls._MAGIC)

    def _read(self) -> Iterator[Member]:
        content = read_bytes(self.path)
        limit, at = ReadLimit(self.path), len(self._MAGIC)
        while at < len(content):
            end = at + 12
            if end <= len(content):
                size, name = struct.unpack_from(">I4s", content, at)
                end += size
            if end > len(content):
                raise self.refuse(f"the chunk at byte {at:,} is cut off")
            limit.count(size)
            data = content[at + 8 : end - 4]
            wrong_bits = struct.unpack_from(">I", content, end - 4)[0] ^ zlib.crc32(content[at + 4 : end - 4])
            yield Member(name.decode("latin-1"), data, metadata=wrong_bits, original=data)
            at = end

    def write(self, members: Sequence[Member], target: Path) -> None:
        with replace_file(target) as file:
            file.write(self._MAGIC)
            for member in members:
                name = member.name.encode("latin-1")
                checksum = zlib.crc32(name + member.data) ^ (member.metadata or 0)
                file.write(struct.pack(">I", len(member.data)) + name + member.data + struct.pack(">I", checksum))


KINDS: tuple[type[Bundle], ...] = (Folder, ZipArchive, PngImage, TarArchive)
"""The kinds of bundles, in the order in which they are tried."""


def open_bundle(path: Path) -> Bundle | None:
    """Open a folder, archive or image; None if the path is an ordinary file.

    Raises DamagedBundle if it is damaged, and another InputError if it is encrypted or too large.
    """
    head = b""
    if not path.is_dir():
        check_regular(path)
        with open(path, "rb") as file:
            head = file.read(tarfile.BLOCKSIZE)
    kind = next((kind for kind in KINDS if kind.recognises(path, head)), None)
    return None if kind is None else kind(path)
