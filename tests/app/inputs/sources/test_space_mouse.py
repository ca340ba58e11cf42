import socket
import struct
import threading

import pytest

from app.inputs.source import SourceMissing
from app.inputs.sources import space_mouse
from app.inputs.sources.space_mouse import SpaceMouse, is_space_mouse
from app.inputs.sources.space_mouse_reports import EVENT, DaemonEvents, UsbReports
from app.inputs.table import TWIST
from tests.app.inputs.sources.collected import running, wait_until

MOUSE = {"vendor_id": 0x256F, "product_id": 0xC635, "usage_page": 1, "usage": 8, "path": b"/dev/hidraw1", "product_string": "SpaceMouse Compact"}
# full along or about one axis of the mouse (right, back, down) -> the one of ours
USB = {0: ("y", -1), 1: ("x", -1), 2: ("z", -1), 3: ("ry", -1), 4: ("rx", -1), 5: ("rz", -1)}
DAEMON = {0: ("y", -1), 1: ("z", 1), 2: ("x", 1), 3: ("ry", -1), 4: ("rz", 1), 5: ("rx", 1)}     # right, up, forward


def only(axis: str, value: float) -> dict:
    return {name: value if name == axis else 0.0 for name in TWIST}


@pytest.mark.parametrize("i", range(6))
def test_each_axis_of_a_mouse(i):
    counts = [0] * 6
    counts[i] = 175
    axis, sign = USB[i]
    new, old = UsbReports(), UsbReports()
    assert new.take(struct.pack("<B6h", 1, *counts)) and new.axes == only(axis, sign * 0.5)
    assert old.take(struct.pack("<B3h", 1, *counts[:3])) and old.take(struct.pack("<B3h", 2, *counts[3:])) and old.axes == new.axes
    daemon = DaemonEvents()
    axis, sign = DAEMON[i]
    assert daemon.take(EVENT.pack(0, *counts, 16)) and daemon.axes == only(axis, sign * 0.5)


def test_more_than_full_is_full():
    reports = UsbReports()
    reports.take(struct.pack("<B6h", 1, 0, -500, 0, 0, 0, 0))
    assert reports.axes["x"] == 1.0


def test_buttons():
    reports = UsbReports()
    assert reports.take(bytes((3, 0b101, 0b1))) and reports.buttons == {"button0", "button2", "button8"}
    assert reports.take(bytes((3, 0, 0))) and reports.buttons == frozenset()
    daemon = DaemonEvents()
    daemon.take(EVENT.pack(1, 3, *[0] * 6))
    assert daemon.buttons == {"button3"} and daemon.take(EVENT.pack(2, 3, *[0] * 6)) and not daemon.buttons


@pytest.mark.parametrize("report", [b"", b"\x01", b"\x01\x00\x00", b"\x02\x01\x02\x03\x04\x05", b"\x03", b"\x17" + b"\xff" * 20])
def test_what_is_cut_short_or_unknown_says_nothing(report):
    reports = UsbReports()
    assert not reports.take(report) and reports.axes == only("x", 0.0)


def test_which_devices_are_6_axis_mice():
    assert is_space_mouse(MOUSE) and is_space_mouse({**MOUSE, "usage_page": 0, "usage": 0})
    assert not is_space_mouse({**MOUSE, "usage": 6}), "the keyboard of the same device"
    assert is_space_mouse({**MOUSE, "vendor_id": 0x046D, "product_id": 0xC626}) and not is_space_mouse({**MOUSE, "vendor_id": 0x046D, "product_id": 0xC52B})


class FakeHid:
    """Stands for the module hid. refuse: paths that cannot be opened."""

    def __init__(self, *found: dict, refuse=()):
        self.found, self.refuse, self.opened = list(found), refuse, []
        self.reports: list = []
        self.unplugged = threading.Event()

    def enumerate(self):
        return self.found

    def device(self):
        return FakeMouse(self)


class FakeMouse:
    def __init__(self, hid: FakeHid):
        self._hid, self._wait = hid, threading.Event()

    def open_path(self, path: bytes) -> None:
        if path in self._hid.refuse:
            raise OSError("open failed")
        self._hid.opened.append(path)

    def read(self, _length: int, timeout_ms: int):
        if self._hid.unplugged.is_set():
            raise OSError("read error")
        if self._hid.reports:
            return list(self._hid.reports.pop(0))
        self._wait.wait(timeout_ms / 1e4)
        return []

    def close(self) -> None:
        self._hid.opened.append(None)


def test_one_device_that_cannot_be_opened_does_not_end_the_search():
    hid = FakeHid({**MOUSE, "path": b"/dev/hidraw0", "product_string": "Receiver"}, MOUSE, refuse={b"/dev/hidraw0"})
    mouse = SpaceMouse(hid=hid, sockets=())
    with running(mouse) as got:
        got.until(lambda s: s.tracked)
        assert mouse.state == "ready: SpaceMouse Compact" and hid.opened == [b"/dev/hidraw1"]
        hid.reports.append(struct.pack("<B6h", 1, 0, -350, 0, 0, 0, 0))
        got.until(lambda s: s.axes.get("x") == 1.0)
        hid.reports.append(bytes((3, 1)))
        assert got.until(lambda s: s.buttons).buttons == {"button0"}


def test_an_unplugged_mouse_is_found_again():
    hid = FakeHid(MOUSE)
    mouse = SpaceMouse(hid=hid, sockets=())
    with running(mouse) as got:
        got.until(lambda s: s.tracked)
        hid.found.clear()
        hid.unplugged.set()
        lost = got.until(lambda s: not s.tracked)
        wait_until(lambda: mouse.state == "no 6-axis mouse: plug one in")
        hid.unplugged.clear()
        hid.found.append(MOUSE)
        got.until(lambda s: s.tracked and s.seq > lost.seq)


def test_one_that_may_not_be_opened_names_a_udev_rule():
    mouse = SpaceMouse(hid=FakeHid(MOUSE, refuse={b"/dev/hidraw1"}), sockets=())
    with running(mouse):
        wait_until(lambda: "cannot be opened" in mouse.state)
        assert "SpaceMouse Compact: open failed" in mouse.state and "/etc/udev/rules.d/70-spacemouse.rules" in mouse.state and 'TAG+="uaccess"' in mouse.state


def test_without_package_and_daemon_it_says_so(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "hid", None)
    with pytest.raises(SourceMissing, match="needs hid"):
        SpaceMouse(sockets=("/nowhere/spnav.sock",)).start(print)


def test_the_daemons_socket(tmp_path, monkeypatch):
    monkeypatch.setattr(space_mouse, "find_spec", lambda _name: None)
    path = str(tmp_path / "spnav.sock")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as daemon:
        daemon.bind(path)
        daemon.listen()
        daemon.settimeout(20)
        mouse = SpaceMouse(sockets=(str(tmp_path / "gone.sock"), path))
        with running(mouse) as got:
            client, _ = daemon.accept()
            event = EVENT.pack(0, 0, 0, 350, 0, 0, 0, 16)
            client.sendall(event[:10])      # a stream cuts where it likes
            client.sendall(event[10:] + EVENT.pack(1, 1, *[0] * 6))
            assert got.until(lambda s: s.buttons).axes["x"] == 1.0 and mouse.state == "ready: by spacenavd"
            client.close()
            lost = got.until(lambda s: not s.tracked)
            client, _ = daemon.accept()     # it has come back
            got.until(lambda s: s.tracked and s.seq > lost.seq)
            client.close()
            daemon.close()
            wait_until(lambda: "spacenavd has ended" in mouse.state)
