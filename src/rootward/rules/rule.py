"""Rules: predicates over a configuration in disjunctive form, the form in which a failure is explained.

A rule is immutable. It evaluates itself (one configuration, or a million), says itself (to a person, as Python, as
JSON), and knows what it means: simplification, implication and equivalence are decided over all values of all fields.

It is the top of this package: a tuple of terms and the methods that people call. What they do is done by modules that
work on terms and know no rule. Those that few programs need are imported by the method that needs them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

from rootward.errors import InputError
from rootward.rules.atoms import Atom
from rootward.rules.export.json import terms_from_dict, terms_to_dict
from rootward.rules.quantity import fields_of
from rootward.rules.score import Score, score
from rootward.rules.simplify import algebra
from rootward.rules.terms import Conjunction, Term, both, merged, rule_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rootward.space.candidate import Configuration
    from rootward.space.space import Space
    from rootward.verdict import Verdict

EXPANDED = 100_000
"""A rule that stands for more conjunctions than this does not list them."""


class Rule:
    """A disjunction of conjunctions: ``Rule([[Atom("a", "=", 1), Atom("b", "<", 0)], [Atom("c", ">", 5)]])``."""

    terms: tuple[Term, ...]

    def __init__(self, conjunctions: Iterable[Iterable[Atom]] = ()) -> None:
        lines = list(conjunctions)
        if any(isinstance(line, Atom) for line in lines):
            raise InputError("a rule is made of conjunctions, not of atoms: expected Rule([[atom, ...], ...])")
        self.terms = merged(map(Term.of, lines))

    @classmethod
    def of_terms(cls, terms: Iterable[Term]) -> Rule:
        """The disjunction of terms."""
        rule = cls()
        rule.terms = merged(terms)
        return rule

    @classmethod
    def product(cls, sets: Mapping[str, Iterable[object]]) -> Rule:
        """``field in {values} and ...`` for each field: a product of sets, however many conjunctions that is."""
        term = Term.among(sets)
        return cls.of_terms([term] if term.size else [])

    @classmethod
    def always(cls) -> Rule:
        return cls([()])

    @classmethod
    def never(cls) -> Rule:
        return cls()

    @cached_property
    def conjunctions(self) -> tuple[Conjunction, ...]:
        """The conjunctions, short ones first, in an order that is the same in every process."""
        if (count := sum(term.size for term in self.terms)) > EXPANDED:
            raise InputError(f"the rule stands for {count} conjunctions: use .terms, which list alternatives by field")
        found = {one for term in self.terms for one in term.conjunctions()}
        return tuple(sorted(found, key=lambda one: (len(one), one.order)))

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields it mentions, by name; of a quantity, those that it reads."""
        return tuple(sorted({name for term in self.terms for literal in term for name in fields_of(literal.field)}))

    @property
    def length(self) -> int:
        """How many bounds and values a reader has to read: the measure that ``simplify`` makes small."""
        return sum(term.length for term in self.terms)

    # Evaluating

    def holds(self, configuration: Configuration) -> bool:
        """Whether some conjunction holds; InputError if a field that decides it is missing."""
        return any(term.holds(configuration) for term in self.terms)

    def holds_many(self, configurations: Sequence[Configuration] | Mapping[str, Any]) -> NDArray[np.bool_]:
        """``holds`` for each of several configurations, or for each row of columns given by field."""
        from rootward.rules.columns import holds_many

        return holds_many(self.terms, configurations)

    def score(
        self,
        trials: Iterable[tuple[Configuration, Verdict | bool]],
        *,
        confidence: float = 0.95,
        method: str = "wilson",
    ) -> Score:
        """How well it predicts failing: precision, recall, accuracy and balanced accuracy."""
        return score(self.holds_many, trials, confidence=confidence, method=method)

    # Meaning. A space may be given everywhere: values outside of it then do not matter.

    def simplify(self, space: Space | None = None) -> Rule:
        """The shortest rule found that holds for the same configurations; the shortest there is if it is small."""
        return Rule.of_terms(algebra.simplified(self.terms, space))

    def condense(self, space: Space | None = None) -> Rule:
        """``simplify`` in the words of code: ``abs(x) > 4500`` for ``x < -4500 or x > 4500``, for a person to read."""
        from rootward.rules.simplify.condense import condensed

        return Rule.of_terms(condensed(self.terms, space))

    def implies(self, other: Rule, space: Space | None = None) -> bool:
        """Whether ``other`` holds wherever this rule does."""
        return algebra.implies(self.terms, other.terms, space)

    def equivalent(self, other: Rule, space: Space | None = None) -> bool:
        """Whether both hold for the same configurations."""
        return self.implies(other, space) and other.implies(self, space)

    def satisfiable(self, space: Space | None = None) -> bool:
        """Whether it holds for some configuration."""
        return algebra.satisfiable(self.terms, space)

    def complement(self, space: Space | None = None) -> Rule:
        """The rule that holds where this one does not.

        Without a space, a field that is compared by order is taken to hold what can be ordered: the complement of
        ``x < 0`` is ``x >= 0 or x is NaN``, and says nothing of a configuration in which x is None.
        """
        return Rule.of_terms(algebra.complemented(self.terms, space))

    def __or__(self, other: Rule) -> Rule:
        if not isinstance(other, Rule):
            return NotImplemented
        return Rule.of_terms((*self.terms, *other.terms))

    def __and__(self, other: Rule) -> Rule:
        if not isinstance(other, Rule):
            return NotImplemented
        return Rule.of_terms(both(one, two) for one, two in product(self.terms, other.terms))

    def __invert__(self) -> Rule:
        return self.complement()

    # Saying

    def __str__(self) -> str:
        return rule_text(self.terms)

    def __repr__(self) -> str:
        return f"<Rule: {self}>"

    def to_python(self, argument: str = "c") -> str:
        """The source of an expression that is true where the rule holds, for plain Python values.

        It reads fields as ``c["field"]`` and needs ``math``; for quantities it also needs the functions of
        `rootward.rules.arithmetic`, which never raise, and for constants that are neither numbers, text, bools nor
        None ``canonical`` from `rootward.space.keys`.
        """
        from rootward.rules.export.python import python_expression

        return python_expression(self.terms, argument)

    def to_python_function(self, name: str = "fails") -> str:
        """The source of a function of a configuration that says the same, after the imports that it needs."""
        from rootward.rules.export.python import python_function

        return python_function(self.terms, name)

    def to_c(self, space: Space | None = None) -> str:
        """A C expression that is true where the rule holds, over variables named as the fields.

        With a space, integers are cast so that nothing overflows; without one, all numbers are taken for doubles.
        InputError if C cannot say it. See `rootward.rules.export.c` for what the expression needs.
        """
        from rootward.rules.export.c import c_expression

        return c_expression(self.terms, space, self.fields)

    def to_smtlib(self, space: Space) -> str:
        """An SMT-LIB 2 script that declares the fields it mentions, and asserts that it holds."""
        from rootward.rules.export.smtlib import smtlib_script

        return smtlib_script(self.terms, space, self.fields)

    def to_dict(self) -> dict[str, Any]:
        """The rule as JSON that keeps the type of every constant."""
        return terms_to_dict(self.terms)

    @classmethod
    def from_dict(cls, written: Mapping[str, Any]) -> Rule:
        """The inverse of ``to_dict``; InputError if it was not written by it."""
        return cls.of_terms(terms_from_dict(written))

    def __eq__(self, other: object) -> bool:
        """Whether both are written alike; `equivalent` asks whether they mean the same."""
        return self.terms == other.terms if isinstance(other, Rule) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.terms)
