"""A tag is a name of XML: it begins with a letter or _, and has no spaces or other signs; texts have no control
characters."""

import random
import re

from real.points import Point
from real.texts import texts

SOURCE = "lxml: ValueError 'Invalid tag name' and 'All strings must be XML compatible'; Namespaces in XML, NCName"
PACKAGES = ["lxml==4.9.4"]
KIND = "text"
CONDITION = (
    "tag is no name (a letter or _, then letters, digits, - . _), or text contains a control character other than tab, "
    "newline and carriage return"
)
NAME = re.compile(
    "[A-Za-z_\xc0-\xd6\xd8-\xf6\xf8-\xff\u2070-\u218f][-.0-9A-Za-z_\xb7\xc0-\xd6\xd8-\xf6\xf8-\xff\u2070-\u218f]*"
)
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
TAGS = ("item", "first-name", "first name", "1st", "größe", "a.b", "_id", "-dash", "price€", "x", "A9")


def fails(config: Point) -> bool:
    return NAME.fullmatch(config["tag"]) is None or CONTROL.search(config["text"]) is not None


def points(rng: random.Random) -> list[Point]:
    values = ("", "plain", "plain", "a < b", "two\nlines", "nul\0", "esc\x1b", "x\ry")
    characters = " -._0189aZzé÷×ß\xa0\xb7\xb2€!#/&<>'\"(),;=+*@[]|~\t\n"
    return [
        {"tag": tag, "text": rng.choice(values), "pretty": rng.random() < 0.5}
        for tag in texts(rng, TAGS, characters, 1500)
    ]
