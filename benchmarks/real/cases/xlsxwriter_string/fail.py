"""Write a text into a cell. The result says if it was dropped."""

import io
import json
import sys
import warnings

import xlsxwriter

warnings.simplefilter("ignore")


class OutOfRange(Exception):
    """The cell does not exist."""


class TooLong(Exception):
    """The text was dropped."""


def run(config: dict) -> None:
    book = xlsxwriter.Workbook(io.BytesIO())
    style = book.add_format({"bold": config["bold"]})
    result = book.add_worksheet().write_string(config["row"], config["column"], "a" * config["length"], style)
    if result == -1:
        raise OutOfRange
    if result == -2:
        raise TooLong


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
