"""A process that runs trials of a Python function, one after another, for one thread of the lab.

The lab's thread sends a candidate through a pipe and waits for the outcome, for as long as the time-out allows. If the
process dies instead of answering, the way it died is the answer, and the next trial gets a new process. Code that was
written in a script or a notebook arrives by value (cloudpickle), so nothing is imported twice.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import struct
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

import cloudpickle

from rootward.errors import SubjectError
from rootward.subjects import process
from rootward.verdict import FAIL, Outcome

if TYPE_CHECKING:
    from rootward.subjects.function import Function

_local = threading.local()
_workers: weakref.WeakSet[Worker] = weakref.WeakSet()


class WorkerDied(Exception):
    """The worker was killed from outside (out of memory, an operator): the trial says nothing about the subject."""


def call_in_worker(function: Function, candidate: Any, seed: int) -> Outcome:
    """Run in this thread's worker process; raises ``WorkerDied`` if that was killed from outside."""
    worker: Worker | None = getattr(_local, "worker", None)
    if worker is None or worker.function is not function or not worker.alive:
        if worker is not None:
            worker.close()
        worker = _local.worker = Worker(function)
    return worker.call(candidate, seed)


def close_workers() -> None:
    """End all idle workers."""
    for worker in list(_workers):
        worker.close()


class Worker:
    """The lab's side of one worker process."""

    def __init__(self, function: Function) -> None:
        self.function = function
        there, self._send = os.pipe()
        self._receive, back = os.pipe()
        self._process: subprocess.Popen[bytes] = process.start(
            [sys.executable, "-m", "rootward.subjects.worker", str(there), str(back)],
            pass_fds=(there, back),
            stdin=subprocess.DEVNULL,
            stdout=sys.__stderr__.fileno() if sys.__stderr__ else subprocess.DEVNULL,
            env=process.environment({"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}),
        )
        os.close(there)
        os.close(back)
        self._finalizer = weakref.finalize(self, _end, self._process, self._send, self._receive)
        _workers.add(self)
        self._write(cloudpickle.dumps(function))
        kind, said = self._read(None)
        if kind == "error":
            self.close()
            raise SubjectError(f"the subject cannot be loaded in a worker process: {said}")
        process.limit_memory(self._process.pid, function.memory)

    @property
    def alive(self) -> bool:
        return self._finalizer.alive

    def close(self) -> None:
        self._finalizer()

    def call(self, candidate: Any, seed: int) -> Outcome:
        try:
            self._write(cloudpickle.dumps((candidate, seed)))
            kind, said = self._read(self.function.timeout)
        except TimeoutError:
            self.close()
            return Outcome(FAIL, signature="timeout", detail=f"no answer within {self.function.timeout:g} s")
        except (EOFError, BrokenPipeError):
            return self._death()
        if kind == "error":
            raise SubjectError(said)
        assert isinstance(said, Outcome)
        return said

    def _death(self) -> Outcome:
        """The process ended instead of answering. Its own doing is a failure; a kill from outside is not."""
        code = self._process.wait()
        self.close()
        how = process.exit_name(code)
        if how == "SIGKILL":
            raise WorkerDied("the worker process was killed")
        return Outcome(FAIL, signature=how, detail=f"the process ended with {how}")

    def _write(self, message: bytes) -> None:
        data = memoryview(struct.pack(">Q", len(message)) + message)
        while data:
            data = data[os.write(self._send, data) :]

    def _read(self, timeout: float | None) -> tuple[str, Any]:
        if timeout is not None and not select.select([self._receive], [], [], timeout)[0]:
            raise TimeoutError
        with open(self._receive, "rb", closefd=False) as stream:
            kind, said = pickle.loads(_message(stream))
        return kind, said


def _end(running: subprocess.Popen[bytes], *pipes: int) -> None:
    process.kill(running)
    for pipe in pipes:
        os.close(pipe)


def _message(stream: BinaryIO) -> bytes:
    """One length-prefixed message; EOFError where the other side has gone."""
    head = stream.read(8)
    if len(head) < 8:
        raise EOFError
    (length,) = struct.unpack(">Q", head)
    body = stream.read(length)
    if len(body) < length:
        raise EOFError
    return body


def _messages(stream: BinaryIO) -> Iterator[bytes]:
    with contextlib.suppress(EOFError):
        while True:
            yield _message(stream)


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """The worker's side: load the subject, then answer one request after another."""

    def answer(kind: str, said: Any) -> None:
        body = cloudpickle.dumps((kind, said))
        answers.write(struct.pack(">Q", len(body)) + body)
        answers.flush()

    function: Function | None = None
    for request in _messages(requests):
        try:
            if function is None:
                function = pickle.loads(request)
                answer("ready", None)
            else:
                candidate, seed = pickle.loads(request)
                answer("outcome", function.call(candidate, seed))
        except SubjectError as error:
            answer("error", str(error))
        except Exception as error:
            answer("error", f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    with open(int(sys.argv[1]), "rb") as requests, open(int(sys.argv[2]), "wb") as answers:
        serve(requests, answers)
