"""ODX: the skeleton of a real container, what changes with its states, and damaged ones."""

import builtins
import re
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from rootward.errors import InputError, MissingExtra
from rootward.traces.languages import load_model
from rootward.traces.languages.odx import odx_services
from rootward.traces.linting import lint
from tests.properties import examples

SOMERSAULT = Path(__file__).parents[2] / "data/models/somersault.pdx"


def rewritten(tmp_path: Path, change: Callable[[str], str]) -> Path:
    """The container with its ODX files changed."""
    path = tmp_path / "changed.pdx"
    with zipfile.ZipFile(SOMERSAULT) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, change(content.decode()) if ".odx" in name else content)
    return path


def test_services_of_a_variant() -> None:
    declared = odx_services(SOMERSAULT, "somersault_lazy")
    assert declared["model"] == "somersault_lazy"
    assert declared["vars"] == {"session": 1}
    assert declared["services"] == {
        "0x10 DiagnosticSessionControl": {
            "sub 0": {"positive": {"set": {"session": 0}}},
            "sub 1": {"positive": {"set": {"session": 1}}},
        },
        "0x22 ReadDataByIdentifier": {"positive": {}},
        "0x3E TesterPresent": {"sub 0": {"positive": {}}},
        "0xBA": {"positive": {}},
    }
    assert declared["timers"]["S3"]["do"] == {"session": 1}
    assert {"0xBB", "0xBD"} <= odx_services(SOMERSAULT, "somersault_assiduous")["services"].keys()


def test_a_skeleton_is_a_model(tmp_path: Path) -> None:
    for variant in ("somersault_lazy", "somersault_assiduous", "somersault_base_variant"):
        path = tmp_path / f"{variant}.yaml"
        path.write_text(yaml.safe_dump(odx_services(SOMERSAULT, variant)))
        model = load_model(path)
        assert model.name == variant
        assert lint(model) == []


def test_the_variant_has_to_be_named() -> None:
    with pytest.raises(
        InputError, match=r"name a variant; its variants are somersault_assiduous, somersault_base_variant"
    ):
        odx_services(SOMERSAULT)
    with pytest.raises(InputError, match="no variant 'diligent'"):
        odx_services(SOMERSAULT, "diligent")


def test_states_of_a_session_are_required(tmp_path: Path) -> None:
    """The chart becomes one of sessions, and a service is for those who are up; getting up is session 0."""

    def change(text: str) -> str:
        text = text.replace("<SEMANTIC>angry</SEMANTIC>", "<SEMANTIC>SESSION</SEMANTIC>")
        wanted = '<PRE-CONDITION-STATE-REFS><PRE-CONDITION-STATE-REF ID-REF="charts.angry.states.on_street"/>'
        return re.sub(
            r'(<DIAG-SERVICE [^>]*SEMANTIC="CURRENTDATA".*?)(</DIAG-SERVICE>)',
            rf"\1{wanted}</PRE-CONDITION-STATE-REFS>\2",
            text,
            count=1,
            flags=re.DOTALL,
        )

    services = odx_services(rewritten(tmp_path, change), "somersault_lazy")["services"]
    assert services["0x22 ReadDataByIdentifier"] == {"require": ["session in [0] else 0x7F"], "positive": {}}
    assert "require" not in services["0x3E TesterPresent"]["sub 0"]


def service(prefix: bytes, states: tuple[Any, ...] = (), transitions: tuple[Any, ...] = ()) -> Any:
    """What of a service counts, for ECUs that no small file describes."""
    from types import SimpleNamespace as Plain

    def reference(**more: Any) -> Any:
        return Plain(in_param_if_snref=None, in_param_if_snpathref=None, **more)

    return Plain(
        request=Plain(coded_const_prefix=lambda: prefix),
        pre_condition_state_refs=[reference(state=state) for state in states],
        state_transition_refs=[reference(state_transition=transition) for transition in transitions],
    )


