"""What a study file names in Python: ``package.module:name``."""

from __future__ import annotations

import importlib
import sys
from operator import attrgetter
from pathlib import Path
from typing import Any

from rootward.errors import InputError


def imported(target: str, folder: Path) -> Any:
    """``package.module:name``, looked for beside the study file first."""
    module, _, name = target.partition(":")
    if not module or not name:
        raise InputError(f'expected text such as "package.module:name", got {target!r}')
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    try:
        return attrgetter(name)(importlib.import_module(module))
    except ModuleNotFoundError as error:
        beside = f" (it is looked for in {folder} and where Python finds packages)"
        raise InputError(f"there is no module {error.name!r}{beside}") from error
    except AttributeError as error:
        raise InputError(f"{module} cannot give {name!r}: {error}") from error
    except Exception as error:
        raise InputError(f"importing {module} raises {type(error).__name__}: {error}") from error
