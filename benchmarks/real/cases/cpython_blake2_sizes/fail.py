"""Hash a message with a key."""

import hashlib
import json
import sys


def run(config: dict) -> None:
    function = getattr(hashlib, config["algorithm"])
    function(
        b"a" * config["length"],
        digest_size=config["digest_size"],
        key=b"k" * config["key_length"],
        salt=b"s" * config["salt_length"],
    ).hexdigest()


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
