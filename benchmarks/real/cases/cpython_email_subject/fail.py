"""Write an e-mail with a header."""

import json
import sys
from email.message import EmailMessage
from email.policy import SMTP, SMTPUTF8


def run(config: dict) -> None:
    message = EmailMessage(policy=SMTPUTF8 if config["utf8"] else SMTP)
    message[config["header"]] = config["text"]
    message.as_bytes()


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
