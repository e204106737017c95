"""Ctrl-C as a counter to check, instead of an exception that may be raised between running a trial and saving it."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

RESEND_DELAY = 0.01
"""Seconds before a lost Ctrl-C is sent again."""
_early = threading.Event()
"""Set once Ctrl-C was pressed while no lab was counting."""


class Interrupts:
    """A context manager that counts Ctrl-C and SIGTERM, and calls ``on_signal`` with the count so far.

    It does nothing outside the main thread, because Python delivers no signals to other threads. It also does nothing
    if the caller has set a handler.
    """

    def __init__(self, on_signal: Callable[[int], None]) -> None:
        self.count = 0
        self._on_signal = on_signal
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            usual = {signal.SIGINT: (signal.default_int_handler, raise_interrupt), signal.SIGTERM: (signal.SIG_DFL,)}
            for number, handlers in usual.items():
                if signal.getsignal(number) in handlers:
                    self._before[number] = signal.signal(number, self._handle)
            if _early.is_set():  # it was pressed, and the exception was lost
                self._handle()
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _handle(self, *_: object) -> None:
        self.count += 1
        self._on_signal(self.count)


def raise_interrupt(*_: object) -> None:
    """The handler of Ctrl-C in our own program, while no lab is counting: raise an exception, and remember that.

    Code that is being imported may catch every exception. Then the next lab ends as soon as it begins.
    """
    _early.set()
    raise KeyboardInterrupt


def resend_lost_interrupt(lost: UnraisableHookArgs) -> None:
    """A ``sys.unraisablehook`` that sends a lost Ctrl-C again, until it arrives where it can be raised.

    When the lab does not count Ctrl-C, it is an exception. Python drops an exception that is raised in a finaliser or
    in the callback of a weak reference. Every import has such a callback.
    """
    if not isinstance(lost.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    while True:
        try:
            _thread.start_new_thread(_resend, (threading.get_ident(),))
        except KeyboardInterrupt:  # on a busy machine it can arrive before this returns, and is lost here
            continue
        except RuntimeError:  # Python is shutting down: there is nothing left to interrupt
            pass
        return


def _resend(thread: int) -> None:
    time.sleep(RESEND_DELAY)
    signal.pthread_kill(thread, signal.SIGINT)
