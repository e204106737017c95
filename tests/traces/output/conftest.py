"""Four recordings of a simulated ECU and the model that they are held against."""

from pathlib import Path

import pytest

import rootward as rw

ROOT = Path(__file__).parents[3]
TRACES = ROOT / "tests" / "data" / "traces"
MODEL = ROOT / "examples" / "models" / "uds_basic.yaml"
BAD = ("bad_late", "bad_noreset", "bad_s3")


@pytest.fixture(scope="session")
def model() -> rw.Model:
    return rw.load_model(MODEL, S3="500ms")


@pytest.fixture(scope="session")
def finding(model: rw.Model) -> rw.Triage:
    return rw.triage(model, rw.read_traces([TRACES / f"{name}.asc" for name in (*BAD, "good")]))
