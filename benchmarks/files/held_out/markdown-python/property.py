"""Render with two renderers that disagree."""

import sys

import html5lib
import markdown
from markdown_it import MarkdownIt


def judge(path: str) -> int:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return int(shown(markdown.markdown(text)) != shown(MarkdownIt("commonmark").render(text)))


def shown(page: str) -> str:
    return " ".join("".join(html5lib.parseFragment(page).itertext()).split())


if __name__ == "__main__":
    sys.exit(judge(sys.argv[1]))