def test_security_resets_and_identifiers(tmp_path: Path) -> None:
    from types import SimpleNamespace as Plain

    from rootward.traces.languages.odx import _Skeleton

    locked, level_2 = Plain(odx_id="locked"), Plain(odx_id="level 2")
    unlock = Plain(odx_id="unlock", target_state=level_2)
    chart = Plain(semantic="Security", start_state=locked, state_transitions=[unlock])
    layer = Plain(
        state_charts=[chart],
        services=[
            service(b"\x10\x01"),
            service(b"\x10\x83"),
            service(b"\x11\x01"),
            service(b"\x27\x03"),
            service(b"\x27\x04\xff", transitions=(unlock,)),
            service(b"\x22\xf1\x90"),
            service(b"\x2e\x01\x00", states=(level_2,)),
            service(b"\x31\x01\x02\x03", states=(level_2,)),
            service(b"\x31\x01\x02\x04"),
            service(b""),
            Plain(request=None),
        ],
    )
    declared = _Skeleton("ecu", layer).declaration()
    fresh = {"session": 1, "sec": 0, "seed": "none"}
    assert declared["vars"] == fresh
    assert declared["services"] == {
        "0x10 DiagnosticSessionControl": {
            "sub 1": {"positive": {"set": fresh}},
            "sub 3": {"positive": {"set": {**fresh, "session": 3}}},
        },
        "0x11 ECUReset": {"sub 1": {"positive": {"set": fresh}}},
        "0x22 ReadDataByIdentifier": {"did F190": {"positive": {}}},
        "0x27 SecurityAccess": {
            "sub 3": {"positive": {"set": {"seed": "$data"}}},
            "sub 4": {"require": ["seed != none else 0x24"], "positive": {"set": {"sec": 2, "seed": "none"}}},
        },
        "0x2E WriteDataByIdentifier": {"did 0100": {"require": ["sec in [2] else 0x33"], "positive": {}}},
        "0x31 RoutineControl": {"sub 1": {"positive": {}}},
    }
    path = tmp_path / "ecu.yaml"
    path.write_text(yaml.safe_dump(declared))
    assert [remark for remark in lint(load_model(path)) if remark.severity == "error"] == []


def test_files_that_are_none(tmp_path: Path) -> None:
    for name, content, reason in (
        ("a.txt", b"", "must end in .pdx or .odx"),
        ("a.pdx", b"nothing", "not a zip file"),
        ("a.odx-d", b"nothing", "syntax error"),
        ("a.odx-d", b"<ODX MODEL-VERSION='2.2.0'/>", "cannot be read as ODX"),
        ("a.odx-d", b"<!DOCTYPE a [<!ENTITY b 'c'>]><ODX/>", "declares XML entities"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match=reason):
            odx_services(tmp_path / name, "a")
    with pytest.raises(InputError, match="No such file"):
        odx_services(tmp_path / "missing.pdx", "a")


def test_a_container_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rootward.traces.languages.odx.MAX_BYTES", 1000)
    with pytest.raises(InputError, match="when unpacked"):
        odx_services(SOMERSAULT, "somersault_lazy")
    (tmp_path / "a.odx").write_bytes(b" " * 1001)
    with pytest.raises(InputError, match="the limit is 1000 bytes"):
        odx_services(tmp_path / "a.odx", "a")


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = builtins.__import__

    def refusing(name: str, *more: Any, **others: Any) -> Any:
        if name == "odxtools":
            raise ImportError(name)
        return plain(name, *more, **others)

    monkeypatch.setattr(builtins, "__import__", refusing)
    with pytest.raises(MissingExtra, match=r"rootward\[can\]"):
        odx_services(SOMERSAULT, "somersault_lazy")


@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_containers(tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "damaged.pdx"
    shutil.copyfile(SOMERSAULT, path)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content[: data.draw(st.integers(0, len(content)))] if data.draw(st.booleans()) else content)
    _refused_or_read(path)


@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_documents(tmp_path: Path, data: st.DataObject) -> None:
    with zipfile.ZipFile(SOMERSAULT) as container:
        name = next(name for name in container.namelist() if name.endswith(".odx-d"))
        content = container.read(name).decode()
    start = data.draw(st.integers(0, len(content)))
    noise = data.draw(st.text("<>/=\"'ID-REF abc19", max_size=10))
    path = tmp_path / "damaged.odx-d"
    path.write_text(content[:start] + noise + content[start + data.draw(st.integers(0, 30)) :])
    _refused_or_read(path)


def _refused_or_read(path: Path) -> None:
    try:
        declared = odx_services(path, "somersault_lazy")
    except InputError:
        return
    assert declared["model"] == "somersault_lazy"
