"""A pipe, a device, a folder or an enormous file in the place of a text is told at once; it is neither waited for nor read."""
import os
import threading
from pathlib import Path

import pytest

from editor.document import LARGEST_TEXT, DiskChange, Document
from editor.source.difference import difference
from physics.files.read_regular import read_regular

XML = "<mujoco/>\n"
FIFO = pytest.param("fifo", marks=pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here"))


def put(path: Path, what: str) -> None:
    """Put something in a file's place."""
    path.unlink(missing_ok=True)
    if what == "fifo":
        os.mkfifo(path)
    elif what == "device":
        path.symlink_to("/dev/zero")
    elif what == "folder":
        path.mkdir()
    else:
        with path.open("wb") as file:
            file.truncate(5 << 30)      # 5 GB that the disk does not hold


def at_once(work):
    """work() in a thread, which must not wait; its result."""
    done = []
    thread = threading.Thread(target=lambda: done.append(work()), daemon=True)
    thread.start()
    thread.join(20)
    assert done, "it waits"
    return done[0]


@pytest.mark.parametrize("what", [FIFO, "device", "folder", "large"])
def test_the_open_file_keeps_its_text(tmp_path, what):
    path = tmp_path / "m.xml"
    path.write_text(XML)
    document = Document.open(path)
    file = document.main
    put(path, what)
    assert at_once(lambda: document.look_at_disk(document.main_key)[0]) is DiskChange.UNREADABLE and file.text == XML and file.problem
    at_once(lambda: (file.keep(), file.changed_on_disk()))
    assert file.text == XML and file.modified     # nothing of it is on disk
    told = at_once(lambda: difference(path, XML))
    assert "cannot be read" in told


@pytest.mark.parametrize("what", [FIFO, "device", "folder", "large"])
def test_nothing_of_the_kind_is_opened_or_included(tmp_path, what):
    put(tmp_path / "m.xml", what)

    def opened() -> str:
        try:
            Document.open(tmp_path / "m.xml")
        except OSError as error:
            return str(error.strerror or error)
        return ""

    assert at_once(opened)
    document = Document.new()
    included = at_once(lambda: document.include(str(tmp_path / "m.xml")))
    assert included.text == ""


def test_a_file_is_read_whole_up_to_the_limit(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"x" * 1000)
    assert read_regular(path, 1000) == b"x" * 1000
    with pytest.raises(OSError, match="larger than"):
        read_regular(path, 999)
    with pytest.raises(FileNotFoundError):
        read_regular(tmp_path / "none", 10)
    assert LARGEST_TEXT >= 1 << 20
