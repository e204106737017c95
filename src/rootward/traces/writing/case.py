"""Requests of a service that are treated alike, and what is remembered of one until it is answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rootward.traces.guard import TRUE, Const, Guard, Param, Term, Var
from rootward.traces.pattern import Derived


@dataclass(frozen=True)
class Case:
    """Requests that are treated alike."""

    name: str = ""
    value: int | None = None
    """The sub-function or identifier, if it is a certain one."""
    but: tuple[int, ...] = ()
    """Otherwise, those that it is not."""
    params: Mapping[str, Term] = field(default_factory=dict)
    """What the parameters of the request stand for."""
    derived: tuple[Derived, ...] = ()
    held: Guard = TRUE
    """What has been found to hold."""


class Memory:
    """What has to be remembered of a request until its response: each parameter in a variable of its own."""

    def __init__(self, name: str, case: Case, form: str, *, writes: bool) -> None:
        kept = {one: Var(f"{name}.{one}") for one in (form, "data", *(one.name for one in case.derived))}
        fixed = {form: Const(case.value)} if case.value is not None else {}
        self.params = {var.name: Param(one) for one, var in kept.items()}
        self.asked: dict[str, Term] = {**kept, **fixed, "request_data": kept["data"]}
        """What ``$name`` stands for when the response comes, if it is about the request."""
        self.at_response = self.asked if writes else {**self.asked, "data": Param("data")}
        """The same, with the data of the response, unless it has none."""

    def stored(self, terms: Iterable[object]) -> dict[str, Term]:
        """What the request has to store for these terms."""
        return {one.name: self.params[one.name] for one in terms if isinstance(one, Var) and one.name in self.params}

    def at_request(self, values: Mapping[str, Term]) -> dict[str, Term]:
        """The updates as far as the request knows them."""
        return {
            name: self.params.get(one.name, one) if isinstance(one, Var) else one
            for name, one in values.items()
            if not isinstance(one, Param)
        }
