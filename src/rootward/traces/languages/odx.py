"""Extract the skeleton of a UDS model from ODX: the services of an ECU, with their sub-functions and identifiers.

The result is the declaration of a UDS model, as one would write it in YAML. It can be compiled as it is; it is better
to complete it by hand. An ODX file lists the requests, with the sessions and security levels in which they are
available. It does not state which key fits a seed, or which data an ECU answers with. So sessions, resets and
security follow ISO 14229-1, and any data is accepted as the value of an identifier. Left out are conditions on states
other than session and security, conditions that depend on parameters, and services whose first byte is not fixed.
"""

from __future__ import annotations

import warnings
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from rootward.errors import InputError, MissingExtra
from rootward.formats.files import check_file, read_bytes
from rootward.formats.recordings.uds import SERVICES
from rootward.traces.languages.messages import WITH_DID, WITH_SUB

MAX_BYTES = 256 << 20
"""Maximum number of bytes of an ODX file, or of a PDX container when unpacked."""
SESSION, RESET, SECURITY = 0x10, 0x11, 0x27
PARAMS = {"P2": "50ms", "P2x": "5s", "S3": "5s", "S3_slack": "200ms"}
CHARTS = {"SESSION": ("session", "0x7F"), "SECURITY": ("sec", "0x33")}
"""The state charts that are used, by their semantic: the variable, and the negative response if its value does not
fit."""


def odx_services(path: str | Path, variant: str | None = None) -> dict[str, Any]:
    """Return the declaration of a UDS model from a PDX container or an ODX file.

    ``variant``: the short name of the ECU variant or base variant; it can be left out if there is only one ECU variant.
    Raises InputError if the file cannot be read, or has no such variant.
    """
    path = Path(path)
    database = _load(path)
    try:
        layers = {layer.short_name: layer for layer in (*database.ecu_variants, *database.base_variants)}
        if variant is None and len(database.ecu_variants) == 1:
            variant = database.ecu_variants[0].short_name
    except Exception as error:
        raise _read_error(path, error) from None
    if variant is None or variant not in layers:
        listed = f"its variants are {', '.join(sorted(layers))}" if layers else "it has no variants"
        if variant is not None:
            raise InputError(f"{path} has no variant {variant!r}; {listed}")
        raise InputError(f"{path} does not have exactly one ECU variant, so name a variant; {listed}")
    try:
        return _Skeleton(variant, layers[variant]).declaration()
    except Exception as error:
        raise _read_error(path, error) from None


