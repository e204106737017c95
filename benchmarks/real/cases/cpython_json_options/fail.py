"""Write a dictionary as JSON."""

import datetime
import json
import sys

KEYS = {
    "text": ("a", "b"),
    "number": (7, 8),
    "float": (0.5, 1.5),
    "none": (None, None),
    "bool": (False, True),
    "tuple": ((1,), (2,)),
}
VALUES = {
    "text": "x",
    "number": 3,
    "nan": float("nan"),
    "infinity": float("inf"),
    "set": {1},
    "date": datetime.date(2024, 1, 1),
}


def run(config: dict) -> None:
    data = {KEYS[config["first_key"]][0]: VALUES[config["value"]], KEYS[config["second_key"]][1]: 1}
    options = {name: config[name] for name in ("sort_keys", "skipkeys", "allow_nan", "indent")}
    json.dumps(data, **options)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
