"""Parse with two parsers that disagree."""

import logging
import sys

import cssutils
import tinycss2

cssutils.log.setLevel(logging.CRITICAL)


def judge(path: str) -> int:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    rules = cssutils.parseString(text, validate=False).cssRules
    ours = [one.name for rule in rules if rule.type == rule.STYLE_RULE for one in rule.style.getProperties(all=True)]
    theirs = [one.lower_name for rule in styles(text) for one in declarations(rule)]
    return int(ours != theirs and bool(theirs))


def styles(text: str) -> list:
    return [rule for rule in tinycss2.parse_stylesheet(text) if rule.type == "qualified-rule"]


def declarations(rule) -> list:
    return [one for one in tinycss2.parse_declaration_list(rule.content) if one.type == "declaration"]


if __name__ == "__main__":
    sys.exit(judge(sys.argv[1]))
