"""From a device to a site that moves: its thread, the hub's and the simulation's, all running."""
import struct
from contextlib import contextmanager

import pytest

import physics
from app.inputs.hub import Hub
from app.inputs.mapping.drive_mapping import DriveMapping, Limits, Mapping
from app.inputs.mapping.mapping_file import read
from app.inputs.sources.gamepad import Gamepad
from app.inputs.sources.keyboard import Keyboard
from app.inputs.sources.space_mouse import SpaceMouse
from assets.locate import bundled_model
from physics.runtime.commands import SwapModel
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation
from tests.app.inputs.sources.collected import wait_until
from tests.app.inputs.sources.test_space_mouse import MOUSE, FakeHid
from tests.app.inputs.sources.virtual_pad import VirtualPad


@pytest.fixture(scope="module")
def arms():
    return physics.load(bundled_model("two_arms.xml"))


class Driven:
    """A simulation that runs, and a hub that drives it."""

    def __init__(self, model, mapping: Mapping):
        self.model = model
        self.runner = Runner(Simulation(ready=True))
        self.hub = Hub(self.runner)
        self._mapping = mapping

    def site(self, name: str):
        snapshot = self.runner.acquire()
        return snapshot.site_xpos[self.model.id("site", name)].copy()

    def start(self, source) -> None:
        self.runner.start()
        self.runner.send(SwapModel(self.model, run=True))
        self.hub.start()
        self.hub.configure(self._mapping)
        source.search_every = 0.01
        self.hub.add(source)
        wait_until(lambda: self.runner.acquire() is not None and len(self.hub.states) == len(self._mapping.drives), "the first state")
        wait_until(lambda: source.found, "the device")
        assert all(state.problems == () for state in self.hub.states)
        self.hub.arm()

    def stop(self) -> None:
        self.hub.stop()
        self.runner.stop()


@contextmanager
def driven(model, mapping: Mapping, source):
    it = Driven(model, mapping)
    try:
        it.start(source)
        yield it
    finally:
        it.stop()


def test_a_pads_stick_moves_a_hand_and_the_grip_rumbles_nothing_in_the_air(arms):
    mapping = read(bundled_model("two_arms.xml").with_name("two_arms.teleop.toml"))
    mapping = Mapping(tuple(drive for drive in mapping.drives if drive.name == "right hand"))
    pad = Gamepad(0)
    virtual = VirtualPad(pad)
    virtual.plug()      # at the first turn of its thread
    with driven(arms, mapping, pad) as it:
        before = it.site("right_grip")
        virtual.press(6, True)      # start: the clutch is a toggle
        wait_until(lambda: it.hub.states[0].following, "the clutch")
        virtual.move(1, -32768)     # left stick away from the person
        wait_until(lambda: it.site("right_grip")[0] - before[0] > 0.05, "the hand's way forward")
        assert it.site("right_grip")[1:] == pytest.approx(before[1:], abs=0.01)
        assert it.site("left_grip")[0] == pytest.approx(before[0], abs=2e-3), "the other hand stays"
        virtual.move(1, 0)
        assert not virtual.rumbled
        virtual.pull()
        wait_until(lambda: not it.hub.states[0].following or "lost" in str(it.hub.states[0].lamp).lower() or "hold" in str(it.hub.states[0].lamp).lower(), "the lamp")
        held = it.site("right_grip")
    assert held[0] - before[0] > 0.05


@pytest.mark.parametrize("kind", ["keyboard", "spacemouse"])
def test_keys_and_a_6_axis_mouse_lift_a_hand(arms, kind):
    hid = FakeHid(MOUSE)
    source = Keyboard() if kind == "keyboard" else SpaceMouse(hid=hid, sockets=())
    drive = DriveMapping("hand", kind, "mocap", mocap="left_target", limits=Limits(speed=0.2), frame="world")
    with driven(arms, Mapping((drive,)), source) as it:
        before = it.site("left_grip")
        if kind == "keyboard":
            source.key_down("e")
        else:
            hid.reports.append(struct.pack("<B6h", 1, 0, 0, -350, 0, 0, 0))
        wait_until(lambda: it.site("left_grip")[2] - before[2] > 0.05, "the hand's way up")
        assert it.site("left_grip")[:2] == pytest.approx(before[:2], abs=0.01)
