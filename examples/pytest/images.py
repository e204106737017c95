"""A small image library with two bugs."""

BOX = 128


def thumbnail(width: int, height: int) -> tuple[int, int]:
    """Return the size of the picture when it is shrunk to fit into a square of 128 pixels."""
    largest = max(width, height, BOX)
    return width * BOX // largest, height * BOX // largest


def save(form: str, colours: str, quality: int) -> bytes:
    """Return a picture in this format; quality 100 means lossless."""
    table = {"jpeg": [16, 11, 10], "webp": [8, 6, 5], "png": [1]}[form]
    if colours == "CMYK" and form != "png":
        table = [step - quality // 10 for step in table]
    return bytes(table)
