"""The style and the script of every page, and the policy that lets a page run this script and nothing else."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "templates"


@cache
def style() -> str:
    return (FOLDER / "style.css").read_text(encoding="utf-8")


@cache
def script() -> str:
    """One script of its parts, which see each other and are seen by nobody else."""
    parts = ("make", "values", "trials", "drawings", "page")
    texts = [(FOLDER / "script" / f"{part}.js").read_text(encoding="utf-8") for part in parts]
    return "\n".join(['"use strict";\n(() => {', *texts, "})();\n"])


@cache
def policy() -> str:
    """For a page with the style, the script and its pictures inside. Styles are inline because drawings carry their
    own; they come from templates only."""
    digest = base64.b64encode(hashlib.sha256(script().encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
