"""Rounding makes some parts a little smaller, and int() drops the fraction."""

import random

from real.points import Point, grid

SOURCE = "CPython, colorsys; CPython documentation, Floating Point Arithmetic: Issues and Limitations"
PACKAGES: list[str] = []
KIND = "no simple condition"
CONDITION = "a part of the colour, computed in doubles by the formulas of the model and times 255, is less than it was"


def hue_of(high: float, low: float, parts: list[float]) -> float:
    """Return the hue, from 0 to 1."""
    r, g, b = ((high - part) / (high - low) for part in parts)
    if parts[0] == high:
        hue = b - g
    elif parts[1] == high:
        hue = 2.0 + r - b
    else:
        hue = 4.0 + g - r
    return (hue / 6.0) % 1.0


def through_hls(parts: list[float]) -> list[float]:
    """Return a colour after a conversion to hue, lightness and saturation, and back."""
    high, low = max(parts), min(parts)
    total, spread = high + low, high - low
    light = total / 2.0
    if high == low:
        return [light] * 3
    saturation = spread / total if light <= 0.5 else spread / (2.0 - high - low)
    top = light * (1.0 + saturation) if light <= 0.5 else light + saturation - light * saturation
    bottom = 2.0 * light - top
    hue = hue_of(high, low, parts)
    found = []
    for place in (hue + 1.0 / 3.0, hue, hue - 1.0 / 3.0):
        turn = place % 1.0
        if turn < 1.0 / 6.0:
            found.append(bottom + (top - bottom) * turn * 6.0)
        elif turn < 0.5:
            found.append(top)
        elif turn < 2.0 / 3.0:
            found.append(bottom + (top - bottom) * (2.0 / 3.0 - turn) * 6.0)
        else:
            found.append(bottom)
    return found


def through_hsv(parts: list[float]) -> list[float]:
    """Return a colour after a conversion to hue, saturation and value, and back."""
    high, low = max(parts), min(parts)
    if high == low:
        return [high] * 3
    saturation, hue = (high - low) / high, hue_of(high, low, parts)
    sector = int(hue * 6.0)
    rest = hue * 6.0 - sector
    p, q = high * (1.0 - saturation), high * (1.0 - saturation * rest)
    t = high * (1.0 - saturation * (1.0 - rest))
    return [[high, t, p], [q, high, p], [p, high, t], [p, q, high], [t, p, high], [high, p, q]][sector % 6]


def fails(config: Point) -> bool:
    colour = [config["red"], config["green"], config["blue"]]
    through = through_hls if config["model"] == "hls" else through_hsv
    return [int(part * 255) for part in through([part / 255 for part in colour])] != colour


def points(rng: random.Random) -> list[Point]:
    steps = (0, 1, 30, 51, 85, 102, 127, 128, 144, 153, 192, 204, 254, 255)
    found = grid(red=steps, green=steps, blue=steps, model=("hls", "hsv"))
    for _ in range(14_000):
        red, green, blue = (rng.randint(0, 255) for _ in range(3))
        found.append({"red": red, "green": green, "blue": blue, "model": rng.choice(("hls", "hsv"))})
    return found
