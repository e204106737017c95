"""Rules: predicates over a configuration, which can be evaluated, simplified, scored, printed and exported.

``atoms`` says what a comparison means; ``terms`` and ``rule`` build on it. ``cells``, ``boxes``, ``express``,
``cover``, ``minimise`` and ``algebra`` decide what rules mean, exactly. ``text``, ``python`` and ``exchange`` say them;
``columns`` evaluates them over tables; ``score`` judges them.
"""

from rootward.rules.atoms import Atom, Conjunction
from rootward.rules.rule import Rule
from rootward.rules.score import Estimate, Score
from rootward.rules.terms import Literal, Term

__all__ = ["Atom", "Conjunction", "Estimate", "Literal", "Rule", "Score", "Term"]
