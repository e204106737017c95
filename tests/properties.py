"""How many examples a property tries.

`./dev test` tries a few, the same ones on every machine, so that it is quick and never fails by chance. With `--rest`
a property tries as many as it asks for; other ones each time, but for those that ask not to (`derandomize`), many of
which judge a heuristic that may miss now and then, and in CI, where a failure has to be somebody's doing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

WHOLE = 100
"""How many examples a property tries that does not say."""


def quick(whole: int) -> int:
    """Return how many examples are tried if time matters: a tenth, but of fewer than fifty a larger share, and two if
    there are so many: the first one is the simplest, in which nothing happens."""
    return max(whole // 10, min(whole // 5, 5), min(whole, 2))


# A busy machine is no mistake.
ALWAYS: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}

settings.register_profile("quick", derandomize=True, database=None, max_examples=quick(WHOLE), **ALWAYS)
settings.register_profile("whole", derandomize="CI" in os.environ, max_examples=WHOLE, **ALWAYS)


def thorough() -> bool:
    """Return whether this is the rest, where time matters less. Tests that try harder then are marked `both`."""
    return not settings.get_current_profile_name().startswith("quick")  # "quick-with-verbose-verbosity" is one, too


def examples(whole: int, *, suppress_health_check: Iterable[HealthCheck] = (), **options: Any) -> settings:
    """Return the settings of a property that is to try this many examples, or its share of them if time matters."""
    number = whole if thorough() else quick(whole)
    return settings(
        max_examples=number, suppress_health_check={HealthCheck.too_slow, *suppress_health_check}, **options
    )


def is_property(item: pytest.Item) -> bool:
    return is_hypothesis_test(getattr(item, "function", None))


def few(count: int, values: Iterable[Any]) -> list[Any]:
    """Return the values of a parameter, of which `./dev test` tries only the first ones and leaves the others out."""
    return [pytest.param(value, marks=() if n < count else pytest.mark.rest) for n, value in enumerate(values)]
