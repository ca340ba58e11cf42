"""By SDL's virtual controller: no hardware."""
import math

import pytest

from app.inputs.source import SourceMissing
from app.inputs.sources.gamepad import DEAD, Gamepad, make, pad_axes, pulled, stick
from app.inputs.table import STICKS
from tests.app.inputs.sources.collected import running, wait_until
from tests.app.inputs.sources.virtual_pad import VirtualPad

@pytest.mark.parametrize("angle", [0.0, 0.7, 2.1, 4.0])
def test_sticks_keep_their_direction_without_the_middle(angle):
    x, y = math.cos(angle), math.sin(angle)
    assert stick(DEAD * x * 0.99, DEAD * y * 0.99) == (0.0, 0.0)
    half = stick(x * (DEAD + (1 - DEAD) / 2), y * (DEAD + (1 - DEAD) / 2))
    assert half == pytest.approx((x / 2, y / 2))
    assert stick(1.3 * x, 1.3 * y) == pytest.approx((x, y)), "a corner of a square stick is no more than full"


def test_triggers_begin_at_zero():
    assert pulled(0.02) == 0.0 and pulled(1.0) == 1.0 and 0.0 < pulled(0.1) < 0.1


def test_a_gyroscope_turns_about_our_axes():
    # SDL: about right, up, towards the player; ours: about forward, left, up
    assert pad_axes([0.0] * 6, (1.0, 2.0, 3.0)) == {"leftx": 0.0, "lefty": 0.0, "rightx": 0.0, "righty": 0.0, "lefttrigger": 0.0, "righttrigger": 0.0, "gyrox": -3.0, "gyroy": -1.0,
                                                     "gyroz": 2.0}


def test_the_tables_sticks_are_axes_or_buttons_of_a_pad():
    from app.inputs.sources.gamepad import AXES as NAMES
    from app.inputs.sources.gamepad import BUTTONS as PRESSED

    assert {name.lstrip("-") for names in STICKS.values() for name in names} <= {*NAMES, *PRESSED}


def test_a_virtual_pad_is_found_read_rumbles_and_comes_back():
    pad = Gamepad(0)
    with running(pad) as got:
        wait_until(lambda: "no gamepad" in pad.state, "looking for one")
        assert "udev" in pad.state and not got.samples
        virtual = VirtualPad(pad)
        virtual.plug()
        got.until(lambda s: s.tracked)
        assert pad.state == "ready: Linkwork virtual pad"
        virtual.move(0, 32767)
        assert got.until(lambda s: s.axes.get("leftx", 0) > 0.99).axes["lefty"] == 0.0
        virtual.move(5, 32767)
        got.until(lambda s: s.axes["righttrigger"] > 0.99)
        virtual.press(9, True)
        assert got.until(lambda s: s.buttons).buttons == {"leftshoulder"}
        virtual.press(9, False)
        pad.feedback(0.5, 100)
        wait_until(lambda: virtual.rumbled)
        assert virtual.rumbled[0] == (32768, 32768)
        virtual.pull()
        lost = got.until(lambda s: not s.tracked)
        again = VirtualPad(pad)
        again.plug()
        got.until(lambda s: s.seq > lost.seq and s.tracked)
        again.pull()
        got.until(lambda s: s.seq > lost.seq and not s.tracked)


def test_two_pads_keep_their_numbers_when_one_is_pulled():
    first, second = Gamepad(0), Gamepad(1)
    with running(first) as of_first, running(second) as of_second:
        one, two = VirtualPad(first, b"Pad one"), VirtualPad(first, b"Pad two")
        one.plug()
        of_first.until(lambda s: s.tracked)
        wait_until(lambda: second.state == "1 gamepad here, none with the number 1")
        two.plug()
        of_second.until(lambda s: s.tracked)
        assert (first.state, second.state) == ("ready: Pad one", "ready: Pad two")
        one.pull()
        lost = of_first.until(lambda s: not s.tracked)
        assert second.found
        again = VirtualPad(first, b"Pad one again")     # the second in SDL's order now
        again.plug()
        of_first.until(lambda s: s.tracked and s.seq > lost.seq)
        assert first.state == "ready: Pad one again" and second.state == "ready: Pad two"
        again.move(1, 32767)
        two.move(1, -32768)
        of_first.until(lambda s: s.axes.get("lefty", 0) > 0.99)
        of_second.until(lambda s: s.axes.get("lefty", 0) < -0.99)
        two.pull()
        of_second.until(lambda s: not s.tracked)


def test_names_mean_pads():
    assert make("pad").number == 0 and make("pad:3").number == 3
    with pytest.raises(SourceMissing, match="'pad:left' is no gamepad: pads are pad:0"):
        make("pad:left")
