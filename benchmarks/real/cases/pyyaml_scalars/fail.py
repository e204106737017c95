"""Read a small YAML document that contains a scalar."""

import json
import sys

import yaml

QUOTES = {"plain": "", "single": "'", "double": '"'}
BLOCK = {"document": "{}", "item": "- {}", "value": "operator: {}", "key": "{}: 1"}
FLOW = {"document": "{}", "item": "[{}]", "value": "{{operator: {}}}", "key": "{{{}: 1}}"}


def run(config: dict) -> None:
    quote = QUOTES[config["style"]]
    template = (FLOW if config["flow"] else BLOCK)[config["place"]]
    yaml.safe_load(template.format(quote + config["value"] + quote))


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
