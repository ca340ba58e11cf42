"""Gamepads by SDL: `pad:0` is the first, `pad:1` the second, whatever make they are.

SDL knows most pads' layouts, so that axes and buttons have the same names on all of them; what it does not know is left alone. Its video part is never begun: there is
no window of SDL's and no focus that it could ask for. Events are off, the state is polled: SDL has one queue of events, which two pads' threads could only take from each other.

Axes by SDL's names: leftx, lefty, rightx, righty (-1 to 1, right and down positive), lefttrigger, righttrigger (0 to 1); where the pad has a gyroscope gyrox, gyroy, gyroz [rad/s]
about x (forward), y (left) and z (up) of a pad that lies flat. Buttons by SDL's names too: a, b, x, y, leftshoulder, dpup, ...
"""
from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType

from app.inputs.source import SourceMissing
from app.inputs.sources.device_thread import DeviceThread, Gone, needed

AXES = ("leftx", "lefty", "rightx", "righty", "lefttrigger", "righttrigger")   # SDL_GameControllerAxis 0 to 5
BUTTONS = ("a", "b", "x", "y", "back", "guide", "start", "leftstick", "rightstick", "leftshoulder", "rightshoulder", "dpup", "dpdown", "dpleft", "dpright",
           "misc1", "paddle1", "paddle2", "paddle3", "paddle4", "touchpad")   # SDL_GameControllerButton 0 to 20
FULL = 32767.0          # of an axis
DEAD = 0.12             # of a stick's way around its middle nothing is meant
TRIGGER_DEAD = 0.03
POLL = 0.004            # between two readings [s]
LONGEST_RUMBLE = 5000   # [ms]
GYRO = 2                # SDL_SENSOR_GYRO
HINTS = MappingProxyType({b"SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS": b"1", b"SDL_NO_SIGNAL_HANDLERS": b"1", b"SDL_JOYSTICK_HIDAPI_PS4_RUMBLE": b"1",
                          b"SDL_JOYSTICK_HIDAPI_PS5_RUMBLE": b"1"})
PERMISSION = ("no gamepad: plug one in, or pair it. One that the system shows but Linkwork does not may need to be readable for you: the udev rules of the package "
              "'steam-devices' (or 'game-devices-udev') do that")

_SDL = threading.Lock()     # one pad's thread at a time is inside SDL: none waits for SDL's own lock while it holds Python's


def stick(x: float, y: float, dead: float = DEAD) -> tuple[float, float]:
    """Both axes of a stick (-1 to 1) without the part around its middle: nothing below `dead`, full at 1, the direction as it was."""
    length = math.hypot(x, y)
    if length <= dead:
        return 0.0, 0.0
    scale = min(1.0, (length - dead) / (1.0 - dead)) / length
    return x * scale, y * scale


def pulled(value: float, dead: float = TRIGGER_DEAD) -> float:
    """A trigger (0 to 1) without its first part."""
    return 0.0 if value <= dead else min(1.0, (value - dead) / (1.0 - dead))


def pad_axes(raw: Sequence[float], gyro: Sequence[float] | None = None) -> dict[str, float]:
    """All axes of a reading. raw (6): SDL's in the order of AXES, -1 to 1; gyro (3): [rad/s] about SDL's axes of a pad, which are right, up, and towards the player."""
    axes = dict(zip(AXES, (*stick(*raw[0:2]), *stick(*raw[2:4]), pulled(raw[4]), pulled(raw[5]))))
    if gyro is not None:
        axes.update(gyrox=-gyro[2], gyroy=-gyro[0], gyroz=float(gyro[1]))
    return axes


def library():
    """PySDL2. Raises SourceMissing."""
    if find_spec("sdl2dll"):
        import_module("sdl2dll")    # says where the library is: sdl2 would warn that it had to look there
    return needed("sdl2", "a gamepad")


class Getters:
    """The two calls of which a reading has many. They return at once, so Python's lock is not let go for them, which a busy window would have the reading wait for each time."""

    def __init__(self, sdl):
        direct = ctypes.PyDLL(sdl.dll.get_dll_file())
        self.axis, self.button = direct.SDL_GameControllerGetAxis, direct.SDL_GameControllerGetButton
        for function, result in ((self.axis, ctypes.c_int16), (self.button, ctypes.c_uint8)):
            function.argtypes, function.restype = (ctypes.c_void_p, ctypes.c_int), result


