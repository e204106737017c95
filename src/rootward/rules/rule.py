"""Rules: predicates over a configuration in disjunctive form, the form in which a failure is explained.

A rule is immutable. It can be evaluated (for one configuration, or a million), written (for a person, as Python, as
JSON), and compared by meaning: simplification, implication and equivalence are decided over all values of all fields.

This is the top layer of the package: a tuple of terms, and the methods that people call. The work is done by modules
that operate on terms and do not depend on `Rule`. Modules that few programs need are imported by the method that needs
them.
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
from rootward.rules.terms import Conjunction, Term, conjoin, merge_terms, rule_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rootward.space.candidate import Configuration
    from rootward.space.space import Space
    from rootward.verdict import Verdict

MAX_CONJUNCTIONS = 100_000
"""Maximum number of conjunctions that a rule lists."""


class Rule:
    """A disjunction of conjunctions: ``Rule([[Atom("a", "=", 1), Atom("b", "<", 0)], [Atom("c", ">", 5)]])``."""

    terms: tuple[Term, ...]

    def __init__(self, conjunctions: Iterable[Iterable[Atom]] = ()) -> None:
        lines = list(conjunctions)
        if any(isinstance(line, Atom) for line in lines):
            raise InputError("a rule contains conjunctions, not atoms: expected Rule([[atom, ...], ...])")
        self.terms = merge_terms(map(Term.of, lines))

    @classmethod
    def of_terms(cls, terms: Iterable[Term]) -> Rule:
        """Build the disjunction of terms."""
        rule = cls()
        rule.terms = merge_terms(terms)
        return rule

    @classmethod
    def product(cls, sets: Mapping[str, Iterable[object]]) -> Rule:
        """Build ``field in {values} and ...``.

        The rule is stored as a product of sets, not as a list of conjunctions.
        """
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
        """The conjunctions, short ones first. Their order is the same in every process."""
        if (count := sum(term.size for term in self.terms)) > MAX_CONJUNCTIONS:
            raise InputError(
                f"the rule stands for {count:,} conjunctions, too many to list: use .terms, which list alternatives by "
                "field"
            )
        found = {one for term in self.terms for one in term.conjunctions()}
        return tuple(sorted(found, key=lambda one: (len(one), one.order)))

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields that the rule mentions, sorted. Fields that quantities read are included."""
        return tuple(sorted({name for term in self.terms for literal in term for name in fields_of(literal.field)}))

    @property
    def length(self) -> int:
        """The number of bounds and values in the text of the rule. ``simplify`` minimises this number."""
        return sum(term.length for term in self.terms)

    # Evaluating

    def holds(self, configuration: Configuration) -> bool:
        """Return True if some conjunction holds. Raises InputError if a field that is needed to decide is missing."""
        return any(term.holds(configuration) for term in self.terms)

    def holds_many(self, configurations: Sequence[Configuration] | Mapping[str, Any]) -> NDArray[np.bool_]:
        """Evaluate ``holds`` for each of several configurations, or for each row of columns given by field."""
        from rootward.rules.columns import holds_many

        return holds_many(self.terms, configurations)

    def score(
        self,
        trials: Iterable[tuple[Configuration, Verdict | bool]],
        *,
        confidence: float = 0.95,
        method: str = "wilson",
    ) -> Score:
        """Measure how well it predicts failures: precision, recall, accuracy and balanced accuracy."""
        return score(self.holds_many, trials, confidence=confidence, method=method)

    # Meaning. All these methods accept a space; then values outside of it do not matter.

    def simplify(self, space: Space | None = None) -> Rule:
        """Return the shortest equivalent rule that was found. For small rules, it is the shortest possible."""
        return Rule.of_terms(algebra.simplify_terms(self.terms, space))

    def condense(self, space: Space | None = None) -> Rule:
        """Simplify the rule for a person to read, with expressions as in code.

        For example, ``x < -4500 or x > 4500`` becomes ``abs(x) > 4500``.
        """
        from rootward.rules.simplify.condense import condense_terms

        return Rule.of_terms(condense_terms(self.terms, space))

    def implies(self, other: Rule, space: Space | None = None) -> bool:
        """Return True if ``other`` holds wherever this rule does."""
        return algebra.implies(self.terms, other.terms, space)

    def equivalent(self, other: Rule, space: Space | None = None) -> bool:
        """Return True if both hold for the same configurations."""
        return self.implies(other, space) and other.implies(self, space)

    def satisfiable(self, space: Space | None = None) -> bool:
        """Return True if it holds for some configuration."""
        return algebra.satisfiable(self.terms, space)

    def complement(self, space: Space | None = None) -> Rule:
        """Return the rule that holds exactly where this one does not.

        Without a space, a field that is compared by order is assumed to have only values that can be ordered, or NaN.
        So the complement of ``x < 0`` is ``x >= 0 or x is NaN``. If x is None in a configuration, neither of the two
        holds.
        """
        return Rule.of_terms(algebra.complement_terms(self.terms, space))

    def __or__(self, other: Rule) -> Rule:
        if not isinstance(other, Rule):
            return NotImplemented
        return Rule.of_terms((*self.terms, *other.terms))

    def __and__(self, other: Rule) -> Rule:
        if not isinstance(other, Rule):
            return NotImplemented
        return Rule.of_terms(conjoin(one, two) for one, two in product(self.terms, other.terms))

    def __invert__(self) -> Rule:
        return self.complement()

    # Writing

    def __str__(self) -> str:
        return rule_text(self.terms)

    def __repr__(self) -> str:
        return f"<Rule: {self}>"

    def to_python(self, argument: str = "c") -> str:
        """Return the source of a Python expression that is true where the rule holds, for plain Python values.

        It reads fields as ``c["field"]`` and needs ``math``. For quantities, it also needs the functions of
        `rootward.rules.arithmetic`, which never raise. For constants other than numbers, text, bools and None, it needs
        ``canonical`` from `rootward.space.keys`.
        """
        from rootward.rules.export.python import python_expression

        return python_expression(self.terms, argument)

    def to_python_function(self, name: str = "fails") -> str:
        """Return the source of an equivalent Python function of a configuration, preceded by the imports it needs."""
        from rootward.rules.export.python import python_function

        return python_function(self.terms, name)

    def to_c(self, space: Space | None = None) -> str:
        """Return a C expression that is true where the rule holds, over variables named like the fields.

        With a space, integers are cast so that nothing overflows; without one, all numbers are treated as doubles.
        Raises InputError if C cannot express the rule. `rootward.rules.export.c` lists what the expression needs.
        """
        from rootward.rules.export.c import c_expression

        return c_expression(self.terms, space, self.fields)

    def to_smtlib(self, space: Space) -> str:
        """Return an SMT-LIB 2 script that declares the fields of the rule and asserts the rule."""
        from rootward.rules.export.smtlib import smtlib_script

        return smtlib_script(self.terms, space, self.fields)

    def to_dict(self) -> dict[str, Any]:
        """Return the rule as JSON data that keeps the type of every constant."""
        return terms_to_dict(self.terms)

    @classmethod
    def from_dict(cls, written: Mapping[str, Any]) -> Rule:
        """Read a rule that ``to_dict`` wrote. Raises InputError for anything else."""
        return cls.of_terms(terms_from_dict(written))

    def __eq__(self, other: object) -> bool:
        """Return True if both rules have the same terms. Use `equivalent` to compare their meaning."""
        return self.terms == other.terms if isinstance(other, Rule) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.terms)
