"""Write a link. The result says if it was dropped."""

import io
import json
import sys
import warnings

import xlsxwriter

warnings.simplefilter("ignore")


class Dropped(Exception):
    """The link was not written."""


def run(config: dict) -> None:
    url = config["kind"] + "a" * config["length"] + " " * config["spaces"] + "b"
    sheet = xlsxwriter.Workbook(io.BytesIO()).add_worksheet()
    if sheet.write_url(0, 0, url, string="c" * config["caption"]) < 0:
        raise Dropped


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
