"""httpx 0.28 removed the argument proxies, which openai passed until 1.55.3."""

import random

from real.points import Point, grid

SOURCE = "httpx 0.28.0 changes: proxies removed; openai/openai-python issue 1902, fixed in 1.55.3"
PACKAGES: list[str] = []
OPENAI = ("1.30.5", "1.54.5", "1.55.2", "1.55.3", "1.57.0")
HTTPX = ("0.25.2", "0.26.0", "0.27.2", "0.28.0", "0.28.1")
VARIANTS = {
    **{f"openai=={version}": [f"openai=={version}", "pydantic==2.10.3", "anyio==4.7.0"] for version in OPENAI},
    **{f"httpx=={version}": [f"httpx=={version}", "anyio==4.7.0"] for version in HTTPX},
}
KIND = "pair"
CONDITION = "openai in {1.30.5, 1.54.5, 1.55.2} and httpx in {0.28.0, 0.28.1} and own_http_client = false"


def fails(config: Point) -> bool:
    return config["openai"] in OPENAI[:3] and config["httpx"] in HTTPX[3:] and not config["own_http_client"]


def points(rng: random.Random) -> list[Point]:
    clients = ("OpenAI", "AsyncOpenAI", "AzureOpenAI")
    return grid(openai=OPENAI, httpx=HTTPX, client=clients, own_http_client=(False, True))
