"""Ctrl-C as a fact to look at, not as an exception that may strike between running a trial and saving it."""

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

AGAIN = 0.01
"""Seconds after which a Ctrl-C that was lost is sent again."""


class Interrupts:
    """Counts Ctrl-C and SIGTERM while it is entered, and calls ``on_signal`` with the count so far.

    Outside the main thread, where Python delivers no signals, and where the caller has a handler of its own, nothing
    changes.
    """

    def __init__(self, on_signal: Callable[[int], None]) -> None:
        self.count = 0
        self._on_signal = on_signal
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            for number, default in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
                if signal.getsignal(number) == default:
                    self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _handle(self, *_: object) -> None:
        self.count += 1
        self._on_signal(self.count)


def insist(lost: UnraisableHookArgs) -> None:
    """A ``sys.unraisablehook`` that sends a lost Ctrl-C again, until it strikes where it can be raised.

    Where the lab does not count it, Ctrl-C is an exception; and Python drops one that strikes in a finaliser, or in the
    callback of a weak reference, of which every import has one.
    """
    if not isinstance(lost.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    while True:
        try:
            _thread.start_new_thread(_send_again, (threading.get_ident(),))
        except KeyboardInterrupt:  # on a busy machine it is sent before we have left, and lost in here
            continue
        except RuntimeError:  # Python is on its way out: there is nothing left to end
            pass
        return


def _send_again(thread: int) -> None:
    time.sleep(AGAIN)
    signal.pthread_kill(thread, signal.SIGINT)
