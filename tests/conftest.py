"""What holds for all tests."""

import pytest
from hypothesis import settings

settings.register_profile("rootward", deadline=None)  # a busy machine is no mistake
settings.load_profile("rootward")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long comes first: else, of several workers, one would be left with it at the end."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
