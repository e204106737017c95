"""Write a text into a cell."""

import json
import sys

import openpyxl
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter


def run(config: dict) -> None:
    sheet = openpyxl.Workbook().active
    cell = sheet.cell(config["row"], config["column"], config["text"])
    cell.font = Font(bold=config["bold"])
    get_column_letter(cell.column)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
