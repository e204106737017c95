"""Facts: what a finding knows beside its answer, as a kind, which is the class, and values.

A fact holds no sentence, so a search may ask what another one has found, and compare it, without reading. The families
of searches each list their facts in a chapter called ``facts``; ``report/sentences`` says them to a person.
"""

from __future__ import annotations


class Fact:
    """Something that is known, or known to be unknown. Its kinds are frozen dataclasses and enumerations."""
