"""Compile the modules of a wheel in two ways."""

import sys
import zipfile
import zlib


def judge(path: str) -> int:
    try:
        with zipfile.ZipFile(path) as archive:
            modules = [archive.read(name) for name in archive.namelist() if name.endswith(".py")]
    except (zipfile.BadZipFile, zlib.error, ValueError, OSError, NotImplementedError, RuntimeError, EOFError):
        return 0
    return int(any(compiles(module) and not compiles(as_text(module)) for module in modules))


def as_text(module: bytes) -> str | bytes:
    try:
        return module.decode()
    except UnicodeDecodeError:
        return module


def compiles(source: str | bytes) -> bool:
    try:
        compile(source, "module", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


if __name__ == "__main__":
    sys.exit(judge(sys.argv[1]))
