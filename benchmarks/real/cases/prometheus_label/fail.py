"""Define a metric with a label."""

import json
import sys

import prometheus_client


def run(config: dict) -> None:
    metric = getattr(prometheus_client, config["metric"])
    metric("requests", "Requests of clients", [config["label"]], unit=config["unit"], registry=None)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
