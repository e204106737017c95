"""Facts in words: patterns that a model compiles to are said in blanks, and the compiler's own names not at all."""

import re

import pytest

import rootward as rw
from rootward.traces.fault import FORBIDDEN, AllowedEvent, Fault, Writer
from rootward.traces.grouping.answers import ANSWERED_INSTEAD
from rootward.traces.grouping.mutant import FaultCause, as_if
from rootward.traces.grouping.mutants import NOT_RESTARTED
from rootward.traces.model.guard import TRUE, Bound, Const, Param, Var
from rootward.traces.model.guard import Test as Compare
from rootward.traces.output.words import behaviour, expected_events, make_readable, writer

from .conftest import MODEL, ROOT

DATA = "(?P<data>(?:[0-9A-F]{2})*)"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"res * ECUReset <payload=(?P<sub_hex>[0-7][0-9A-F]){DATA}>", "res ECUReset <sub>..."),
        ("req * ReadDataByIdentifier <payload=F190(?P<data>)>", "req ReadDataByIdentifier F190"),
        (f"req * SecurityAccess <payload=(?:02|82){DATA}>", "req SecurityAccess 02..."),
        (r"req <ecu=(?!functional\b)\S+> X ...", "req X ..."),
        ("res * X NRC <nrc=(?!78)[0-9A-F]{2}>", "res X NRC <nrc>"),
        (rf"/res \S+ Clear(?: {DATA})?/", "res Clear ..."),
        ("req (Body|functional) X", "req Body X"),
        ("req * (A|B|C|D) 80", "req (A|B|…) 80"),
        ("req CTR set <val:int>", "req CTR set <val:int>"),
        (r"/log (a|b)+\d/", r"/log (a|b)+\d/"),
        ("Xy is answered positively with Xy.did", "Xy is answered positively with the identifier of the Xy request"),
        ("Xy needs seed = $key, else NRC 35", "Xy needs seed = key, else NRC 35"),
    ],
)
def test_patterns_in_blanks(text: str, said: str) -> None:
    assert make_readable(text) == said


def answered(component: str, location: str, other: str) -> FaultCause:
    return as_if(ANSWERED_INSTEAD, component=component, location=location, other=other, event="req * X")


@pytest.mark.parametrize(
    ("cause", "name", "said"),
    [
        (
            as_if("{component} did not check {test}", component="Xy", test=Compare(Var("seed"), "=", Param("keyfor"))),
            "as if Xy did not check seed = $keyfor",
            "as if Xy did not check seed = keyfor",
        ),
        (
            as_if(NOT_RESTARTED, component="timer S3", clock="S3.time", event="res * ..."),
            "as if timer S3 did not restart S3.time (res * ...)",
            "as if timer S3 did not restart (res ...)",
        ),
        (
            as_if(NOT_RESTARTED, component="Xy", clock="S3.time", event="res * ..."),
            "as if Xy did not restart S3.time (res * ...)",
            "as if Xy did not restart S3.time (res ...)",
        ),
        (
            answered("X", "announced", "suppressed"),
            "as if X answered 'announced' instead of 'suppressed' (req * X)",
            "as if X gave an answer instead of no answer (req X)",
        ),
        (
            answered("X", "NRC 31", "did F190 positive"),
            "as if X answered 'NRC 31' instead of 'did F190 positive' (req * X)",
            "as if X gave NRC 31 instead of a positive answer (did F190) (req X)",
        ),
        (
            answered("door", "opening", "idle"),
            "as if door answered 'opening' instead of 'idle' (req * X)",
            "as if door answered 'opening' instead of 'idle' (req X)",
        ),
        (
            as_if(
                "{component} never set {variables} to {value}", component="X", variables=("a", "Xy.sub"), value=Const(0)
            ),
            "as if X never set a, Xy.sub to 0",
            "as if X never set a, the sub-function of the Xy request to 0",
        ),
    ],
)
def test_causes(cause: FaultCause, name: str, said: str) -> None:
    assert cause.name == str(cause) == name
    assert behaviour([cause]) == said
    assert behaviour([cause, cause]) == f"{said}, or {said}"


