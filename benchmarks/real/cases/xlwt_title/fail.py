"""Add a sheet with a title."""

import json
import sys

import xlwt


def run(config: dict) -> None:
    sheet = xlwt.Workbook().add_sheet(config["title"])
    sheet.visibility = int(config["hidden"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
