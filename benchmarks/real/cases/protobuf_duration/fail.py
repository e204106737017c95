"""Write a duration as JSON."""

import json
import sys

from google.protobuf.duration_pb2 import Duration
from google.protobuf.json_format import MessageToJson


def run(config: dict) -> None:
    duration = Duration(seconds=config["seconds"], nanos=config["nanos"])
    MessageToJson(duration, indent=config["indent"], ensure_ascii=config["ensure_ascii"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
