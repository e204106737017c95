"""Pictures of a run that came with the finding, as far as they are pictures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

_PICTURE = re.compile(r"data:image/(?:png|gif|jpeg|webp);base64,[A-Za-z0-9+/]+=*")


def pictures(finding: Mapping[str, Any]) -> list[Markup]:
    """The addresses that hold a picture themselves; nothing else is shown. As markup, or they would be cut short."""
    return [Markup(uri) for uri in finding.get("pictures") or () if isinstance(uri, str) and _PICTURE.fullmatch(uri)]
