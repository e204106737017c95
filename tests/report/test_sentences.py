"""Every fact has words, and they make a sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

import pytest

import rootward as rw
from rootward.diagnosis.plan import SHARES
from rootward.explanation import facts as of_diagnosis
from rootward.explanation import reasons
from rootward.explanation.facts import (
    Check,
    CommandFailed,
    CommandPassed,
    Condition,
    CutShort,
    FoundWith,
    Gap,
    NoArtifact,
    NoPytest,
    NoSimpleCondition,
    RegressionBroken,
    RegressionRun,
    Result,
    TriageNotes,
)
from rootward.facts import Fact
from rootward.formats.tables import facts as of_history
from rootward.formats.tables.facts import Odd, UnjudgedRuns
from rootward.report.kinds.diagnosis import result_parts
from rootward.report.sentences import causes, diagnosis, history, plan, rule, triggers
from rootward.report.sentences.diagnosis import UNFINISHED, sentences
from rootward.rules import Atom, Conjunction, Rule
from rootward.searches.causes import facts as of_causes
from rootward.searches.conditions import facts as of_conditions
from rootward.searches.products import facts as of_products

WORDS: dict[str, Callable[[Fact], str]] = {
    of_diagnosis.__name__: lambda fact: (
        f"{diagnosis.artifact_result(fact)}." if type(fact) in TRIED else diagnosis.sentence(fact)
    ),
    reasons.__name__: plan.reason,
    of_causes.__name__: causes.sentence,
    of_conditions.__name__: rule.sentence,
    of_products.__name__: lambda fact: f"{triggers.phrase(fact)}.",
    of_history.__name__: lambda fact: f"{history.phrase(fact)}.",
}
VALUES: dict[str, Any] = {
    "int": 2,
    "int | None": 3,
    "float | None": 0.5,
    "str": "night.csv",
    "str | None": "clean",
    "bool": True,
    "Any": 7,
    "Odd": Odd.MIXED,
    "Fact": UnjudgedRuns(2),
    "tuple[str, ...]": ("a", "", "c"),
    "tuple[int, int]": (3, 60),
    "float": 0.5,
    "tuple[tuple[str, int], ...]": (("KILLED", 2),),
    "tuple[tuple[str, Any], ...]": (("a", 1),),
    "tuple[Conjunction, ...]": (Conjunction([Atom("speed", ">", 12)]),),
    "Rule": Rule([[Atom("speed", ">", 12)]]),
}
TRIED: tuple[type, ...] = (NoArtifact, CommandFailed, CommandPassed, NoPytest, RegressionBroken, RegressionRun)
"""What came of typing a command: a phrase."""
SEVERAL = (Check, FoundWith, TriageNotes, CutShort)
"""Those that are made of findings, or speak of some steps only: they have tests of their own."""
FACTS = [kind for kind in Fact.__subclasses__() if kind.__module__ in WORDS and kind not in SEVERAL]


@pytest.mark.parametrize("kind", [kind for kind in FACTS if is_dataclass(kind)])
def test_every_kind_of_fact_has_words(kind: type[Any]) -> None:
    made = [kind(*(VALUES[str(part.type)] for part in fields(kind))) for _ in range(2)]
    assert WORDS[kind.__module__](made[0]).endswith((".", "?"))
    assert hash(made[0]) == hash(made[1])


@pytest.mark.parametrize("kind", [kind for kind in FACTS if issubclass(kind, Enum)])
def test_every_member_has_words_of_its_own(kind: type[Any]) -> None:
    told = [WORDS[kind.__module__](one) for one in kind if one is not Result.FOUND]
    assert all(said.endswith((".", "?")) for said in told)
    assert len(set(told)) == len(told)


def test_every_search_that_may_be_cut_has_words() -> None:
    assert set(UNFINISHED) <= set(SHARES)
    told = sentences([*Gap, *map(CutShort, UNFINISHED)])
    assert len(set(told)) == len(told) == len(Gap) + len(UNFINISHED)


def test_what_another_search_has_found_stands_beside_it() -> None:
    told = sentences([of_conditions.FewTried("load", 2, 9), Gap.NOT_REPRODUCED])
    assert told[0] == "Only 2 of 9 values of load were tried; others may behave differently."


def test_the_condition_of_a_step_is_not_told_as_a_fact() -> None:
    """Only a later step challenges it."""
    rule_found = Rule([[Atom("speed", ">", 3)]])
    assert diagnosis.sentence(Condition(rule_found)) == "It seems to fail when speed > 3."
    assert diagnosis.sentence(Condition(rule_found, sure=False)) == "So far, it seems to fail when speed > 3."
    assert "".join(result_parts({"said": "", "condition": "speed > 3"})) == "It seems to fail when speed > 3."


def test_of_many_fields_the_number_of_the_rest_is_said() -> None:
    few = diagnosis.sentence(NoSimpleCondition(tuple("abcde")))
    assert few == "No simple condition explains it. It depends on a, b, c, d, e."
    assert diagnosis.sentence(NoSimpleCondition(tuple("abcdefg"))).endswith(
        " It depends on a, b, c, d, e and 2 other fields."
    )


def test_what_was_found_with_settings_says_which_matter() -> None:
    found = rw.reduce([1, 2, 3], rw.fails_when(lambda kept: 2 in kept))
    settings = {"mode": "fast", "seed": 3}
    assert diagnosis.sentence(FoundWith(settings, ("mode",), found)).startswith("With mode = fast, 1 of 3 elements is ")
    assert diagnosis.sentence(FoundWith(settings, (), found)).startswith("With mode = fast and seed = 3, 1 of 3 ")


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        (history.phrase, Gap.NOT_REPRODUCED),
        (causes.sentence, Gap.NOT_REPRODUCED),
        (rule.sentence, Gap.NOT_REPRODUCED),
        (plan.reason, Gap.NOT_REPRODUCED),
        (triggers.phrase, Gap.NOT_REPRODUCED),
        (diagnosis.artifact_result, Gap.NOT_REPRODUCED),
        (diagnosis.sentence, UnjudgedRuns(2)),
    ],
)
def test_a_fact_without_words_is_an_error(said: Callable[[Fact], str], fact: Fact) -> None:
    with pytest.raises(TypeError, match="no words for "):
        said(fact)
