import threading

import pytest

from app.inputs.sources.midi import MidiControls, MidiSource
from tests.app.inputs.sources.collected import running, wait_until

mido = pytest.importorskip("mido")


def controls_after(*data: int) -> MidiControls:
    """The bytes through mido's parser."""
    controls = MidiControls()
    for message in mido.parse_all(list(data)):
        controls.take(message)
    return controls


def test_faders_by_bytes():
    controls = controls_after(0xB0, 7, 127, 0xB0, 8, 0, 0xB1, 7, 64)
    assert controls.axes == {"cc7": 1.0, "cc8": 0.0, "cc7.2": pytest.approx(64 / 127)} and controls.last == "cc7.2"


def test_junk_before_a_message_is_passed_over():
    assert controls_after(0x12, 0x34, 0xB0, 1, 10).axes == {"cc1": pytest.approx(10 / 127)}


def test_the_wheel_reaches_both_ends():
    assert controls_after(0xE0, 0, 0).axes == {"bend": -1.0} and controls_after(0xE0, 0x7F, 0x7F).axes == {"bend": 1.0} and controls_after(0xE3, 0, 0x40).axes == {"bend.4": 0.0}


@pytest.mark.parametrize("release", [(0x80, 60, 64), (0x90, 60, 0)], ids=["note off", "velocity 0"])
def test_pads_are_buttons_and_axes(release):
    down = controls_after(0x90, 60, 127)
    assert down.buttons == {"note60"} and down.axes == {"note60": 1.0}
    up = controls_after(0x90, 60, 127, *release)
    assert up.buttons == frozenset() and up.axes == {"note60": 0.0}


def test_clocks_and_programs_say_nothing():
    controls = controls_after(0xF8, 0xFE, 0xC0, 5)
    assert not controls.axes and controls.last == ""


class FakeMido:
    """Stands for a backend of mido."""

    def __init__(self, *names: str):
        self.names, self.callbacks, self.closed = list(names), {}, threading.Event()

    def get_input_names(self):
        if self.names == ["broken"]:
            raise SystemError("error creating ALSA sequencer client object")
        return list(self.names)

    def open_input(self, name, callback):
        self.callbacks[name] = callback
        self.name = name
        return self

    def close(self):
        self.closed.set()


def test_a_device_by_part_of_its_name():
    fake = FakeMido("Midi Through Port-0", "LPK25", "nanoKONTROL2 nanoKONTROL2 _ CTRL")
    source = MidiSource("midi:nanokontrol", fake)
    with running(source) as got:
        wait_until(lambda: fake.callbacks)
        assert list(fake.callbacks) == ["nanoKONTROL2 nanoKONTROL2 _ CTRL"]
        fake.callbacks[fake.name](mido.Message("control_change", control=3, value=127))
        assert got.until(lambda s: s.axes).axes == {"cc3": 1.0}
        fake.names = ["LPK25"]
        got.until(lambda s: not s.tracked)
        assert fake.closed.is_set()
        wait_until(lambda: source.state == "no MIDI input whose name contains 'nanokontrol': there are LPK25")


def test_our_own_ports_are_no_devices():
    source = MidiSource("midi", FakeMido("Midi Through:Midi Through Port-0 14:0", "RtMidiIn Client"))
    with running(source):
        wait_until(lambda: source.state == "no MIDI device: plug one in")


def test_a_computer_without_midi():
    source = MidiSource("midi", FakeMido("broken"))
    with running(source):
        wait_until(lambda: "has no MIDI" in source.state)


def test_the_real_package_starts_and_stops():
    source = MidiSource("midi:no such device")
    with running(source):
        wait_until(lambda: source.state.startswith(("no MIDI", "this computer has no MIDI")))
