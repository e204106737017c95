"""Format a module, which must not change its syntax tree."""

import ast
import sys

import autopep8


def judge(path: str) -> int:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        before = ast.dump(ast.parse(text))
    except (SyntaxError, ValueError):
        return 0
    try:
        after = ast.dump(ast.parse(autopep8.fix_code(text)))
    except SyntaxError:
        return 1
    return int(before != after)


if __name__ == "__main__":
    sys.exit(judge(sys.argv[1]))
