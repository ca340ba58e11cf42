"""The file of the settings is written beside the window."""
import configparser
import gc
import subprocess
import sys
import threading

import pytest
from PyQt6.QtCore import QSettings

from app import settings_file
from app.settings_file import SettingsFile


def stored(path) -> dict:
    """What is on disk; nothing where there is no file."""
    found = configparser.ConfigParser(interpolation=None)
    found.read(path)
    return {f"{section}/{name}": value for section in found.sections() for name, value in found[section].items()}


class SlowDisk(QSettings):
    """Has something on disk each time that `ready` is released."""

    ready: threading.Semaphore
    asked: threading.Event      # somebody waits for it

    def sync(self) -> None:
        self.asked.set()
        self.ready.acquire(timeout=20)
        super().sync()


@pytest.fixture
def slow_disk(monkeypatch):
    SlowDisk.ready, SlowDisk.asked = threading.Semaphore(0), threading.Event()
    monkeypatch.setattr(settings_file, "QSettings", SlowDisk)
    yield SlowDisk.ready
    SlowDisk.ready.release(100)


def test_nobody_waits_for_the_disk_but_who_asks_to(tmp_path, slow_disk):
    file = SettingsFile(str(tmp_path / "s.ini"))
    file.set("view/font_scale", 120)
    file.set("view/theme", "light")
    assert file.value("view/font_scale") == 120 and file.contains("view/theme") and not stored(tmp_path / "s.ini")
    saved = threading.Thread(target=file.save)
    saved.start()
    saved.join(0.1)
    assert saved.is_alive()
    slow_disk.release(100)
    saved.join(20)
    assert stored(tmp_path / "s.ini") == {"view/font_scale": "120", "view/theme": "light"} and file.value("view/theme") == "light"


def test_what_is_removed_is_gone_here_at_once_and_in_the_file(tmp_path):
    (tmp_path / "s.ini").write_text("[view]\ntheme=light\nlook=physical\n")
    file = SettingsFile(str(tmp_path / "s.ini"))
    file.remove("view/theme")
    file.remove("no/such")
    assert not file.contains("view/theme")
    with pytest.raises(KeyError):
        file.value("view/theme")
    file.save()
    assert stored(tmp_path / "s.ini") == {"view/look": "physical"} and not file.contains("view/theme")


def test_what_another_program_has_written_meanwhile_stays_and_is_seen(tmp_path):
    path = tmp_path / "s.ini"
    file = SettingsFile(str(path))
    file.set("a/b", "mine")
    file.save()
    path.write_text(path.read_text() + "c=theirs\n")
    file.set("a/d", "more")
    file.save()
    assert stored(path) == {"a/b": "mine", "a/c": "theirs", "a/d": "more"}
    assert file.value("a/c") == "theirs" and file.value("a/b") == "mine"


def test_a_newer_value_is_not_taken_back_by_what_was_written_before_it(tmp_path, slow_disk, qtbot):
    file = SettingsFile(str(tmp_path / "s.ini"))
    file.set("a/b", "old")
    qtbot.waitUntil(SlowDisk.asked.is_set)      # the thread asks the disk
    file.set("a/b", "new")
    slow_disk.release()
    qtbot.waitUntil(lambda: file._written[0] == 1)
    assert stored(tmp_path / "s.ini") == {"a/b": "old"} and file.value("a/b") == "new"
    slow_disk.release(100)
    file.save()
    assert file.value("a/b") == "new" and stored(tmp_path / "s.ini") == {"a/b": "new"}


PROGRAM = """
import sys
from app.settings_file import SettingsFile
SettingsFile(sys.argv[1]).set("a/b", "kept")
"""


def test_a_program_that_ends_has_written_everything(tmp_path):
    subprocess.run([sys.executable, "-c", PROGRAM, str(tmp_path / "s.ini")], check=True)
    assert stored(tmp_path / "s.ini") == {"a/b": "kept"}


def test_everything_is_written_when_the_last_user_is_gone(tmp_path):
    before = set(threading.enumerate())     # a test that failed keeps its window, and with it such a thread
    file = SettingsFile(str(tmp_path / "s.ini"))
    file.set("a/b", "kept")
    threads = [thread for thread in threading.enumerate() if thread.name.startswith("settings") and thread not in before]
    del file
    gc.collect()
    for thread in threads:
        thread.join(20)
    assert threads and not any(thread.is_alive() for thread in threads) and stored(tmp_path / "s.ini") == {"a/b": "kept"}
