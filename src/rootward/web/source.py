"""The store that is looked at: it may not exist yet, and may be another one tomorrow."""

from __future__ import annotations

import threading
from pathlib import Path

from rootward.store import Store


class Source:
    """Opens the store once it is there, and again if its file was replaced. Never makes one."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._path = None if "://" in where else Path(where).absolute()
        self._store: Store | None = None
        self._file: int | None = None
        self._opening = threading.Lock()
        self._shown = str(self._path)

    def __str__(self) -> str:
        return self._shown

    def open(self) -> Store | None:
        """The store, or None while there is none; StoreError if that is no store of ours, or cannot be reached."""
        with self._opening:
            file = self._inode()
            if self._store is not None and file != self._file:
                self._store.close()
                self._store = None
            if self._store is None and (self._path is None or file is not None):
                self._store = Store(self._where)
                self._shown, self._file = str(self._store), file
            return self._store

    def close(self) -> None:
        with self._opening:
            if self._store is not None:
                self._store.close()
            self._store = None

    def _inode(self) -> int | None:
        try:
            return self._path.stat().st_ino if self._path else None
        except OSError:
            return None
