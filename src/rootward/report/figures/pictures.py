"""Pictures of a run that came with the finding, as far as they are pictures."""

from __future__ import annotations

import re
from typing import Any

_PICTURE = re.compile(r"data:image/(?:png|gif|jpeg|webp);base64,[A-Za-z0-9+/]+=*")


def pictures(finding: dict[str, Any]) -> list[str]:
    """The addresses that hold a picture themselves; nothing else is shown."""
    return [uri for uri in finding.get("pictures") or () if isinstance(uri, str) and _PICTURE.fullmatch(uri)]
