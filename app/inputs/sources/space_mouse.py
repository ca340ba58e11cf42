"""6-axis mice (SpaceMouse, SpaceNavigator): by spacenavd where it runs, else by USB.

spacenavd holds the device, so that it is asked first. By USB every device of 3Dconnexion is tried: receivers and mice show several, and one that cannot be opened says
nothing of the others.
"""
from __future__ import annotations

import os
import socket
import sys
from importlib import import_module
from importlib.util import find_spec

from app.inputs.sources.device_thread import DeviceThread, Gone, needed
from app.inputs.sources.space_mouse_reports import EVENT, DaemonEvents, UsbReports
from app.inputs.table import EXTRA

SOCKETS = ("/run/spnav.sock", "/var/run/spnav.sock")
OWN, LOGITECH = 0x256F, 0x046D      # vendors: 3Dconnexion, and Logitech, which once sold them
OF_LOGITECH = frozenset((0xC603, 0xC605, 0xC606, 0xC621, 0xC623, 0xC625, 0xC626, 0xC627, 0xC628, 0xC629, 0xC62B, 0xC640))
PAGE, USAGE = 0x01, 0x08            # generic desktop, multi-axis controller
WAIT_MS = 50                        # for a report
LARGEST_REPORT = 64
RULE_FILE = "/etc/udev/rules.d/70-spacemouse.rules"
RULES = ('KERNEL=="hidraw*", ATTRS{idVendor}=="256f", TAG+="uaccess"', 'KERNEL=="hidraw*", ATTRS{idVendor}=="046d", ATTRS{idProduct}=="c6*", TAG+="uaccess"')
NONE = "no 6-axis mouse: plug one in"


def is_space_mouse(info: dict) -> bool:
    """Whether an entry of hid.enumerate() may be a 6-axis mouse. Where the system tells usages, other interfaces of the same device are left out."""
    own = info.get("vendor_id") == OWN or info.get("vendor_id") == LOGITECH and info.get("product_id") in OF_LOGITECH
    usage = (info.get("usage_page") or 0, info.get("usage") or 0)
    return own and usage in ((0, 0), (PAGE, USAGE))


def permission_text(failed: list[str]) -> str:
    """What to do about mice that are there and cannot be opened."""
    text = f"a 6-axis mouse is here but cannot be opened ({'; '.join(failed)})"
    if sys.platform.startswith("linux"):
        text += f". Write into {RULE_FILE}:\n  " + "\n  ".join(RULES) + "\nthen run 'sudo udevadm control --reload' and plug it in again. Or install spacenavd"
    return text


class SpaceMouse(DeviceThread):
    """hid: the module of hidapi, or what stands in for it; sockets: where spacenavd may listen."""

    def __init__(self, name: str = "spacemouse", hid=None, sockets: tuple[str, ...] = SOCKETS):
        super().__init__(name)
        self._hid = hid
        own = os.environ.get("SPNAV_SOCKET")
        self._sockets = (own, *sockets) if own else sockets

    def _prepare(self) -> None:
        if self._hid is None and not any(map(os.path.exists, self._sockets)):
            self._hid = needed("hid", "a 6-axis mouse without spacenavd")

    def _search(self):
        daemon = self._daemon()
        if daemon is not None:
            self.state = "ready: by spacenavd"
            return daemon
        if self._hid is None and find_spec("hid") is not None:
            self._hid = import_module("hid")
        if self._hid is None:
            self.state = f"spacenavd has ended; without it a 6-axis mouse needs hid: {EXTRA}"
            return None
        failed = []
        for info in filter(is_space_mouse, self._hid.enumerate()):
            called = info.get("product_string") or f"{info['vendor_id']:04x}:{info['product_id']:04x}"
            device = self._hid.device()
            try:
                device.open_path(info["path"])
            except OSError as error:
                failed.append(f"{called}: {error}")
                continue
            self.state = f"ready: {called}"
            return device
        self.state = permission_text(failed) if failed else NONE
        return None

    def _daemon(self) -> socket.socket | None:
        """A connection to spacenavd; None where it does not run."""
        if not hasattr(socket, "AF_UNIX"):
            return None
        for path in filter(os.path.exists, self._sockets):
            client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                client.settimeout(WAIT_MS / 1000.0)
                client.connect(path)
                return client
            except OSError:     # its file may lie there after it has ended
                client.close()
        return None

    def _leave(self, device) -> None:
        device.close()

    def _read(self, device) -> None:
        read = self._read_daemon if isinstance(device, socket.socket) else self._read_usb
        read(device)

    def _read_usb(self, device) -> None:
        reports = UsbReports()
        while not self.stopping:
            self.answer_asked()
            report = device.read(LARGEST_REPORT, WAIT_MS)   # OSError where it is gone
            if report:
                reports.take(bytes(report))
            self.tell_reading(reports.axes, reports.buttons)

    def _read_daemon(self, client: socket.socket) -> None:
        events, waiting = DaemonEvents(), b""
        while not self.stopping:
            self.answer_asked()
            try:
                received = client.recv(EVENT.size * 32)
                if not received:
                    raise Gone("spacenavd has ended")
            except TimeoutError:
                received = b""
            waiting += received
            while len(waiting) >= EVENT.size:
                events.take(waiting[:EVENT.size])
                waiting = waiting[EVENT.size:]
            self.tell_reading(events.axes, events.buttons)


def make(name: str) -> SpaceMouse:
    """The 6-axis mouse as a row of the table makes it."""
    return SpaceMouse(name)
