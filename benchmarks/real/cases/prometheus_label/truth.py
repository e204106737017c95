"""Labels are identifiers of ASCII; those with two underscores in front and those that the metric adds are reserved."""

import random
import re

from real.points import Point
from real.texts import texts

SOURCE = "https://prometheus.io/docs/concepts/data_model/, labels; prometheus_client 0.20, metrics.py"
PACKAGES = ["prometheus-client==0.20.0"]
KIND = "text"
CONDITION = (
    "label is not a letter of ASCII or _ and then such letters, digits and _ (and maybe a newline); or it starts with "
    "__; or metric = Histogram and label = le, or metric = Summary and label = quantile"
)
LABEL = re.compile(r"(?!__)[A-Za-z_][A-Za-z0-9_]*\n?")
RESERVED = {"Histogram": "le", "Summary": "quantile"}
EXAMPLES = (
    "method",
    "status_code",
    "status-code",
    "2xx",
    "_private",
    "__name__",
    "le",
    "quantile",
    "größe",
    "a b",
    "HTTP",
    "a:b",
    "job.name",
    "x1",
)


def fails(config: Point) -> bool:
    label = config["label"]
    return LABEL.fullmatch(label) is None or RESERVED.get(config["metric"]) == label


def points(rng: random.Random) -> list[Point]:
    return [
        {"metric": metric, "label": label, "unit": rng.choice(("", "seconds", "bytes"))}
        for label in texts(rng, EXAMPLES, "__-. :é0aZ_b\n", 800)
        for metric in ("Counter", "Gauge", "Histogram", "Summary")
    ]
