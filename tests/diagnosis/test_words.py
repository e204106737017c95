"""Every fact has words, and they make a sentence."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from rootward.diagnosis.facts import Fact, Gap, Unended
from rootward.diagnosis.plan import SHARES
from rootward.diagnosis.words import GAPS, UNENDED, sentence, sentences
from rootward.rules import Atom, Rule

VALUES: dict[str, Any] = {
    "int": 2,
    "str": "night.csv",
    "bool": True,
    "tuple[str, ...]": ("a", "", "c"),
    "Rule": Rule([[Atom("speed", ">", 12)]]),
}
KINDS = [kind for kind in Fact.__subclasses__() if kind.__module__ == Unended.__module__ and is_dataclass(kind)]
KINDS.remove(Unended)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_fact_has_words(kind: type[Fact]) -> None:
    fact = kind(*(VALUES[str(part.type)] for part in fields(kind)))
    assert sentence(fact).endswith(".")
    assert hash(fact) == hash(kind(*(VALUES[str(part.type)] for part in fields(kind))))


def test_every_gap_and_every_search_that_may_be_cut_has_words() -> None:
    assert set(GAPS) == set(Gap)
    assert set(UNENDED) <= set(SHARES)
    told = sentences([*Gap, *map(Unended, UNENDED)])
    assert len(set(told)) == len(told) == len(GAPS) + len(UNENDED)


def test_what_another_search_has_said_stays_as_it_is() -> None:
    assert sentences(["Loads above 9 were not tried.", Gap.NOT_AGAIN])[0] == "Loads above 9 were not tried."
