"""A worker process that runs trials of a Python function, one after another, for one thread of the lab.

The thread sends a candidate through a pipe and waits for the outcome, at most until the time-out. If the process dies
instead of answering, the way it died is the outcome, and the next trial gets a new process. Code that was written in
a script or a notebook is sent by value (cloudpickle), so the script is not imported again.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import resource
import select
import struct
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from typing import Any, BinaryIO, Protocol

import cloudpickle

from rootward.errors import MachineTrouble, SubjectError, trouble_of
from rootward.subjects import guardian, machine, out_of_memory, process
from rootward.verdict import FAIL, Outcome

REQUESTS, ANSWERS = 3, 4
"""The file numbers of the worker's ends of the pipes."""
_local = threading.local()


class WorkerFunction(Protocol):
    """The interface of what a worker runs: see ``rootward.subjects.function.Function``."""

    @property
    def timeout(self) -> float | None: ...
    @property
    def memory(self) -> int | None: ...
    def call(self, candidate: Any, seed: int) -> Outcome: ...


class WorkerDied(Exception):
    """The worker was killed from outside, by a person or for lack of memory.

    The trial says nothing about the subject.
    """


def call_in_worker(function: WorkerFunction, candidate: Any, seed: int) -> Outcome:
    """Run the function in this thread's worker process. Raises WorkerDied if the worker was killed from outside."""
    worker: Worker | None = getattr(_local, "worker", None)
    try:
        if worker is None or worker.function is not function or not worker.alive:
            if worker is not None:
                worker.close()
            worker = _local.worker = Worker(function)
        return worker.call(candidate, seed)
    except OSError as error:
        raise trouble_of(error) from error


class Worker:
    """The lab's side of one worker process."""

    def __init__(self, function: WorkerFunction) -> None:
        self.function, self._began = function, time.monotonic()
        subject = _pack(function)
        with contextlib.ExitStack() as opened:
            there, self._send = _open_pipe(opened)
            self._receive, back = _open_pipe(opened)
            self._process = process.start(
                [sys.executable, "-P", "-m", "rootward.subjects.worker"],
                files={**_screen(), REQUESTS: there, ANSWERS: back},
                env={"PYTHONPATH": os.pathsep.join(entry or os.getcwd() for entry in sys.path)},
                memory=function.memory,
                adopts=True,
            )
            opened.pop_all()
        os.close(there)
        os.close(back)
        self._finalizer = weakref.finalize(self, _end, self._process, self._send, self._receive)
        os.set_blocking(self._send, False)
        os.set_blocking(self._receive, False)
        try:
            kind, said = self._exchange(subject, None)
        except EOFError:
            ended = self._death()
            if ended.signature == "SIGINT":  # Ctrl-C in a terminal reaches every process, also one that is starting
                raise KeyboardInterrupt from None
            kind, said = "error", ended.detail
        if kind == "error":
            self.close()
            raise SubjectError(f"the subject cannot be loaded in a worker process: {said}")

    @property
    def alive(self) -> bool:
        return self._finalizer.alive

    def close(self) -> None:
        self._finalizer()

    def call(self, candidate: Any, seed: int) -> Outcome:
        self._began = time.monotonic()
        try:
            kind, said = self._exchange(cloudpickle.dumps((candidate, seed)), self.function.timeout)
        except TimeoutError:
            self.close()
            return Outcome(FAIL, signature="timeout", detail=f"no answer within {self.function.timeout:g} s")
        except EOFError:
            return self._death()
        if kind == "trouble":
            raise MachineTrouble(said)
        if kind == "error":
            raise SubjectError(said)
        assert isinstance(said, Outcome)
        return said

    def _death(self) -> Outcome:
        """Return the outcome of a run whose process ended instead of answering. It is a failure.

        Raises WorkerDied if the process was killed from outside.
        """
        try:
            process.wait(self._process, 5.0)  # it may have closed its pipes but not ended yet
        finally:
            self.close()
        if self._process.exceeded == "memory" and self.function.memory:
            return out_of_memory(self.function.memory)
        how = process.exit_name(self._process.returncode or 0)
        if how == "SIGKILL":
            machine.check_memory(self._began)
            raise WorkerDied("the worker process was killed")
        return Outcome(FAIL, signature=how, detail=f"the process ended with {how}")

    def _exchange(self, request: bytes, timeout: float | None) -> tuple[str, Any]:
        """Send a request and return the answer.

        Raises EOFError if the process ends before it answers. Raises TimeoutError if it neither answers nor ends in
        time. The process itself is watched, not only its pipe, because a forked child may keep the other end of the
        pipe open for ever.
        """
        end = None if timeout is None else time.monotonic() + timeout
        left, answer = memoryview(_frame(request)), bytearray()
        poll = select.poll()
        poll.register(self._process.channel, select.POLLIN)
        poll.register(self._receive, select.POLLIN)
        poll.register(self._send, select.POLLOUT)
        while True:
            ready = {number for number, _ in poll.poll(_milliseconds(end))}
            if not ready:
                raise TimeoutError
            if self._receive in ready:
                if not (chunk := os.read(self._receive, 1 << 20)):
                    raise EOFError
                answer += chunk
                if len(answer) >= 8 and len(answer) - 8 >= int.from_bytes(answer[:8], "big"):
                    kind, said = pickle.loads(memoryview(answer)[8:])
                    return kind, said
            elif self._process.channel.fileno() in ready:
                raise EOFError
            elif self._send in ready:
                try:
                    left = left[os.write(self._send, left) :]
                except BrokenPipeError:
                    raise EOFError from None
                if not left:
                    poll.unregister(self._send)


