"""requests 2.32.0 does not ask adapters for connections; 2.32.2 asks them by a new method, which docker 7.1.0 has."""

import random

from real.points import Point, grid

SOURCE = "https://github.com/docker/docker-py/issues/3256; requests 2.32.2 changes: get_connection_with_tls_context"
PACKAGES: list[str] = []
DOCKER = ("5.0.3", "6.1.3", "7.0.0", "7.1.0")
REQUESTS = ("2.28.2", "2.31.0", "2.32.0", "2.32.2", "2.32.3")
VARIANTS = {
    **{f"docker=={version}": [f"docker=={version}"] for version in DOCKER},
    **{f"requests=={version}": [f"requests=={version}", "urllib3==1.26.18"] for version in REQUESTS},
}
KIND = "pair"
CONDITION = "connection = unix, and requests = 2.32.0, or requests in {2.32.2, 2.32.3} and docker is not 7.1.0"


def fails(config: Point) -> bool:
    if config["connection"] != "unix" or config["requests"] in REQUESTS[:2]:
        return False
    return config["requests"] == "2.32.0" or config["docker"] != "7.1.0"


def points(rng: random.Random) -> list[Point]:
    return grid(docker=DOCKER, requests=REQUESTS, connection=("unix", "tcp"), api=("1.41", "1.44"))
