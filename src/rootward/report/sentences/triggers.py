"""Phrases about fields that act together. Each phrase is the condition under which it fails, and ends a sentence."""

from __future__ import annotations

from rootward.facts import Fact
from rootward.rules.text import field_text, value_text
from rootward.searches.products import facts


def phrase(fact: Fact) -> str:
    """Return the phrase for a relation between two fields, without a full stop."""
    match fact:
        case facts.Compared(one, sign, other):
            return f"{field_text(one)} {sign} {field_text(other)}"
        case facts.EitherTriggers(one, other):
            return f"at least one of {field_text(one)} and {field_text(other)} has a value that triggers it"
        case facts.Limited(one, sign, other, above, low, high):
            beyond = "exceeds" if above else "is below"
            between = f"between {value_text(low)} and {value_text(high)}"
            return f"{field_text(one)} {sign} {field_text(other)} {beyond} a limit {between}"
    raise TypeError(f"no words for {fact!r}")
