"""Encrypt a message with a public key."""

import json
import sys

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa


def run(config: dict) -> None:
    modulus = 2 ** config["key_bits"] - 12345  # stands for a key that was read from a file
    key = rsa.RSAPublicNumbers(65537, modulus).public_key()
    algorithm = getattr(hashes, config["hash"])()
    label = None if config["label"] == "none" else config["label"].encode()
    key.encrypt(bytes(config["length"]), padding.OAEP(padding.MGF1(algorithm), algorithm, label))


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
