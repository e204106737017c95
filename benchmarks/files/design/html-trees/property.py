"""Parse with two parsers that disagree, also about more than the elements that HTML implies."""

import sys

import html5lib
import lxml.html
from lxml.etree import LxmlError

IMPLIED = {"html", "head", "body", "tbody", "colgroup"}


def judge(path: str) -> int:
    with open(path, "rb") as file:
        content = file.read()
    try:
        ours = names(lxml.html.document_fromstring(content.decode()))
    except (LxmlError, ValueError):
        return 0
    theirs = names(html5lib.parse(content, transport_encoding="utf-8"))
    return int(ours != theirs)


def names(tree) -> list[str]:
    found = [element.tag.rpartition("}")[2] for element in tree.iter() if isinstance(element.tag, str)]
    return [name for name in found if name not in IMPLIED]


if __name__ == "__main__":
    sys.exit(judge(sys.argv[1]))
