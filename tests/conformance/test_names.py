"""Names that a reader can trust: modules are things, functions do something, constants say what they limit, and no
word names two classes."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import rootward

SOURCE = Path(rootward.__file__).parent
TREES = {path.relative_to(SOURCE): ast.parse(path.read_text()) for path in sorted(SOURCE.rglob("*.py"))}
PARTICIPLE = re.compile(
    r"_?([a-z]+ed|told|found|made|kept|known|seen|said|given|taken|written|shown|drawn|grown|left|lost|meant|spent|sent"
    r"|held|built|brought|chosen|driven|broken|gone|done|begun|led|spoken|heard|thought|undone|unseen)"
)
VERBS = {"embed", "feed", "need", "proceed", "seed", "exceed"}
API = {"repaired", "undefined"}
"""Names that users write: `BadRows.repaired()`, and a function in exported rules."""
NO_NOUN = re.compile(
    "again|beside|between|elsewhere|halfway|whole|alone|apart|fresh|flaky|simple|steady|strange|certain|possible|unknown"
    "|regular|exceptional|numeric|past|parallel|adaptive|opportunistic"
)
QUANTITY = re.compile(
    "_?(most|least|many|few|more|less|several|some|all|any|enough|long|short|wide|far|near|large|small|tiny|deep|often"
    "|seldom|(long|short|wid|larg|small|deep|farth)est|shown|listed|kept|told|said|seen|drawn)",
    re.IGNORECASE,
)
ASKING = ("What", "Whether", "How", "Of", "Where", "Who", "Whom", "Whose", "Which", "Why", "When", "So")


def _docstrings() -> Iterator[tuple[str, str]]:
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{path}:{getattr(node, 'lineno', 1)}", ast.get_docstring(node) or ""
                for one, other in pairwise(node.body):  # a text below a constant or an attribute
                    if isinstance(one, ast.Assign | ast.AnnAssign) and isinstance(other, ast.Expr):
                        yield f"{path}:{other.lineno}", str(getattr(other.value, "value", ""))


def _is_value(node: ast.FunctionDef) -> bool:
    """A property is read like an attribute, so it is named like one."""
    return any("property" in ast.unparse(decorator) for decorator in node.decorator_list)


def _holds_text(node: ast.Assign | ast.AnnAssign) -> bool:
    parts = ast.walk(node.value) if node.value is not None else ()
    return any(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in parts)


def test_modules_are_named_after_things() -> None:
    names = {part for path in TREES for part in path.with_suffix("").parts if not part.startswith("__")}
    assert not {name for name in names if NO_NOUN.fullmatch(name) or PARTICIPLE.fullmatch(name)}


def test_no_two_classes_have_one_name() -> None:
    homes = defaultdict(list)
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(str(path))
    assert not {name: found for name, found in homes.items() if len(found) > 1}


def test_functions_are_not_named_by_participles() -> None:
    names = {
        f"{path}:{node.lineno} {node.name}"
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        if PARTICIPLE.fullmatch(node.name) and node.name.strip("_") not in VERBS | API and not _is_value(node)
    }
    assert not names


def test_constants_say_what_they_limit() -> None:
    names = {
        f"{path}:{name.lineno} {name.id}"
        for path, tree in TREES.items()
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and not _holds_text(node)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        for name in ast.walk(target)
        if isinstance(name, ast.Name) and name.id.isupper() and QUANTITY.fullmatch(name.id)
    }
    assert not names


def test_docstrings_say_what_a_thing_is_or_does() -> None:
    asking = re.compile(rf"({'|'.join(ASKING)})\b.*")
    assert not [f"{place} {asked[0]}" for place, text in _docstrings() if (asked := asking.match(text))]