class Gamepad(DeviceThread):
    """The pad of a number among those that are there. One that goes is taken again when it comes back, also at another place."""

    def __init__(self, number: int = 0, name: str | None = None):
        super().__init__(name or f"pad:{number}")
        self.number = number
        self._sdl = None
        self._pad = None
        self._began = False

    def feedback(self, strength: float, milliseconds: float, name: str = "") -> None:
        """Rumble with both motors."""
        self.ask(partial(self._rumble, max(0.0, min(1.0, strength)), max(0, min(LONGEST_RUMBLE, int(milliseconds)))))

    def _prepare(self) -> None:
        self._sdl = library()

    def _begin(self) -> None:
        sdl = self._sdl
        for hint, value in HINTS.items():
            sdl.SDL_SetHint(hint, value)
        with _SDL:
            if sdl.SDL_InitSubSystem(sdl.SDL_INIT_GAMECONTROLLER) != 0:
                raise OSError(sdl.SDL_GetError().decode(errors="replace"))
            self._began = True
        sdl.SDL_JoystickEventState(sdl.SDL_IGNORE)
        sdl.SDL_GameControllerEventState(sdl.SDL_IGNORE)

    def _close(self) -> None:
        with _SDL:
            if self._began:
                self._sdl.SDL_QuitSubSystem(self._sdl.SDL_INIT_GAMECONTROLLER)
                self._began = False

    def _search(self):
        """Opens the pad of this number among all, or, where another source has that one, the first that none has."""
        with _SDL:
            return self._opened()

    def _opened(self):
        sdl = self._sdl
        sdl.SDL_GameControllerUpdate()      # looks for new ones too
        pads = [i for i in range(sdl.SDL_NumJoysticks()) if sdl.SDL_IsGameController(i)]
        if len(pads) <= self.number:
            others = sdl.SDL_NumJoysticks() - len(pads)
            self.state = PERMISSION if not pads else f"{len(pads)} gamepad{'s' * (len(pads) > 1)} here, none with the number {self.number}"
            if others and not pads:
                self.state = f"{others} joystick{'s' * (others > 1)} here, but no gamepad whose layout SDL knows: set SDL_GAMECONTROLLERCONFIG to its mapping"
            return None
        free = [i for i in (pads[self.number], *pads) if not sdl.SDL_GameControllerFromInstanceID(sdl.SDL_JoystickGetDeviceInstanceID(i))]
        pad = sdl.SDL_GameControllerOpen(free[0]) if free else None
        if not pad:
            self.state = sdl.SDL_GetError().decode(errors="replace") if free else "all gamepads here are taken by other sources"
            return None
        self._pad = pad
        self.state = f"ready: {(sdl.SDL_GameControllerName(pad) or b'gamepad').decode(errors='replace')}"
        return pad

    def _leave(self, device) -> None:
        self._pad = None
        with _SDL:
            self._sdl.SDL_GameControllerClose(device)

    def _read(self, device) -> None:
        sdl, getters = self._sdl, Getters(self._sdl)
        with _SDL:
            turns = bool(sdl.SDL_GameControllerHasSensor(device, GYRO)) and sdl.SDL_GameControllerSetSensorEnabled(device, GYRO, sdl.SDL_TRUE) == 0
        gyro = (ctypes.c_float * 3)() if turns else None
        while not self.stopping:
            with _SDL:
                self.answer_asked()
                sdl.SDL_GameControllerUpdate()
                if not sdl.SDL_GameControllerGetAttached(device):
                    raise Gone("the gamepad was unplugged or switched off")
                raw = [max(-1.0, getters.axis(device, i) / FULL) for i in range(len(AXES))]
                buttons = frozenset([name for i, name in enumerate(BUTTONS) if getters.button(device, i)])
                if gyro is not None:
                    sdl.SDL_GameControllerGetSensorData(device, GYRO, gyro, 3)
            self.tell_reading(pad_axes(raw, gyro), buttons)
            self._stop.wait(POLL)

    def _rumble(self, strength: float, ms: int) -> None:
        if self._pad is not None:
            power = round(65535 * strength)
            self._sdl.SDL_GameControllerRumble(self._pad, power, power, ms)


def make(name: str) -> Gamepad:
    """The pad that a name ('pad', 'pad:1') means. Raises SourceMissing."""
    number = name.partition(":")[2] or "0"
    if not number.isdecimal() or len(number) > 2:
        raise SourceMissing(f"'{name}' is no gamepad", "pads are pad:0, pad:1, ...")
    return Gamepad(int(number), name)
