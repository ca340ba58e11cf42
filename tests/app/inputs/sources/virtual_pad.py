"""A gamepad without hardware: SDL's virtual controller."""
from __future__ import annotations

from app.inputs.sources.gamepad import Gamepad

AXES, BUTTONS = 6, 21


class VirtualPad:
    """A controller of SDL's, plugged in and moved in the thread of the source that asks for it."""

    def __init__(self, source: Gamepad, name: bytes = b"Linkwork virtual pad"):
        self.source, self.rumbled, self.index, self.joystick = source, [], -1, None
        self._name = name

    def plug(self) -> None:
        self.source.ask(self._attach)

    def pull(self) -> None:
        self.source.ask(self._detach)

    def move(self, axis: int, value: int) -> None:
        self.source.ask(lambda: self.source._sdl.SDL_JoystickSetVirtualAxis(self.joystick, axis, value))

    def press(self, button: int, down: bool) -> None:
        self.source.ask(lambda: self.source._sdl.SDL_JoystickSetVirtualButton(self.joystick, button, int(down)))

    def _attach(self) -> None:
        sdl = self.source._sdl
        from sdl2.joystick import CFUNC_Rumble

        self._rumble = CFUNC_Rumble(lambda _data, low, high: self.rumbled.append((low, high)) or 0)
        self._description = sdl.SDL_VirtualJoystickDesc(version=sdl.SDL_VIRTUAL_JOYSTICK_DESC_VERSION, type=sdl.SDL_JOYSTICK_TYPE_GAMECONTROLLER, naxes=AXES,
                                                        nbuttons=BUTTONS, vendor_id=0x045E, product_id=0x028E, name=self._name, Rumble=self._rumble)
        self.index = sdl.SDL_JoystickAttachVirtualEx(self._description)
        assert self.index >= 0, sdl.SDL_GetError()
        self.joystick = sdl.SDL_JoystickOpen(self.index)
        for trigger in (4, 5):
            sdl.SDL_JoystickSetVirtualAxis(self.joystick, trigger, -32768)

    def _detach(self) -> None:
        sdl = self.source._sdl
        mine = sdl.SDL_JoystickInstanceID(self.joystick)    # its index has changed where another was pulled
        sdl.SDL_JoystickClose(self.joystick)
        (index,) = (i for i in range(sdl.SDL_NumJoysticks()) if sdl.SDL_JoystickGetDeviceInstanceID(i) == mine)
        sdl.SDL_JoystickDetachVirtual(index)
