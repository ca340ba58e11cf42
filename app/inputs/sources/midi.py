"""MIDI faders, wheels and pads: `midi` is the first input, `midi:nano` the first whose name contains that.

A control is named as players number it: cc7 is controller 7 of channel 1, cc7.2 that of channel 2; bend the pitch wheel; note60 a pad or key. Controllers are axes from 0 to 1,
wheels from -1 to 1, pads that are held buttons and, as axes, as far down as they were struck.
"""
from __future__ import annotations

import os
import queue
import sys
from types import MappingProxyType

from app.inputs.sources.device_thread import HEARTBEAT, DeviceThread, Gone, needed

ALSA = "/dev/snd/seq"
LOOK = 1.0              # between two looks whether the input is still there [s]
MOST_WAITING = 1024     # messages of a device that were not read yet
OURS = ("through", "rtmidi")    # in names of inputs that are no devices
NO_SYSTEM = "this computer has no MIDI (on Linux: the kernel's module snd-seq, 'sudo modprobe snd-seq', and a user in the group 'audio')"


def control_name(kind: str, number: int | None, channel: int) -> str:
    """Of kind 'cc', 'note' or 'bend'; channel 0 to 15 is left out where it is the first."""
    return f"{kind}{'' if number is None else number}{'' if channel == 0 else f'.{channel + 1}'}"


def _controller(message):
    yield control_name("cc", message.control, message.channel), message.value / 127.0, None


def _struck(message):
    down = message.type == "note_on" and message.velocity > 0
    yield control_name("note", message.note, message.channel), message.velocity / 127.0 if down else 0.0, down


def _bent(message):
    yield control_name("bend", None, message.channel), message.pitch / (8191.0 if message.pitch > 0 else 8192.0), None


# type of a mido message -> (name, value, whether it is a button and is down) of what it says
READERS = MappingProxyType({"control_change": _controller, "note_on": _struck, "note_off": _struck, "pitchwheel": _bent})


class MidiControls:
    """What the controls of a device have come to, as far as they were touched. last: the one that was touched last, '' for none."""

    def __init__(self):
        self.axes: dict[str, float] = {}
        self.buttons: frozenset[str] = frozenset()
        self.last = ""

    def take(self, message) -> bool:
        """Take a mido message; whether it said something."""
        reader = READERS.get(message.type)
        for name, value, down in reader(message) if reader else ():
            self.axes = {**self.axes, name: value}
            if down is not None:
                self.buttons = self.buttons | {name} if down else self.buttons - {name}
            self.last = name
        return reader is not None


class MidiSource(DeviceThread):
    """mido: the module, or what stands in for it."""

    def __init__(self, name: str = "midi", mido=None):
        super().__init__(name)
        self._mido, self._wanted = mido, name.partition(":")[2]
        self._messages: queue.Queue = queue.Queue(MOST_WAITING)
        self.controls = MidiControls()
        self._device = ""       # without which ALSA only complains, each time anew

    def _prepare(self) -> None:
        if self._mido is None:
            mido = needed("mido", "MIDI faders")
            needed("rtmidi", "MIDI faders")
            self._mido = mido.Backend("mido.backends.rtmidi")
            self._device = ALSA if sys.platform.startswith("linux") else ""

    def _search(self):
        names = self._names()
        if names is None:
            self.state = NO_SYSTEM
            return None
        found = [name for name in names if self._wanted.lower() in name.lower()]
        if not found:
            self.state = f"no MIDI input whose name contains '{self._wanted}': there are {', '.join(names)}" if names else "no MIDI device: plug one in"
            return None
        self.controls = MidiControls()
        port = self._mido.open_input(found[0], callback=self._received)
        self.state = f"ready: {found[0]}"
        return port

    def _names(self) -> list[str] | None:
        """Inputs that are devices; None where the system has no MIDI."""
        if self._device and not os.path.exists(self._device):
            return None
        try:
            names = self._mido.get_input_names()
        except Exception:   # noqa: BLE001  rtmidi raises errors of its own, by system
            return None
        return [name for name in dict.fromkeys(names) if not any(word in name.lower() for word in OURS)]

    def _received(self, message) -> None:
        """In a thread of rtmidi's: a device that sends more than is read loses the rest."""
        try:
            self._messages.put_nowait(message)
        except queue.Full:
            pass

    def _leave(self, device) -> None:
        device.close()

    def _read(self, device) -> None:
        waited = 0.0
        while not self.stopping:
            try:
                self.controls.take(self._messages.get(timeout=HEARTBEAT))
                while not self._messages.empty():      # a fader that moves sends many: the last counts
                    self.controls.take(self._messages.get_nowait())
            except queue.Empty:
                waited += HEARTBEAT
            if waited >= LOOK:
                waited = 0.0
                if device.name not in (self._names() or ()):
                    raise Gone(f"'{device.name}' was unplugged")
            self.tell_reading(self.controls.axes, self.controls.buttons)


def make(name: str) -> MidiSource:
    """The MIDI input that a name means."""
    return MidiSource(name)
