"""Facts: what a finding knows besides its answer. A fact has a kind, which is its class, and values.

A fact holds no sentence, so one search can use and compare the facts of another without parsing text. Each family of
searches lists its facts in its module ``facts``; ``report/sentences`` turns them into sentences.
"""

from __future__ import annotations


class Fact:
    """Something that is known, or that is known to be unknown.

    Each kind of fact is a frozen dataclass or an enumeration.
    """
