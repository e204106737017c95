"""Four recordings of a simulated ECU, the model that they are held against, and the certificates of their faults."""

import json
from pathlib import Path

import pytest

import rootward as rw
from rootward.traces.model.event import Trace
from rootward.traces.output.certificates.certifier import Certifier

from .forging import Data

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


@pytest.fixture(scope="session")
def traces() -> dict[str, Trace]:
    every = rw.read_traces([TRACES / f"{name}.asc" for name in (*BAD, "good")])
    return {trace.name: trace for trace in every}


@pytest.fixture(scope="session")
def written(model: rw.Model, traces: dict[str, Trace], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Data]:
    folder = tmp_path_factory.mktemp("certificates")
    certifier = Certifier(model)
    counts = {name: certifier.write(trace, folder, name) for name, trace in traces.items()}
    assert sum(counts.values()) == len(list(folder.iterdir()))
    return {path.name.removesuffix(".json"): json.loads(path.read_text()) for path in sorted(folder.iterdir())}
