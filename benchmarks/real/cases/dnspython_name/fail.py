"""Make the name of a host below example.com."""

import json
import sys

import dns.name


def run(config: dict) -> None:
    label = ("A" if config["uppercase"] else "a") * config["label_length"]
    text = ".".join([*[label] * config["labels"], "example", "com"])
    dns.name.from_text(f"{text}." if config["absolute"] else text)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
