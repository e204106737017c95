"""Read a network from a configuration."""

import ipaddress
import json
import sys


def run(config: dict) -> None:
    address = ".".join(str(config[name]) for name in ("first", "second", "third", "fourth"))
    ipaddress.ip_network(f"{address}/{config['prefix']}")


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
