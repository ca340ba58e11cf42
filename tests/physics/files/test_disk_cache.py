"""Files of a cache: whole or absent, the oldest go first, what others may write is not believed."""
import os
import time

import pytest

from physics.files import disk_cache
from physics.files.private_folder import make_private, refuse_shared

posix = pytest.mark.skipif(os.name != "posix", reason="owner and mode are POSIX's")


def test_what_was_saved_comes_back(tmp_path):
    path = str(tmp_path / "a")
    for pieces in ((b"abc", bytes(5), b"d"), (b"another",)):
        disk_cache.save(path, *pieces)
        assert disk_cache.load(path).tobytes() == b"".join(pieces)
    assert [p.name for p in tmp_path.iterdir()] == ["a"]
    assert disk_cache.load(str(tmp_path / "b")) is None


@pytest.mark.parametrize("damage", [lambda raw: raw[:-1], lambda raw: b"", lambda raw: raw[:5], lambda raw: raw + b"x", lambda raw: raw[:9] + b"x" + raw[10:]])
def test_damaged_files_count_as_absent(tmp_path, damage):
    disk_cache.save(str(tmp_path / "a"), b"some bytes")
    (tmp_path / "a").write_bytes(damage((tmp_path / "a").read_bytes()))
    assert disk_cache.load(str(tmp_path / "a")) is None


def test_a_file_under_another_name_counts_as_absent(tmp_path):
    disk_cache.save(str(tmp_path / "a"), b"some bytes")
    (tmp_path / "a").rename(tmp_path / "b")
    assert disk_cache.load(str(tmp_path / "b")) is None
    disk_cache.save(str(tmp_path / "b"), b"others")   # in place of what is there
    assert disk_cache.load(str(tmp_path / "b")).tobytes() == b"others"


def test_only_the_caches_own_files_go_and_those_of_long_ago_first(tmp_path):
    for name, age in (("a.object", 10.0), ("b.object", 500.0), ("letter", 500.0)):
        (tmp_path / name).write_bytes(b"x")
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    disk_cache.prune(str(tmp_path), longest=100.0, counts=lambda name: name.endswith(".object"))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.object", "letter"]


def test_old_files_make_room(tmp_path):
    for age in range(6):
        (tmp_path / str(age)).write_bytes(bytes(1000))
        os.utime(tmp_path / str(age), (1e9 - age, 1e9 - age))
    disk_cache.prune(str(tmp_path), most_bytes=3500)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["0", "1", "2"]
    disk_cache.prune(str(tmp_path), most_files=2)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["0", "1"]


@posix
def test_what_others_may_write_is_refused(tmp_path):
    folder = tmp_path / "cache"
    assert refuse_shared(folder) == ""   # nothing there
    make_private(folder)
    assert refuse_shared(folder) == "" and folder.stat().st_mode & 0o077 == 0
    folder.chmod(0o777)
    assert "every user may write" in refuse_shared(folder) and str(folder) in refuse_shared(folder)
    folder.chmod(0o700)
    disk_cache.save(str(folder / "a"), b"mine")
    (folder / "a").chmod(0o646)
    assert disk_cache.load(str(folder / "a")) is None


@posix
def test_folders_and_links_of_other_users_are_refused(tmp_path, monkeypatch):
    folder, link = tmp_path / "cache", tmp_path / "link"
    make_private(folder)
    link.symlink_to(folder)
    assert refuse_shared(link) == ""
    mine = os.geteuid()
    if mine == 0:
        os.chown(folder, 12345, -1)
        assert "belongs to user 12345" in refuse_shared(folder) and refuse_shared(link)
        os.chown(folder, 0, -1)
        os.chown(link, 12345, -1, follow_symlinks=False)
        assert "belongs to user 12345" in refuse_shared(link)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: mine + 1)
        assert f"belongs to user {mine}" in refuse_shared(folder)


@posix
def test_a_group_of_others_is_refused(tmp_path, monkeypatch):
    from physics.files import private_folder

    folder = tmp_path / "cache"
    make_private(folder)
    folder.chmod(0o770)
    monkeypatch.setattr(private_folder, "_is_own_group", lambda group: False)
    assert "group" in refuse_shared(folder)
    monkeypatch.setattr(private_folder, "_is_own_group", lambda group: True)
    assert refuse_shared(folder) == ""
