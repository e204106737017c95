"""A file is replaced whole or not at all."""

import os
import stat

import pytest

from rootward import InputError
from rootward.formats.files import check_target, replace_file


def test_the_old_version_stays_until_the_new_one_is_whole(tmp_path):
    path = tmp_path / "a b.txt"
    path.write_bytes(b"old")
    with replace_file(path) as file:
        file.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["a b.txt"]


def test_the_old_version_survives_an_error(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    with pytest.raises(ZeroDivisionError), replace_file(path) as file:
        file.write(b"ne%d" % (1 // 0))
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_it_has_the_permissions_of_any_new_file(tmp_path):
    (tmp_path / "plain").touch()
    with replace_file(tmp_path / "replaced"):
        pass
    modes = {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert len(modes) == 1


def test_a_target_is_checked_before_it_is_needed(tmp_path):
    assert check_target(tmp_path / "new.txt") == tmp_path / "new.txt"
    with pytest.raises(InputError, match="it exists and is not a regular file"):
        check_target(tmp_path)
    with pytest.raises(InputError, match="there is no folder"):
        check_target(tmp_path / "none" / "new.txt")
