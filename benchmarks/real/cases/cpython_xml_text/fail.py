"""Write texts as XML and read them again."""

import json
import sys
import xml.etree.ElementTree as ET


class Changed(Exception):
    """Another text came back."""


def run(config: dict) -> None:
    root = ET.Element("entry")
    for name in ("title", "note"):
        ET.SubElement(root, name).text = config[name]
    again = ET.fromstring(ET.tostring(root, encoding="utf-8", xml_declaration=config["declaration"]))
    for name in ("title", "note"):
        if (again.findtext(name) or "") != config[name]:
            raise Changed(name)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
