"""Only an identifier can be used without quotes."""

import random
import re

from real.points import Point
from real.texts import texts

SOURCE = "JMESPath specification, Grammar: unquoted-string; Identifiers"
PACKAGES = ["jmespath==1.0.1"]
KIND = "text"
CONDITION = "key is no identifier of ASCII: a letter or _, and then letters, digits and _"
EXAMPLES = (
    "name",
    "userId",
    "first-name",
    "first_name",
    "2024",
    "item2",
    "a.b",
    "größe",
    "_id",
    "two words",
    "$ref",
    "@type",
    "X",
)


def fails(config: Point) -> bool:
    return re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", config["key"]) is None


def points(rng: random.Random) -> list[Point]:
    found = texts(rng, EXAMPLES, "abzAZ__0129- .$@ö'\"\n", 1200)
    for _ in range(1000):
        found.append("".join(rng.choices("abcxyzABZ_0189", k=rng.randint(1, 8))))
    return [{"key": key, "nested": rng.random() < 0.5, "number": rng.randint(0, 1000)} for key in dict.fromkeys(found)]
