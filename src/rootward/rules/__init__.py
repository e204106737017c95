"""Rules: predicates over a configuration, which can be evaluated, simplified, scored, printed and exported.

``quantity`` and ``arithmetic`` say what can be compared beside fields, ``ranges`` what values it takes; ``atoms`` says
what a comparison means; ``terms`` and ``rule`` build on it. ``cells``, ``boxes``, ``express``, ``cover``, ``minimise``
and ``algebra`` decide what rules mean, exactly. ``condense`` says them in the words of code, with ``bounds`` and
``singles`` for what is said of integers; ``text``, ``constants``, ``python``, ``c_source``, ``smtlib`` and ``exchange``
say them to people and to machines; ``columns`` evaluates them over tables; ``score`` judges them.
"""

from rootward.rules.atoms import Atom, Conjunction
from rootward.rules.quantity import Quantity
from rootward.rules.rule import Rule
from rootward.rules.score import Estimate, Score
from rootward.rules.terms import Literal, Term

__all__ = ["Atom", "Conjunction", "Estimate", "Literal", "Quantity", "Rule", "Score", "Term"]
