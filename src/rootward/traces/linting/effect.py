"""What edges do, one after another: each variable becomes a term of what was before, each clock is reset or not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rootward.traces.guard import Atom, Bound, Const, Guard, Term, Test, Var, compare
from rootward.traces.model import Edge


@dataclass(frozen=True)
class Effect:
    values: Mapping[str, Term] = field(default_factory=dict)
    reset: frozenset[str] = frozenset()

    def then(self, edge: Edge) -> Effect:
        """This, and then the edge, with no time in between."""
        written = {name: self.term(term) for name, term in edge.set.items()}
        return Effect({**self.values, **written}, self.reset | edge.reset)

    def term(self, term: Term) -> Term:
        """What a term of the state after is, before."""
        return self.values.get(term.name, term) if isinstance(term, Var) else term

    def before(self, guard: Guard) -> Guard:
        """What has to hold before it so that the guard holds after it."""
        return tuple(one for one in map(self._conjunction, guard) if one is not None)

    def _conjunction(self, atoms: Iterable[Atom]) -> tuple[Atom, ...] | None:
        kept: list[Atom] = []
        for atom in atoms:
            if isinstance(atom, Test):
                right = atom.right if isinstance(atom.right, tuple) else self.term(atom.right)
                atom = Test(self.term(atom.left), atom.op, right)
                if not isinstance(atom.left, Const) or not isinstance(atom.right, Const | tuple):
                    kept.append(atom)
                elif not compare(atom.left.value, atom.op, _plain(atom.right)):
                    return None
            elif atom.clock not in self.reset:
                kept.append(atom)
            elif not compare(0, atom.op, atom.limit):
                return None
        return tuple(kept)


def _plain(side: Const | tuple[int | str, ...]) -> int | str | tuple[int | str, ...]:
    return side.value if isinstance(side, Const) else side


def upper(guard: Guard) -> bool:
    """Whether it consists of upper bounds of clocks alone."""
    return all(isinstance(atom, Bound) and atom.op in ("<", "<=") for conjunction in guard for atom in conjunction)
