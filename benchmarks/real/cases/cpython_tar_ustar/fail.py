"""Make the header of a file in a tar archive."""

import json
import sys
import tarfile

FORMATS = {"ustar": tarfile.USTAR_FORMAT, "gnu": tarfile.GNU_FORMAT, "pax": tarfile.PAX_FORMAT}


def run(config: dict) -> None:
    folder = "d" * config["folder_length"]
    member = tarfile.TarInfo(f"{folder}/{'f' * config['file_length']}" if folder else "f" * config["file_length"])
    member.uid, member.size = config["uid"], config["size"]
    member.tobuf(FORMATS[config["format"]])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
