"""Texts for the ``points`` of a case: the examples of a user, and texts that differ from them in few characters."""

from __future__ import annotations

import random
from collections.abc import Sequence


def texts(
    rng: random.Random, examples: Sequence[str], characters: str, count: int = 400, max_length: int = 12
) -> list[str]:
    """Return the examples, the characters alone and in front of, inside and behind an example, and random texts."""
    found = ["", *examples, *characters]
    for _ in range(count):
        text, character = rng.choice(examples), rng.choice(characters)
        place = rng.choice((0, len(text), rng.randint(0, len(text))))
        found.append(text[:place] + character + text[place:])
        found.append(text[:place] + text[place + 1 :])
        length = rng.randint(0, max_length)
        found.append("".join(rng.choice(rng.choice((characters, "".join(examples)))) for _ in range(length)))
    return list(dict.fromkeys(found))
