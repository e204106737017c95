"""Move the pixels of an image, such as a panorama."""

import json
import sys

import cv2
import numpy

FLAGS = {"nearest": cv2.INTER_NEAREST, "linear": cv2.INTER_LINEAR, "cubic": cv2.INTER_CUBIC}


def run(config: dict) -> None:
    image = numpy.zeros((config["source_height"], config["source_width"]), numpy.uint8)
    places = numpy.zeros((config["height"], config["width"]), numpy.float32)
    cv2.remap(image, places, places, FLAGS[config["interpolation"]])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
