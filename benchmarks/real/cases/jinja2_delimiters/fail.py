"""Create an environment for templates with other delimiters."""

import json
import sys

import jinja2


def run(config: dict) -> None:
    jinja2.Environment(
        block_start_string=config["block_start"],
        variable_start_string=config["variable_start"],
        comment_start_string=config["comment_start"],
        trim_blocks=config["trim_blocks"],
        autoescape=config["autoescape"],
    )


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
