import pytest

from rootward import InputError
from rootward.subjects import bytes_of


@pytest.mark.parametrize(
    ("size", "expected"),
    [("512M", 512 << 20), ("2G", 2 << 30), ("1.5 GiB", 3 << 29), ("4096", 4096), (4096, 4096), ("1k", 1024), ("7B", 7)],
)
def test_amounts_of_memory(size, expected):
    assert bytes_of(size) == expected


@pytest.mark.parametrize("size", ["", "M", "-1", "0", "2X", "1,5G", -3])
def test_what_is_no_amount(size):
    with pytest.raises(InputError, match="an amount of memory such as 512M"):
        bytes_of(size)
