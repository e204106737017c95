"""A document inside a page: compressed, so that 10,000 trials fit, and written in letters that no parser can trip over.

Whoever has the page has the data: ``embedded`` reads it back.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
import zlib
from typing import Any

from markupsafe import Markup

from rootward.errors import InputError

_BLOCK = re.compile(r'<script type="application/gzip" class="rootward-document">([A-Za-z0-9+/=]*)</script>')


def block(document: dict[str, Any]) -> Markup:
    """The element that holds a document; a browser does not run it, for it is no script."""
    written = json.dumps(document, separators=(",", ":"), allow_nan=False).encode()
    letters = base64.b64encode(gzip.compress(written, 6, mtime=0)).decode()
    return Markup(f'<script type="application/gzip" class="rootward-document">{letters}</script>')


def embedded(page: str) -> dict[str, Any]:
    """The document that a page holds; InputError if it holds none that can be read."""
    found = _BLOCK.search(page)
    if found is None:
        raise InputError("this page holds no report of Rootward")
    try:
        document: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(found[1])))
    except (ValueError, OSError, EOFError, zlib.error):
        raise InputError("the data in this page is damaged") from None
    return document
