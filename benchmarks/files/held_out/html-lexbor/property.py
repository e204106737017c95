"""Parse with two parsers that disagree, also about more than the elements that HTML implies."""

import sys

from bs4 import BeautifulSoup
from selectolax.lexbor import LexborHTMLParser

IMPLIED = {"html", "head", "body", "tbody", "colgroup"}


def judge(path: str) -> int:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    ours = [tag.name for tag in BeautifulSoup(text, "html.parser").find_all(True)]
    theirs = [node.tag for node in LexborHTMLParser(text).css("*")]
    return int(explicit(ours) != explicit(theirs))


def explicit(names: list[str]) -> list[str]:
    return [name for name in names if name not in IMPLIED]


if __name__ == "__main__":
    sys.exit(judge(sys.argv[1]))
