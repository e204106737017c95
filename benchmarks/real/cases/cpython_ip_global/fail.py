"""Compare is_global of an address with IANA's registry of special addresses."""

import ipaddress
import json
import sys

SPECIAL = """0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4"""
NOT_GLOBAL = [ipaddress.ip_network(text) for text in SPECIAL.split()]
GLOBAL = [ipaddress.ip_address("192.0.0.9"), ipaddress.ip_address("192.0.0.10")]


class NotGlobal(Exception):
    """The address is called global, but is not."""


def run(config: dict) -> None:
    address = ipaddress.ip_address("{a}.{b}.{c}.{d}".format(**config))
    special = address not in GLOBAL and any(address in network for network in NOT_GLOBAL)
    if special and address.is_global:
        raise NotGlobal(address)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
