"""Rules: predicates over a configuration, which can be evaluated, simplified, scored, printed and exported.

From the bottom up: a ``quantity`` computes with fields (``arithmetic``), an atom (``atoms``) compares a field or a
quantity with a constant (``constants``), and ``text`` writes all of these for people. ``terms`` combine atoms, and a
``rule`` is a disjunction of terms. ``ranges`` bounds the values of quantities, ``columns`` evaluates terms over tables,
and ``score`` compares a rule with trials. ``simplify`` compares terms by meaning and finds shorter ones; ``export``
writes them as Python, C, SMT-LIB and JSON. The rule itself is the top layer and offers both.
"""

from rootward.rules.atoms import Atom
from rootward.rules.quantity import Quantity
from rootward.rules.rule import Rule
from rootward.rules.score import Estimate, Score
from rootward.rules.terms import Conjunction, Literal, Term

__all__ = ["Atom", "Conjunction", "Estimate", "Literal", "Quantity", "Rule", "Score", "Term"]
