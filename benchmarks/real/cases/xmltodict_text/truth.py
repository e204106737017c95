"""The text of an element is stripped, and the end of a line becomes a newline; control characters are not XML."""

import random
import re

from real.points import Point
from real.texts import texts

SOURCE = "xmltodict 0.13.0, parse: strip_whitespace; XML 1.0, 2.2 Characters and 2.11 End-of-Line Handling"
PACKAGES = ["xmltodict==0.13.0"]
KIND = "text"
CONDITION = (
    "text contains a control character other than tab, newline and carriage return; or attribute = false, and text is "
    "empty, starts or ends with white space, or contains a carriage return"
)
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
EXAMPLES = (
    "hello",
    "a < b",
    "R&D",
    " indented",
    "two\nlines",
    "line\r\nline",
    "ends \n",
    "\x07bell",
    "tab\there",
    "naïve",
    '"quoted"',
    "]]>",
    "a  b",
)


def fails(config: Point) -> bool:
    text = config["text"]
    if CONTROL.search(text):
        return True
    return not config["attribute"] and (not text or text != text.strip() or "\r" in text)


def points(rng: random.Random) -> list[Point]:
    return [
        {"text": text, "attribute": attribute, "pretty": rng.random() < 0.5}
        for text in texts(rng, EXAMPLES, " \t\n\r\x07\x0c\x7f\xa0<>&\"']aé", 1200)
        for attribute in (False, True)
    ]
