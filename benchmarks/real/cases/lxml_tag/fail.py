"""Turn the key and the value of a record into an XML element."""

import json
import sys

from lxml import etree


def run(config: dict) -> None:
    element = etree.Element("record")
    etree.SubElement(element, config["tag"]).text = config["text"]
    etree.tostring(element, pretty_print=config["pretty"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
