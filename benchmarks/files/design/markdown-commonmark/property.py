"""Render with two implementations of the same specification."""

import sys

import commonmark
import html5lib
from markdown_it import MarkdownIt


def judge(path: str) -> int:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return int(shown(commonmark.commonmark(text)) != shown(MarkdownIt("commonmark").render(text)))


def shown(page: str) -> str:
    return " ".join("".join(html5lib.parseFragment(page).itertext()).split())


if __name__ == "__main__":
    sys.exit(judge(sys.argv[1]))