def _load(path: Path) -> Any:
    _check(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import odxtools
    except ImportError as error:
        raise MissingExtra("an ODX file", "can") from error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return odxtools.load_file(path)
    except Exception as error:  # odxtools passes on whatever its parsers raise
        raise _read_error(path, error) from None


def _read_error(path: Path, error: Exception) -> InputError:
    reason = " ".join(str(error).split())[:200] or type(error).__name__
    return InputError(f"{path} cannot be read as ODX: {reason}")


def _check(path: Path) -> None:
    """Raise InputError for files that could unpack to an unlimited size."""
    suffix = path.suffix.lower()
    if suffix != ".pdx" and not suffix.startswith(".odx"):
        raise InputError(f"{path}: the file name must end in .pdx or .odx")
    try:
        for content in _read_container(path) if suffix == ".pdx" else _read_plain(path):
            if b"<!ENTITY" in content:
                raise InputError(f"{path} declares XML entities, which are not allowed in ODX files")
    except InputError:
        raise
    except Exception as error:  # damaged compressed data: each compression method raises different errors
        raise _read_error(path, error) from None


def _read_plain(path: Path) -> Iterator[bytes]:
    yield read_bytes(path, MAX_BYTES)


def _read_container(path: Path) -> Iterator[bytes]:
    left = MAX_BYTES
    with zipfile.ZipFile(check_file(path)) as container:
        for name in container.namelist():
            with container.open(name) as file:  # the sizes in the container's directory may be wrong
                content = file.read(left + 1)
            left -= len(content)
            if left < 0:
                raise InputError(f"{path} is larger than {MAX_BYTES >> 20} MB when unpacked, the maximum")
            yield content


class _Skeleton:
    """One variant of an ECU."""

    def __init__(self, name: str, layer: Any) -> None:
        self.name, self.layer = name, layer
        self.requests = [(service, prefix) for service in _services(layer) if (prefix := _prefix(service))]
        self.sids = dict.fromkeys(prefix[0] for _, prefix in self.requests)
        self.states = self._states()

    def declaration(self) -> dict[str, Any]:
        written: dict[str, Any] = {"model": self.name, "params": dict(PARAMS), "vars": self._variables()}
        written["defaults"] = {"p2": "P2", "pending": "P2x"}
        written["services"] = {_key(sid): self._service(sid) for sid in sorted(self.sids)}
        if SESSION in self.sids:
            written["timers"] = {
                "S3": {
                    "while": "session != 1",
                    "restart": ["response", "suppressed request"],
                    "after": "S3",
                    "slack": "S3_slack",
                    "do": self._variables(),
                }
            }
        return written

    def _variables(self) -> dict[str, Any]:
        """Return the variables of an ECU that has just started."""
        session = {"session": 1} if SESSION in self.sids else {}
        return {**session, "sec": 0, "seed": "none"} if SECURITY in self.sids else session

    def _service(self, sid: int) -> dict[str, Any]:
        """Declare the requirements and the effects of the requests of one service.

        Requests with the same sub-function or identifier form one case.
        """
        required: dict[int | None, list[list[str]]] = {}
        size = 1 if sid in WITH_SUB else 2 if sid in WITH_DID else 0
        for service, prefix in self.requests:
            if prefix[0] == sid:
                fixed = int.from_bytes(prefix[1 : 1 + size]) if 0 < size < len(prefix) else None
                value = fixed & 0x7F if fixed is not None and size == 1 else fixed
                required.setdefault(value, []).append(list(self._find_requirements(service)))
        cases: dict[str, Any] = {}
        for value, all_of in required.items():
            # A condition that only some of these requests have is not required of all.
            require = all_of[0] if all(one == all_of[0] for one in all_of) else []
            if value is None:
                cases |= _case(require if len(required) == 1 else [], [], {})
            elif size == 1:
                cases[f"sub {value}"] = _case(require, *self._effect(sid, value))
            else:
                cases[f"did {value:04X}"] = _case(require, [], {})
        return cases

    def _effect(self, sid: int, sub: int) -> tuple[list[str], dict[str, Any]]:
        """Return the requirements of a sub-function, and the variables that it sets, according to the standard."""
        known = self._variables()
        if sid == SESSION:
            return [], {**known, "session": sub}
        if sid == RESET:
            return [], known
        if sid == SECURITY and sub % 2:
            return [], {"seed": "$data"}
        if sid == SECURITY:
            return ["seed != none else 0x24"], {"sec": sub // 2, "seed": "none"}
        return [], {}

    def _find_requirements(self, service: Any) -> Iterator[str]:
        """Yield the sessions and security levels in which a service is available, as requirements."""
        references = filter(_unconditional, service.pre_condition_state_refs)
        wanted = [
            self.states[reference.state.odx_id] for reference in references if reference.state.odx_id in self.states
        ]
        for variable, code in CHARTS.values():
            values = sorted({value for name, value in wanted if name == variable})
            if values and variable in self._variables():
                yield f"{variable} in [{', '.join(map(str, values))}] else {code}"

    def _states(self) -> dict[Any, tuple[str, int]]:
        """Return the variable and the value that stand for each session state and each security state.

        They are found from the requests that lead to the state.
        """
        found: dict[Any, tuple[str, int]] = {}
        for chart in self.layer.state_charts:
            variable, _ = CHARTS.get(chart.semantic.upper(), ("", ""))
            if variable:
                found[chart.start_state.odx_id] = variable, int(variable == "session")
                own = {transition.odx_id for transition in chart.state_transitions}
                for target, value in self._find_targets(variable, own):
                    found.setdefault(target, (variable, value))
        return found

    def _find_targets(self, variable: str, transitions: set[Any]) -> Iterator[tuple[Any, int]]:
        """Yield the states to which session requests or security keys lead, each with the value that stands for it."""
        for service, prefix in self.requests:
            right = prefix[0] == (SESSION if variable == "session" else SECURITY) and len(prefix) > 1
            for reference in service.state_transition_refs if right else ():
                transition = reference.state_transition
                if transition.odx_id in transitions:
                    sub = prefix[1] & 0x7F
                    yield transition.target_state.odx_id, sub if variable == "session" else sub // 2


def _services(layer: Any) -> Iterable[Any]:
    return (service for service in layer.services if getattr(service, "request", None) is not None)


def _prefix(service: Any) -> bytes:
    """Return the constant bytes with which every request of the service begins."""
    return bytes(service.request.coded_const_prefix())


def _key(sid: int) -> str:
    return f"0x{sid:02X} {SERVICES[sid]}" if sid in SERVICES else f"0x{sid:02X}"


def _case(require: list[str], more: list[str], written: dict[str, Any]) -> dict[str, Any]:
    case: dict[str, Any] = {"require": [*require, *more]} if require or more else {}
    return {**case, "positive": {"set": written} if written else {}}


def _unconditional(reference: Any) -> bool:
    """Return True if the condition does not depend on parameters of the request."""
    return reference.in_param_if_snref is None and reference.in_param_if_snpathref is None
