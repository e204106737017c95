"""What a run has found, shown as its report shows it: the one place where the live page and the report meet."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from rootward.report import html
from rootward.store import RunRecord, Store


def section(store: Store, record: RunRecord) -> str:
    """The finding, or the best one so far, with its figures; empty before there is any."""
    found = store.partial(record.id) or store.finding(record.id)
    return html.fragment(found) if found and (found["asked"] or found["complete"]) else ""


def page(store: Store, record: RunRecord) -> str:
    """The same as one page to keep; empty before there is any finding."""
    found = store.partial(record.id) or store.finding(record.id)
    return html.page(found) if found else ""


@cache
def style() -> str:
    text = (Path(html.__file__).parent / "templates" / "page.html").read_text(encoding="utf-8")
    return "".join(re.findall("<style>(.*?)</style>", text, re.DOTALL))


@cache
def script() -> str:
    return ""
