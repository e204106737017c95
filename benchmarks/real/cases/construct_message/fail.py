"""Build the message of a device."""

import json
import sys

from construct import Int8sb, Int8ub, Int16ub, PaddedString, PrefixedArray, Struct


def run(config: dict) -> None:
    message = Struct(
        "device" / Int16ub,
        "temperature" / Int8sb,
        "name" / PaddedString(16, config["encoding"]),
        "readings" / PrefixedArray(Int8ub, Int16ub),
    )
    message.build(
        {
            "device": config["device"],
            "temperature": config["temperature"],
            "name": "n" * config["name_length"],
            "readings": [1000] * config["readings"],
        }
    )


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
