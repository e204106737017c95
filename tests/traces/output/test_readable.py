"""Patterns that a model compiles to are said in blanks."""

import re

import pytest

import rootward as rw
from rootward.traces.output.readable import readable

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
        ("res * X NRC 78 if X.wait <= 50 ms", "res X NRC 78 within 50 ms"),
        ("req CTR set <val:int>", "req CTR set <val:int>"),
        ("res CTR ret <val:int> if ctx = $val (ctx is 5)", "res CTR ret <val:int> if ctx = <val> (ctx is 5)"),
        (f"seed: set to $data by X (res * X <payload=01{DATA}>)", "seed: set to <data> by X (res X 01<data>)"),
        ("as if SecurityAccess did not check seed = $keyfor", "as if SecurityAccess did not check seed = keyfor"),
        ("as if timer S3 did not restart S3.time (res * ...)", "as if timer S3 did not restart (res ...)"),
        ("S3.time: restarted by timer S3 (res * ...)", "timer S3: restarted (res ...)"),
        ("other services.wait: restarted by other services", "the time that other services takes: restarted"),
        ("session: set to Xy.sub by Xy (res * Xy 0)", "session: set to the sub-function of the Xy by Xy (res Xy 0)"),
        ("X answered 'announced' instead of 'suppressed'", "X gave an answer instead of none"),
        ("X answered 'NRC 31' instead of 'did F190 positive'", "X gave NRC 31 instead of a positive answer (did F190)"),
        ("door answered 'opening' instead of 'idle'", "door answered 'opening' instead of 'idle'"),
        (r"/log (a|b)+\d/", r"/log (a|b)+\d/"),
    ],
)
def test_patterns_in_blanks(text: str, said: str) -> None:
    assert readable(text) == said


def test_the_value_that_was_expected_stands_where_it_was_expected() -> None:
    text = f"res * ReadDataByIdentifier <payload=0100{DATA}> if $data = d0100 (d0100 is 0000)"
    assert readable(text, "ECU") == "res ECU ReadDataByIdentifier 01000000 (the value of d0100)"


@pytest.mark.parametrize("path", [MODEL, ROOT / "examples" / "uds" / "model.yaml"], ids=["basic", "example"])
def test_no_regular_expression_of_a_uds_model_is_left(path: str) -> None:
    for part in rw.load_model(path).components:
        for edge in part.edges:
            assert not re.search(r"\(\?|[\\+^$]|\{\d", readable(edge.event)), edge.event
