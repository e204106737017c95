"""Folders, archives and images that consist of named members, and the byte string that a search edits instead."""

from rootward.formats.bundles.bundle import Bundle, DamagedBundle, Member
from rootward.formats.bundles.flat import Span, flatten, spans, unflatten
from rootward.formats.bundles.kinds import KINDS, open_bundle

__all__ = ["KINDS", "Bundle", "DamagedBundle", "Member", "Span", "flatten", "open_bundle", "spans", "unflatten"]
