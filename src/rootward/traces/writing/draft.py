"""A model written in Python, a few lines a service: the words are those of a file, and so is the way they go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rootward.traces.model import Model
from rootward.traces.writing.document import compile_model
from rootward.traces.writing.nodes import plain

Entries = Mapping[str, Any]


class Draft:
    """A model that is being written: add services, timers and components, then take the ``model``."""

    def __init__(
        self,
        name: str,
        *,
        params: Entries | None = None,
        variables: Entries | None = None,
        clocks: Sequence[str] | Entries | None = None,
        requirements: Mapping[str, str] | None = None,
        ecu: str | None = None,
        p2: str | int | None = None,
        pending: str | int | None = None,
        unknown: str | int | None = None,
    ) -> None:
        given = {"params": params, "vars": variables, "clocks": clocks, "requirements": requirements}
        defaults = {key: value for key, value in (("p2", p2), ("pending", pending)) if value is not None}
        more = {"ecu": ecu, "unknown": unknown, "defaults": defaults or None}
        self.document: dict[str, Any] = {"model": name}
        """What a model file would say."""
        self.document |= {key: value for key, value in {**given, **more}.items() if value is not None}

    def component(
        self,
        name: str,
        *,
        initial: str | Sequence[str],
        edges: Sequence[Entries],
        locations: Mapping[str, Entries] | None = None,
        deterministic: bool = False,
    ) -> Draft:
        """A component of locations and edges."""
        parts = {"initial": initial, "edges": edges, "locations": locations or {}, "deterministic": deterministic}
        return self._add("components", name, parts)

    def service(
        self,
        sid: int,
        *,
        require: Sequence[str | Entries] = (),
        positive: Entries | None = None,
        derive: Mapping[str, str] | None = None,
        sub: Mapping[int, Entries] | None = None,
        did: Mapping[int, Entries] | None = None,
        otherwise: int | None = None,
        requirement: str | None = None,
    ) -> Draft:
        """A UDS service. ``sub`` and ``did`` have branches; ``otherwise`` is the negative response for all others."""
        parts = {"positive": positive, "derive": derive, "else": otherwise, "requirement": requirement}
        parts |= {f"sub {value}": branch for value, branch in (sub or {}).items()}
        parts |= {f"did {value:04X}": branch for value, branch in (did or {}).items()}
        stated = {key: value for key, value in parts.items() if value is not None}
        return self._add("services", f"0x{sid:02X}", {"require": list(require), **stated})

    def timer(
        self,
        name: str,
        *,
        runs: str,
        restart: str | Sequence[str],
        after: str | int,
        do: Entries,
        slack: str | int = 0,
        requirement: str | None = None,
    ) -> Draft:
        """While the condition ``runs`` holds, something happens so long after the last restart."""
        parts = {"while": runs, "restart": restart, "after": after, "slack": slack, "do": do}
        return self._add("timers", name, parts | ({"requirement": requirement} if requirement else {}))

    def model(self, **params: object) -> Model:
        """The model, with these parameters instead of its own. InputError for whatever does not fit."""
        return compile_model(plain(self.document, f"the model {self.document['model']}"), params)

    def _add(self, kind: str, name: str, parts: Entries) -> Draft:
        self.document.setdefault(kind, {})[name] = parts
        return self
