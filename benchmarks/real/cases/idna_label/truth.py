"""Labels have letters, digits and hyphens, at certain places only. With another letter, capitals are refused, too."""

import random
import re

from real.points import Point
from real.texts import texts

SOURCE = "RFC 5891, 4.2 and 5.4; core.py of idna 3.7, encode, alabel and check_label"
PACKAGES = ["idna==3.7"]
KIND = "text"
CONDITION = (
    "a label (between dots; one dot at the end is allowed) is empty, has a character that is neither a letter nor a "
    "digit nor -, starts or ends with -, has -- as third and fourth character, has more than 63 characters when "
    "encoded, or has both a letter outside of ASCII and a capital letter"
)
LABEL = re.compile(r"[a-z0-9éü-]+")
EXAMPLES = (
    "example.com",
    "www.example.com.",
    "my_host.local",
    "-start.org",
    "end-.org",
    "r3---sn.googlevideo.com",
    "a..b",
    "müller.de",
    "Müller.de",
    "Example.com",
    "a b.com",
    "127.0.0.1",
    "x",
    "ab--cd.de",
    "abc--d.de",
)


def is_bad(label: str) -> bool:
    """Return True if a label is refused."""
    encoded = label if label.isascii() else "xn--" + label.encode("punycode").decode()
    letters = LABEL.fullmatch(label.lower() if label.isascii() else label)
    return letters is None or "-" in (label[0], label[-1]) or label[2:4] == "--" or len(encoded) > 63


def fails(config: Point) -> bool:
    labels = config["host"].split(".")
    if len(labels) > 1 and not labels[-1]:
        del labels[-1]
    return any(map(is_bad, labels))


def points(rng: random.Random) -> list[Point]:
    hosts = texts(rng, EXAMPLES, "--..__ aB0éü/:", 1800)
    hosts += texts(rng, ("example.com", "www.a-b.de", "müller.de", "x", "10.0.0.1"), "abcB0é-.", 400)
    hosts += [f"{'a' * length}.com" for length in (61, 62, 63, 64, 65)]
    hosts += [f"www.{'a' * length}ü" for length in range(50, 62)]
    return [{"host": host, "strict": rng.random() < 0.5} for host in hosts]
