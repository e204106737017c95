"""Write a cell of a sheet."""

import datetime
import json
import sys

import xlwt

VALUES = {"text": "abc", "number": 1.5, "date": datetime.date(2024, 1, 2), "formula": xlwt.Formula("1+1")}


def run(config: dict) -> None:
    sheet = xlwt.Workbook().add_sheet("Data")
    style = xlwt.easyxf("font: bold on" if config["bold"] else "")
    sheet.write(config["row"], config["column"], VALUES[config["value"]], style)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
