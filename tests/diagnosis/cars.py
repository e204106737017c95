"""A car that fails in three ways."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rootward as rw
from rootward.study import Study
from rootward.subjects.function import as_subject
from rootward.verdict import FAIL, Outcome

CAR = rw.Space({"speed": rw.Int(0, 100), "gear": rw.Choice("PRND"), "lights": rw.Bool()})


def study(subject: Any, space: rw.Space | None = CAR, **parts: Any) -> Study:
    return Study("car", Path("car.toml"), as_subject(subject, isolate=False), space, **parts)


def crashes(one: dict[str, Any]) -> Outcome | None:
    if one["gear"] == "R" and one["speed"] > 12:
        return Outcome(FAIL, "reverse")
    if one["gear"] == "N" and not one["lights"]:
        return Outcome(FAIL, "neutral")
    return Outcome(FAIL, "limit") if one["speed"] > 70 else None
