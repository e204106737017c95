"""Rules: predicates over a configuration, which can be evaluated, simplified, scored, printed and exported.

From the bottom up: a ``quantity`` computes with fields (``arithmetic``), and an atom (``atoms``) compares a field or a
quantity with a constant (``constants``); ``text`` is how all that is written. ``terms`` combine atoms, and a ``rule``
is a disjunction of terms. ``ranges`` bounds what quantities can be, ``columns`` evaluates terms over tables, ``score``
judges a rule against trials. ``simplify`` decides what terms mean and finds shorter ones, ``export`` writes them in the
languages of machines; the rule itself stands on top and offers both.
"""

from rootward.rules.atoms import Atom
from rootward.rules.quantity import Quantity
from rootward.rules.rule import Rule
from rootward.rules.score import Estimate, Score
from rootward.rules.terms import Conjunction, Literal, Term

__all__ = ["Atom", "Conjunction", "Estimate", "Literal", "Quantity", "Rule", "Score", "Term"]
