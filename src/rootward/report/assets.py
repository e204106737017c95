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
    """Return the script of a page.

    Its parts are joined in one scope, which other scripts cannot reach.
    """
    parts = ("make", "values", "trials", "drawings", "page")
    texts = [(FOLDER / "script" / f"{part}.js").read_text(encoding="utf-8") for part in parts]
    return "\n".join(['"use strict";\n(() => {', *texts, "})();\n"])


@cache
def policy() -> str:
    """Return the content security policy of a page that holds its style, script and pictures itself.

    Inline styles are allowed because each drawing carries its own style. No style comes from a subject.
    """
    digest = base64.b64encode(hashlib.sha256(script().encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
