"""A sandbox for commands, made by bubblewrap: no network, no other processes, and only a few folders to write to.

It keeps a command from doing harm by mistake. It is not made for programs that try to break out: they still see the
files of the user, and reach sockets in the file system.
"""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from rootward.errors import SubjectError

PROGRAM = "bwrap"
PRIVATE = (Path("/tmp"), Path("/dev"))
"""Folders of which every sandbox has its own. The first one is empty, and can be written."""
_OPTIONS = "--ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --setenv TMPDIR /tmp"
_LIMITS = "--unshare-net --unshare-ipc --unshare-pid --cap-drop ALL --die-with-parent"


def sandbox_words(shown: Iterable[str] = (), writable: Iterable[str] = ()) -> list[str]:
    """Return the words in front of a command that put it into a sandbox.

    :param shown: paths in private folders that can be read; what else is there is hidden
    :param writable: folders that can be written
    """
    words = [PROGRAM, *_OPTIONS.split()]
    for option, paths in (("--ro-bind", shown), ("--bind", writable)):
        words += [word for path in paths for word in (option, path, path)]
    return [*words, *_LIMITS.split(), "--"]


def hidden_paths(paths: Iterable[Path]) -> list[str]:
    """Return the paths that a sandbox hides unless they are shown, without those inside of others."""
    real = sorted({Path(os.path.realpath(path)) for path in paths if path.exists()})
    hidden = [path for path in real if any(folder in path.parents for folder in PRIVATE)]
    return [str(path) for path in hidden if not any(other in path.parents for other in hidden)]


@lru_cache(maxsize=1)
def check_sandbox() -> None:
    """Raise SubjectError if no sandbox can be made on this machine."""
    if shutil.which(PROGRAM) is None:
        raise SubjectError(
            "a sandbox needs bubblewrap, which is not installed: install the package bubblewrap (such as: "
            "apt-get install bubblewrap), or run without the sandbox"
        )
    done = subprocess.run([*sandbox_words(), "true"], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").strip() or f"exit code {done.returncode}"
        raise SubjectError(
            f"bubblewrap cannot make a sandbox on this machine ({reason}): allow user namespaces, or run without the "
            "sandbox"
        )


def find_program(name: str, env: Mapping[str, str], cwd: str | None) -> Path:
    """Return the path of a program, as the system would find it. Raises SubjectError if there is none.

    bubblewrap itself would report a missing program by exit code 1, like a failure of the program.
    """
    path = os.path.join(cwd or "", name) if os.sep in name else name
    found = shutil.which(path, path=os.pathsep.join(os.get_exec_path({**os.environ, **env})))
    if found is None:
        reason = os.strerror(errno.EACCES if os.path.isfile(path) else errno.ENOENT)
        raise SubjectError(f"the command cannot be started: {name}: {reason}")
    return Path(found)
