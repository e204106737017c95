"""Write a letter into a narrow cell."""

import json
import sys

from fpdf import FPDF


def run(config: dict) -> None:
    document = FPDF()
    document.add_page()
    document.set_font("Helvetica", size=config["size"])
    document.multi_cell(config["width"], None, "W", align=config["align"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
