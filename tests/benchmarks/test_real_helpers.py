"""The helpers of the cases of real failures: texts, counted work, and programs with chosen packages."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from real.steps import TooSlow, limit_calls
from real.texts import texts
from real.versions import folders, run_program


def test_texts_hold_the_examples_and_their_neighbours() -> None:
    found = texts(random.Random(0), ["abc", "x"], "[]", 300)
    assert {"", "abc", "x", "[", "]", "[abc", "abc]", "a[bc", "bc"} <= set(found)
    assert len(found) == len(set(found))


def test_work_is_limited_by_its_calls() -> None:
    def work() -> int:
        return sum(len("a") for _ in range(10))

    assert limit_calls(work, 1000) == 10
    with pytest.raises(TooSlow):
        limit_calls(work, 9)
    assert work() == 10


def test_a_program_sees_the_first_of_two_versions_and_its_exception_is_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = []
    for version in ("2", "1"):
        (tmp_path / version).mkdir()
        (tmp_path / version / "package.py").write_text(f"VERSION = {version}\n")
        path.append(str(tmp_path / version))
    monkeypatch.setenv("VARIANTS", json.dumps({"package==2": path[0]}))
    assert folders() == {"package==2": path[0]}
    run_program("import package\nassert package.VERSION == 2", path)
    with pytest.raises(Exception, match="it is 1\nof 2") as caught:
        run_program("import package, sys\nraise OSError(f'it is {package.VERSION}\\nof {sys.argv[1]}')", path[1:], "2")
    assert caught.type.__name__ == "OSError"
    run_program("assert False", path, optimize=True)
