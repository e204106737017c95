"""Add a sheet with a title."""

import io
import json
import sys

import xlsxwriter


def run(config: dict) -> None:
    sheet = xlsxwriter.Workbook(io.BytesIO()).add_worksheet(config["title"])
    if config["hidden"]:
        sheet.hide()


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
