"""The persistent worker for cases in Python: runs ``run`` of a fail.py once for each line of input.

A line is ``{"case": FOLDER, "variants": {NAME: FOLDER}, "config": {...}}``. ``fail.py`` finds the variants, the
environments of a case that compares several, as JSON in the environment variable VARIANTS. The answer is a line:
``{"fails": the type of the exception, or null, "detail": its message}``. A case's own output goes to standard error.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from typing import Any


def load(folder: str) -> Any:
    """Import the fail.py of a case under a name of its own."""
    spec = importlib.util.spec_from_file_location(f"fail_{len(loaded)}", os.path.join(folder, "fail.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.run


loaded: dict[str, Any] = {}


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Run a case, and judge it as a command would be judged: by an uncaught exception or an exit code."""
    folder = request["case"]
    if folder not in loaded:
        os.environ["VARIANTS"] = json.dumps(request["variants"])
        loaded[folder] = load(folder)
    try:
        loaded[folder](request["config"])
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else int(error.code is not None)
        return {"fails": f"exit code {code}" if code else None, "detail": str(error.code)}
    except BaseException as error:
        return {"fails": type(error).__name__, "detail": str(error)[:300]}
    return {"fails": None, "detail": ""}


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    for line in sys.stdin.buffer:
        answers.write(json.dumps(answer(json.loads(line))) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
