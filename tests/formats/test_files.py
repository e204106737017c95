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


def test_a_link_stays_and_its_file_is_replaced(tmp_path):
    (tmp_path / "there").mkdir()
    old, link = tmp_path / "there" / "old.txt", tmp_path / "link.txt"
    for target in (old, tmp_path / "there" / "new.txt"):  # one that exists, and one that does not yet
        link.unlink(missing_ok=True)
        link.symlink_to(target)
        with replace_file(check_target(link)) as file:
            file.write(b"written")
        assert link.is_symlink()
        assert target.read_bytes() == b"written"
    assert sorted(os.listdir(tmp_path / "there")) == ["new.txt", "old.txt"]


def test_a_link_that_leads_nowhere_is_refused_before_the_first_trial(tmp_path):
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    (tmp_path / "lost").symlink_to(tmp_path / "none" / "it.txt")
    (tmp_path / "device").symlink_to("/dev/null")
    for name, reason in [
        ("circle", "its links lead in a circle"),
        ("lost", "there is no folder .*none"),
        ("device", "it exists and is not a regular file"),
        ("a\0b", "null"),
    ]:
        with pytest.raises(InputError, match=reason):
            check_target(tmp_path / name)


def test_a_target_is_checked_before_it_is_needed(tmp_path):
    assert check_target(tmp_path / "new.txt") == tmp_path / "new.txt"
    with pytest.raises(InputError, match="it exists and is not a regular file"):
        check_target(tmp_path)
    with pytest.raises(InputError, match="there is no folder"):
        check_target(tmp_path / "none" / "new.txt")
