"""The kept results: one line of JSON for each tool and case, with what they depend on."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from files.measure import Measured

PATH = Path(__file__).parent / "results.jsonl"
Key = tuple[str, str]
"""Names of tool and case."""


@dataclass(frozen=True)
class Limits:
    """The limits of a reduction."""

    executions: int
    seconds: float


class Results:
    """Results by tool and case. A new one replaces that of another version of the tool or of the case."""

    def __init__(self, path: Path = PATH) -> None:
        self.path = path
        lines = path.read_text().splitlines() if path.exists() else []
        entries = [json.loads(line) for line in lines]
        self._entries = {(entry["tool"], entry["case"]): entry for entry in entries}

    def get(self, tool: str, case: str, conditions: Mapping[str, object], limits: Limits) -> Measured | None:
        """Return a result that was measured under these conditions, where None is not compared, and that smaller limits
        did not stop."""
        entry = self._entries.get((tool, case))
        if entry is None or any(entry[key] != value for key, value in conditions.items() if value is not None):
            return None
        if entry["limits"].get(entry["stopped"], math.inf) < asdict(limits).get(entry["stopped"], 0):
            return None
        fields = {key: entry[key] for key in ("case", "tool", "executions", "seconds", "stopped")}
        return Measured(steps=[(done, size) for done, size in entry["steps"]], **fields)

    def put(self, result: Measured, conditions: Mapping[str, object], limits: Limits) -> None:
        self._entries[result.tool, result.case] = {**asdict(result), **conditions, "limits": asdict(limits)}
        text = "".join(f"{json.dumps(self._entries[key])}\n" for key in sorted(self._entries))
        fresh = self.path.with_suffix(".new")
        fresh.write_text(text)
        fresh.replace(self.path)
