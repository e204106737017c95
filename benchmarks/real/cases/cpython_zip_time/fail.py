"""Store a file in a ZIP archive and read its time again."""

import io
import json
import sys
import zipfile


class Changed(Exception):
    """Another time came back."""


def run(config: dict) -> None:
    time = tuple(config[name] for name in ("year", "month", "day", "hour", "minute", "second"))
    method = zipfile.ZIP_DEFLATED if config["compress"] else zipfile.ZIP_STORED
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.writestr(zipfile.ZipInfo("a.txt", time), "text")
    with zipfile.ZipFile(file) as archive:
        again = archive.getinfo("a.txt").date_time
    if again != time:
        raise Changed(f"{time} became {again}")


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