def _open_pipe(opened: contextlib.ExitStack) -> tuple[int, int]:
    ends = os.pipe()
    for end in ends:
        opened.callback(os.close, end)
    return ends


def _screen() -> dict[int, int]:
    """Return where a worker prints: to the error stream, because the answer goes to the output."""
    errors = sys.__stderr__.fileno() if sys.__stderr__ else None
    return {} if errors is None else {1: errors, 2: errors}


def _milliseconds(end: float | None) -> float | None:
    return None if end is None else max(0.0, end - time.monotonic()) * 1000


def _pack(function: WorkerFunction) -> bytes:
    try:
        data: bytes = cloudpickle.dumps(function)
    except Exception as error:
        raise SubjectError(
            f"the subject cannot be sent to a worker process: {error}; run it with jobs=1 and without timeout and "
            "memory, or create what cannot be sent inside the function, when it is called"
        ) from error
    return data


def _frame(message: bytes) -> bytes:
    return struct.pack(">Q", len(message)) + message


def _end(running: process.Process, *pipes: int) -> None:
    process.kill(running)
    for pipe in pipes:
        os.close(pipe)


def _message(stream: BinaryIO) -> bytes:
    """Read one length-prefixed message. Raises EOFError if the other side has closed the pipe."""
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


def _limit_address_space(limit: int | None) -> None:
    """Limit this process and those that it starts. It has loaded the subject, and now runs trials."""
    if limit is not None:
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Run the worker's side: load the subject, then answer one request after another."""

    def answer(kind: str, said: Any) -> None:
        try:
            message = cloudpickle.dumps((kind, said))
        except Exception as error:
            message = cloudpickle.dumps(("error", f"the return value of the subject cannot be sent back: {error}"))
        answers.write(_frame(message))
        answers.flush()

    function: WorkerFunction | None = None
    here = os.getpid()
    for request in _messages(requests):
        try:
            if function is None:
                function = pickle.loads(request)
                _limit_address_space(function.memory)
                said: tuple[str, Any] = "ready", None
            else:
                candidate, seed = pickle.loads(request)
                said = "outcome", function.call(candidate, seed)
        except SubjectError as error:
            said = "error", str(error)
        except MachineTrouble as error:
            said = "trouble", str(error)
        except MemoryError:
            said = "outcome", Outcome(FAIL, signature="MemoryError", detail="MemoryError")
        except Exception as error:
            said = "error", f"{type(error).__name__}: {error}"
        if os.getpid() != here:
            os._exit(0)  # a child that the subject forked: only the worker itself may answer
        answer(*said)


if __name__ == "__main__":
    guardian.adopt_orphans()
    with open(REQUESTS, "rb") as requests, open(ANSWERS, "wb") as answers:
        serve(requests, answers)
