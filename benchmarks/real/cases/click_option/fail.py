"""Declare an option of a command."""

import json
import sys

import click


def run(config: dict) -> None:
    click.Option(
        ["--shout/--no-shout" if config["switch_off"] else "--shout"],
        is_flag=config["is_flag"] or None,
        flag_value=None if config["flag_value"] == "none" else config["flag_value"],
        multiple=config["multiple"],
        count=config["count"],
        prompt=config["prompt"],
        hide_input=config["hide_input"],
        nargs=config["nargs"],
        required=config["required"],
    )


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
