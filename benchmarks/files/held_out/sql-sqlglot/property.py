"""Read and write statements, which must not change what PostgreSQL's own parser says of them."""

import logging
import sys

import pglast
import sqlglot

logging.disable()


def judge(path: str) -> int:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        statements = pglast.split(text)
    except pglast.Error:
        return 0
    return int(any(is_changed(statement) for statement in statements))


def is_changed(statement: str) -> bool:
    try:
        [written] = sqlglot.transpile(statement, read="postgres", write="postgres")
    except (sqlglot.errors.SqlglotError, ValueError):
        return False
    try:
        return pglast.fingerprint(written) != pglast.fingerprint(statement)
    except pglast.Error:
        return True


if __name__ == "__main__":
    sys.exit(judge(sys.argv[1]))
