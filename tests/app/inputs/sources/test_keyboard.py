import pytest

from app.inputs.sources.keyboard import FALL, KEYS, RISE, SLOWER, HeldKeys, Keyboard, make, ramped
from app.inputs.table import TWIST
from tests.app.inputs.sources.collected import running


def test_keys_move_along_and_about_all_axes():
    assert {axis for axis, _direction in KEYS.values()} == set(TWIST)
    assert all(sorted(d for axis, d in KEYS.values() if axis == one) == [-1, 1] for one in TWIST)


def test_an_axis_rises_and_falls():
    assert ramped(0.0, 1.0, RISE / 2) == pytest.approx(0.5) and ramped(0.9, 1.0, RISE) == 1.0
    assert ramped(1.0, 0.0, FALL / 4) == pytest.approx(0.75) and ramped(0.1, 0.0, FALL) == 0.0
    assert ramped(0.1, -1.0, FALL) == 0.0, "it stops at zero before it goes the other way"
    assert ramped(0.0, -1.0, RISE / 2) == pytest.approx(-0.5)


def test_held_keys_become_axes():
    keys = HeldKeys()
    keys.down("w")
    axes, buttons = keys.after(RISE / 2)
    assert axes["x"] == pytest.approx(0.5) and not any(axes[a] for a in TWIST[1:]) and buttons == frozenset()
    keys.down("w")      # auto-repeat: goes on as it was
    assert keys.after(RISE / 4)[0]["x"] == pytest.approx(0.75)
    keys.up("w")        # one release ends what many repeats began
    assert keys.after(FALL)[0]["x"] == 0.0


def test_of_opposite_keys_neither_acts_and_other_keys_are_buttons():
    keys = HeldKeys()
    for key in ("w", "s", "a", "space"):
        keys.down(key)
    axes, buttons = keys.after(10.0)
    assert axes["x"] == 0.0 and axes["y"] == 1.0 and buttons == {"space"}


def test_shift_is_slow():
    keys = HeldKeys()
    keys.down("shift")
    keys.down("w")
    assert keys.after(10.0)[0]["x"] == SLOWER


def test_a_lost_focus_releases_at_once():
    keys = HeldKeys()
    keys.down("w")
    keys.down("space")
    keys.after(10.0)
    keys.release()
    axes, buttons = keys.after(0.0)
    assert not any(axes.values()) and not buttons


def test_the_keyboard_tells_as_it_goes():
    keyboard = make("keyboard")
    assert isinstance(keyboard, Keyboard)
    with running(keyboard) as got:
        still = got.until(lambda s: not any(s.axes.values()))
        assert still.source == "keyboard" and still.tracked
        keyboard.key_down("e")
        up = got.until(lambda s: s.axes["z"] == 1.0)
        seen = [s.axes["z"] for s in got.samples if s.seq <= up.seq]
        assert seen == sorted(seen) and len(set(seen)) > 5, "it rises by small steps"
        assert all(b.seq == a.seq + 1 for a, b in zip(got.samples, got.samples[1:]))
        keyboard.release_all()
        rest = got.until(lambda s: s.seq > up.seq and s.axes["z"] == 0.0)
        assert all(s.axes["z"] == 0.0 for s in got.samples if s.seq >= rest.seq)
        got.until(lambda s: s.seq > rest.seq + 2)      # at rest it still says that it is there
