"""Check a token that was issued some seconds ago."""

import datetime
import json
import sys
from unittest import mock

import jwt

NOW = 1_700_000_000


class Clock(datetime.datetime):
    """A clock that stands still, so that a run can be repeated."""

    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> datetime.datetime:
        return datetime.datetime.fromtimestamp(NOW, tz)


def run(config: dict) -> None:
    key, issued = "k" * 64, NOW - config["age"]
    claims = {"sub": config["user"], "iat": issued, "exp": issued + config["lifetime"]}
    token = jwt.encode(claims, key, config["algorithm"])
    with mock.patch("jwt.api_jwt.datetime", Clock):
        jwt.decode(token, key, [config["algorithm"]], leeway=config["leeway"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
