"""Judge files in forked processes, so that the libraries of a property are imported only once.

The first argument is the property, the second one the socket to listen on, the third one the timeout in seconds. A
client sends a path and reads the exit code: 125 also if the property crashed or took too long.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import socket
import sys
import tempfile
import traceback
from collections.abc import Callable

UNRESOLVED = 125


def main() -> None:
    name, address, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
    judge = load(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the forked handlers
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(address)
        server.listen(64)
        while True:
            client, _ = server.accept()
            if os.fork() == 0:
                server.close()
                answer(client, judge, seconds)
                os._exit(0)
            client.close()


def load(name: str) -> Callable[[str], int]:
    spec = importlib.util.spec_from_file_location("property", name)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    judge: Callable[[str], int] = module.judge
    return judge


def answer(client: socket.socket, judge: Callable[[str], int], seconds: float) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with client, client.makefile("r") as reader:
        path = reader.readline().rstrip("\n")
        folder = tempfile.mkdtemp()
        try:
            client.sendall(b"%d\n" % judge_apart(judge, path, folder, seconds))
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def judge_apart(judge: Callable[[str], int], path: str, folder: str, seconds: float) -> int:
    """Judge in a process group of its own, which is killed when time is up."""
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.chdir(folder)
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        try:
            code = judge(path)
        except BaseException:
            traceback.print_exc()
            code = UNRESOLVED
        sys.stdout.flush()
        os._exit(code)

    def stop(*_: object) -> None:
        os.killpg(child, signal.SIGKILL)

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    _, status = os.waitpid(child, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else UNRESOLVED


if __name__ == "__main__":
    main()
