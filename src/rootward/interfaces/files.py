"""Files of JSON, read with errors that name them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rootward.errors import InputError


def read_text(path: str | Path) -> str:
    """The text of a file; InputError if there is none."""
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error


def read_json(path: str | Path) -> Any:
    """What a JSON file holds."""
    try:
        return json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise InputError(f"{path} is not JSON: {error}") from error
    except RecursionError:
        raise InputError(f"{path} is nested too deeply to be read") from None