@pytest.mark.parametrize(
    ("one", "name", "said"),
    [
        (
            Writer("seed", "X", f"res * X <payload=01{DATA}>", Param("data"), None),
            f"seed: set to $data by X (res * X <payload=01{DATA}>)",
            "seed: set to <data> by X (res X 01<data>)",
        ),
        (
            Writer("S3.time", "timer S3", "res * ...", None, None),
            "S3.time: restarted by timer S3 (res * ...)",
            "timer S3: restarted (res ...)",
        ),
        (
            Writer("other services.wait", "other services", "req * Y", None, None),
            "other services.wait: restarted by other services (req * Y)",
            "the response time of other services: restarted (req Y)",
        ),
        (
            Writer("session", "Xy", "res * Xy 0", Var("Xy.sub"), None),
            "session: set to Xy.sub by Xy (res * Xy 0)",
            "session: set to the sub-function of the Xy request by Xy (res Xy 0)",
        ),
        (Writer("session", "", "", None, None), "session: as at the beginning", "session: still has its initial value"),
    ],
)
def test_writers(one: Writer, name: str, said: str) -> None:
    assert (str(one), writer(one)) == (name, said)


def fault(*allowed: AllowedEvent, ecu: str = "ECU") -> Fault:
    event = rw.Event(0, "res", ecu, "X")
    return Fault("t", "", 0, event, FORBIDDEN, "X", "idle", allowed, "", None, None, (0,), (), (), (), None, True)


READ = f"res * Xy <payload=0100{DATA}>"


@pytest.mark.parametrize(
    ("one", "name", "said"),
    [
        (AllowedEvent("res * X NRC 31", TRUE, ()), "res * X NRC 31", "res ECU X NRC 31"),
        (
            AllowedEvent("res * X NRC 78", ((Bound("X.wait", "<=", 50_000),),), ()),
            "res * X NRC 78 if X.wait <= 50 ms",
            "res ECU X NRC 78 within 50 ms",
        ),
        (
            AllowedEvent("res CTR ret <val:int>", ((Compare(Var("ctx"), "=", Param("val")),),), (("ctx", 5),)),
            "res CTR ret <val:int> if ctx = $val (ctx is 5)",
            "res CTR ret <val:int> if ctx = <val> (ctx is 5)",
        ),
        (
            AllowedEvent(READ, ((Compare(Param("data"), "=", Var("d0100")),),), (("d0100", "0000"),)),
            f"{READ} if $data = d0100 (d0100 is 0000)",
            "res ECU Xy 01000000 (the value of d0100)",
        ),
        (
            AllowedEvent(
                READ, ((Compare(Param("data"), "=", Var("other services.asked")),),), (("other services.asked", "A"),)
            ),
            f"{READ} if $data = other services.asked (other services.asked is A)",
            "res ECU Xy 0100A (the value of the service that was asked for)",
        ),
        (
            AllowedEvent("res CTR on", ((Compare(Var("mode"), "=", Const(1)),),), (("mode", 1),)),
            "res CTR on if mode = 1 (mode is 1)",
            "res CTR on (mode is 1)",
        ),
        (
            AllowedEvent("res CTR on", ((Compare(Var("mode"), "=", Const(1)),),), (("mode", 2),)),
            "res CTR on if mode = 1 (mode is 2)",
            "res CTR on if mode = 1 (mode is 2)",
        ),
    ],
)
def test_what_is_allowed(one: AllowedEvent, name: str, said: str) -> None:
    assert fault(one).expected == (name,)
    assert expected_events(fault(one)) == [said]


def test_the_most_telling_is_wanted_first() -> None:
    some = [
        AllowedEvent("res * X NRC 78", TRUE, ()),
        AllowedEvent("req * X", TRUE, ()),
        AllowedEvent("res * X on", ((Compare(Var("mode"), "=", Const(1)),),), (("mode", 2),)),
        AllowedEvent("res * X 01", TRUE, ()),
    ]
    assert expected_events(fault(*some)) == ["res ECU X 01", "res ECU X NRC 78"]
    assert expected_events(fault(some[1])) == ["req ECU X"]


@pytest.mark.parametrize("path", [MODEL, ROOT / "examples" / "uds" / "model.yaml"], ids=["basic", "example"])
def test_no_regular_expression_of_a_uds_model_is_left(path: str) -> None:
    for part in rw.load_model(path).components:
        for edge in part.edges:
            assert not re.search(r"\(\?|[\\+^$]|\{\d", make_readable(edge.event)), edge.event
