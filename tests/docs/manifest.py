"""What can be said of a ``DaskCluster`` without Kubernetes: its parts are there, and refer to each other rightly."""

from __future__ import annotations

import re
from typing import Any

NAME = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
QUANTITY = re.compile(r"\d+(\.\d+)?(m|[kMGT]i?)?")


def check_dask_cluster(written: dict[str, Any]) -> None:
    assert (written["apiVersion"], written["kind"]) == ("kubernetes.dask.org/v1", "DaskCluster")
    name, spec = written["metadata"]["name"], written["spec"]
    assert NAME.fullmatch(name)
    assert isinstance(spec["worker"]["replicas"], int)
    [scheduler], [worker] = (spec[role]["spec"]["containers"] for role in ("scheduler", "worker"))
    for container in (scheduler, worker):
        check_container(container)
    assert scheduler["image"] == worker["image"], "both have to have the same packages"
    service = spec["scheduler"]["service"]
    assert service["selector"] == {"dask.org/cluster-name": name, "dask.org/component": "scheduler"}
    offered = {port["name"]: port["containerPort"] for port in scheduler["ports"]}
    assert {port["targetPort"]: port["port"] for port in service["ports"]} == offered
    assert all(scheduler[probe]["httpGet"]["port"] in offered for probe in ("readinessProbe", "livenessProbe"))


def check_container(container: dict[str, Any]) -> None:
    assert NAME.fullmatch(container["name"])
    assert container["image"]
    assert all(isinstance(word, str) for word in container["args"])
    assert all(isinstance(entry["value"], str) for entry in container["env"])
    for amounts in container["resources"].values():
        assert all(isinstance(amount, str) and QUANTITY.fullmatch(amount) for amount in amounts.values())
    for port in container["ports"]:
        assert len(port["name"]) <= 15
        assert isinstance(port["containerPort"], int)
