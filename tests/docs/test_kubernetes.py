"""The page about Kubernetes shows what dask-kubernetes generates; its many dependencies are not in our lock, so that is
compared where it is installed."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml

from .blocks import blocks
from .manifest import check_dask_cluster
from .reader import ROOT

FILES = {block.file: block.text for block in blocks((ROOT / "docs" / "how-to" / "kubernetes.md").read_text())}


def manifest() -> Any:
    return yaml.safe_load(FILES["rootward.yaml"])


def change(written: Any, path: str, value: Any) -> Any:
    *parents, last = [int(part) if part.isdigit() else part for part in path.split("/")]
    changed = place = copy.deepcopy(written)
    for part in parents:
        place = place[part]
    place[last] = value
    return changed


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("kind", "Deployment"),
        ("metadata/name", "Rootward_1"),
        ("spec/worker/replicas", "8"),
        ("spec/scheduler/service/selector", {"dask.org/cluster-name": "other"}),
        ("spec/scheduler/service/ports/0/targetPort", "http"),
        ("spec/worker/spec/containers/0/image", "other"),
        ("spec/worker/spec/containers/0/args/3", 1),
        ("spec/worker/spec/containers/0/env/0/value", 1),
        ("spec/worker/spec/containers/0/resources/requests/cpu", "one"),
    ],
)
def test_a_mistake_in_the_manifest_is_seen(path: str, value: Any) -> None:
    check_dask_cluster(manifest())
    with pytest.raises(AssertionError):
        check_dask_cluster(change(manifest(), path, value))


def test_the_manifest_is_what_dask_kubernetes_generates() -> None:
    installed = pytest.importorskip("dask_kubernetes", reason="compares with what dask-kubernetes generates")
    jsonschema = pytest.importorskip("jsonschema")
    names: dict[str, Any] = {"__name__": "pods"}
    exec(compile(FILES["pods.py"], "pods.py", "exec", dont_inherit=True), names)
    assert names["spec"]() == manifest()
    operator = Path(installed.__file__).parent / "operator" / "deployment" / "helm" / "dask-kubernetes-operator"
    definition = yaml.safe_load((operator / "crds" / "daskcluster.yaml").read_text())
    [version] = definition["spec"]["versions"]
    jsonschema.Draft7Validator(version["schema"]["openAPIV3Schema"]).validate(manifest())
