"""Count in a template that users may write."""

import json
import sys

from jinja2.sandbox import SandboxedEnvironment


def run(config: dict) -> None:
    template = SandboxedEnvironment(autoescape=config["autoescape"]).from_string(
        "{{ range(start, stop, step)|length }}"
    )
    template.render(start=config["start"], stop=config["stop"], step=config["step"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
