"""``@pytest.mark.rootward(...)``: what the author of a test says about its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any

from rootward.errors import InputError
from rootward.fields import show
from rootward.space import Float, Int, Space

VERBS = ("causes", "rule")


@dataclass(frozen=True, kw_only=True)
class Marker:
    """What may vary, and how it is looked into; None where the author does not say."""

    space: Space | None = None
    budget: int | None = None
    verb: str | None = None
    flaky: bool | float = False

    def __post_init__(self) -> None:
        if not (self.space is None or isinstance(self.space, Space)):
            raise InputError(f"space is a rootward.Space, or fields by name, not {show(self.space)}")
        if not (self.budget is None or (type(self.budget) is int and self.budget >= 0)):
            raise InputError(f"budget is a number of runs, 0 or more, not {show(self.budget)}")
        if self.verb not in (None, *VERBS):
            raise InputError(f'verb is "causes" or "rule", not {show(self.verb)}')
        if type(self.flaky) not in (bool, int, float) or not 0 <= self.flaky <= 1:
            raise InputError(f"flaky is how often it fails, a number from 0 to 1, or True, not {show(self.flaky)}")

    @classmethod
    def read(cls, arguments: tuple[Any, ...], options: Mapping[str, Any], parameters: Mapping[str, Any]) -> Marker:
        """From the mark of a test with these parameters; InputError says in one sentence what is wrong."""
        known = [field.name for field in fields(cls)]
        if arguments:
            raise InputError(f"it takes no argument without a name, only {', '.join(known)}")
        for name in options:
            if name not in known:
                raise InputError(f"it takes no {name!r}{_near(name, known)}")
        space = options.get("space")
        made = cls(**{**options, "space": Space(space) if isinstance(space, Mapping) else space})
        for name in made.space or ():
            if name not in parameters:
                raise InputError(f"the test has no parameter {name!r}{_near(name, list(parameters))}")
        return made

    @property
    def asks_for_rule(self) -> bool:
        """Unless told otherwise, a rule is looked for among numbers of which there is no list."""
        if self.verb is not None:
            return self.verb == "rule"
        chosen = self.space.items() if self.space is not None else ()
        return any(isinstance(field, Int | Float) and not field.listed for _, field in chosen)


def _near(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, n=1)
    return f": did you mean {close[0]!r}?" if close else f"; there is {', '.join(known)}" if known else ""
