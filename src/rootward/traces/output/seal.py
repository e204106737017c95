"""Fingerprints: two pieces of plain data are the same if and only if theirs are.

The fingerprint of a model says which model a certificate is about; that of a whole certificate shows whether it is
still as it was written. Neither is a signature: whoever changes the data can compute the new one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from rootward.traces.model import Model
from rootward.traces.output.stored import stored

SEAL = "seal"


def fingerprint(model: Model) -> str:
    """The same for every file, whatever its form, that says the same model with the same parameters."""
    return digest(stored(model))


def digest(data: object) -> str:
    """The SHA-256 of plain data, whatever the order of its keys."""
    return sha256(plain(data).encode()).hexdigest()


def plain(data: object) -> str:
    """Data in the one form that counts: ``1``, ``1.0`` and ``true`` are three different things."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"))


def sealed(data: Mapping[str, Any]) -> dict[str, Any]:
    """Data with its own fingerprint."""
    return {**data, SEAL: digest(data)}


def unbroken(data: Mapping[str, Any]) -> bool:
    """Whether data is as it was when it was sealed."""
    return data.get(SEAL) == digest({key: one for key, one in data.items() if key != SEAL})
