"""Camera and switches of a script's window, with the names and numbers of the official viewer's cam and opt.

Both sides may change them: what the script has set goes to the window by the next `sync`, what the user has changed since comes back.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from math import isfinite

import numpy as np

from app.bridge.options import FRAMES, LABELS, RENDER_FLAGS, VIS_FLAGS, VisOptions
from app.passive.view_values import TABLES, Values, changed, put_values, values_of
from physics.name_hints import hint
from render.scene.camera import FIXED, FREE, TRACKING, CameraState


def _numbered(names: Iterable[str]) -> list[tuple[str, int]]:
    """Members by their official numbers: CONTACT_POINT, and CONTACTPOINT as in the official enumeration."""
    plain = [(name.upper(), i) for i, name in enumerate(names)]
    return plain + [(name.replace("_", ""), i) for name, i in plain if "_" in name]


class CameraType(IntEnum):
    """What a camera hangs on: nothing, a body, or the model's own camera."""

    FREE = 0
    TRACKING = 1
    FIXED = 2


class GridPos(IntEnum):
    """Where a text stands in the view."""

    TOPLEFT = 0
    TOPRIGHT = 1
    BOTTOMLEFT = 2
    BOTTOMRIGHT = 3
    TOP = 4
    BOTTOM = 5
    LEFT = 6
    RIGHT = 7


VisFlag = IntEnum("VisFlag", _numbered(flag.name for flag in VIS_FLAGS))
RenderFlag = IntEnum("RenderFlag", _numbered(flag.name for flag in RENDER_FLAGS))
LabelMode = IntEnum("LabelMode", _numbered(LABELS))
FrameMode = IntEnum("FrameMode", _numbered(FRAMES))
VisFlag.__doc__, RenderFlag.__doc__ = "What is drawn of a model (opt.flags).", "Effects of the pictures (opt.render)."
LabelMode.__doc__, FrameMode.__doc__ = "What labels name (opt.label).", "Whose frames are drawn (opt.frame)."
_KINDS = (FREE, TRACKING, FIXED)    # by CameraType


class Camera:
    """Where the window looks from. type: a CameraType; lookat (3,) [m], distance [m], azimuth, elevation [degree] of a free or tracking camera; trackbodyid;
    fixedcamid."""

    __slots__ = ("_lookat", "azimuth", "distance", "elevation", "fixedcamid", "trackbodyid", "type")

    def __init__(self, state: CameraState | None = None):
        self._lookat = np.zeros(3)
        self.take(CameraState())
        self.take(state or CameraState())

    @property
    def lookat(self) -> np.ndarray:
        """(3,) the point looked at [m]; may be written to."""
        return self._lookat

    @lookat.setter
    def lookat(self, value) -> None:
        self._lookat[:] = value

    def take(self, state: CameraState) -> None:
        """Look as the window does. Where that looks through a camera of the model the free one stays where it was."""
        self.type = CameraType(_KINDS.index(state.kind))
        self.trackbodyid, self.fixedcamid = int(state.trackbodyid), int(state.fixedcamid)
        if state.kind != FIXED:
            self._lookat[:] = state.lookat
            self.distance, self.azimuth, self.elevation = float(state.distance), float(state.azimuth), float(state.elevation)

    def state(self) -> CameraState:
        """As the window has it. Raises ValueError where a value is none."""
        numbers = (*self._lookat.tolist(), float(self.distance), float(self.azimuth), float(self.elevation))
        if not all(map(isfinite, numbers)):
            raise ValueError(f"the camera has a number that is not finite: {numbers}")
        return CameraState(_KINDS[CameraType(self.type)], numbers[:3], *numbers[3:], int(self.trackbodyid), int(self.fixedcamid))

    def __repr__(self) -> str:
        return f"Camera({CameraType(self.type).name}, lookat={self._lookat.tolist()}, distance={self.distance:g}, azimuth={self.azimuth:g}, elevation={self.elevation:g})"


class Switches:
    """Some switches of VisOptions, by name ('contact_point') or number (VisFlag.CONTACT_POINT)."""

    def __init__(self, table: dict[str, bool]):
        self._table, self._names = table, tuple(table)

    def _name(self, key: int | str) -> str:
        if isinstance(key, str):
            if key.lower() not in self._table:
                raise KeyError(f"there is no switch '{key}'{hint(key.lower(), self._names)}")
            return key.lower()
        if not 0 <= key < len(self._names):
            raise IndexError(f"there is no switch {key}, there are {len(self._names)}")
        return self._names[int(key)]

    def __getitem__(self, key: int | str) -> bool:
        return self._table[self._name(key)]

    def __setitem__(self, key: int | str | slice, on) -> None:
        if isinstance(key, slice):
            for name in self._names[key]:
                self._table[name] = bool(on)
        else:
            self._table[self._name(key)] = bool(on)

    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator[bool]:
        return iter(self._table.values())

    def __repr__(self) -> str:
        return f"Switches({', '.join(name for name, on in self._table.items() if on)})"


class Options:
    """What is drawn. flags: by VisFlag; render: by RenderFlag; quantities: forces, torques and more of ours; geomgroup, sitegroup, jointgroup, tendongroup,
    actuatorgroup, skingroup: six switches each; label, frame: a LabelMode, FrameMode or its name; bvh_depth; look: 'classic' or 'physical'; show: 'colour',
    'depth', ...; factors: {scale: how many times as large as suits the model}."""

    _OWN = ("_values", "flags", "render", "quantities")

    def __init__(self):
        self._values = VisOptions()
        self.flags, self.render, self.quantities = Switches(self._values.flags), Switches(self._values.render), Switches(self._values.quantities)

    def __getattr__(self, name):
        if name.startswith("_") or name not in VisOptions.__slots__:
            raise AttributeError(f"opt has no attribute '{name}'{hint(name, self.__dir__())}")
        value = getattr(self._values, name)
        return {"label": LABELS, "frame": FRAMES}[name].index(value) if name in ("label", "frame") else value

    def __setattr__(self, name, value) -> None:
        if name in self._OWN and name not in self.__dict__:
            object.__setattr__(self, name, value)
        elif name in ("label", "frame"):
            setattr(self._values, name, mode_name(value, LABELS if name == "label" else FRAMES, name))
        elif name in ("flags", "render", "quantities"):
            for i, on in enumerate(value):
                getattr(self, name)[i] = on
        elif name.endswith("group") and name in VisOptions.__slots__:
            getattr(self._values, name)[:] = [bool(on) for on in value]
        elif name in VisOptions.__slots__ and name not in TABLES:
            setattr(self._values, name, value)
        else:
            raise AttributeError(f"opt has no attribute '{name}' that can be set{hint(name, self.__dir__())}")

    def __dir__(self):
        return sorted({*VisOptions.__slots__, "flags", "render", "quantities"} - {"hidden", "isolated", "explained"})

    def values(self) -> Values:
        """All of them."""
        return values_of(self._values)

    def copy(self) -> VisOptions:
        """As the window has them, which do not change with these."""
        return self._values.copy()

    def same_as(self, other: VisOptions | None) -> bool:
        """Whether they are the same as those of a copy."""
        return self._values == other

    def take(self, values: Mapping) -> None:
        """What the window says."""
        put_values(self._values, values)


def mode_name(value: int | str, names: tuple[str, ...], what: str) -> str:
    """The one of these names that is given by name or number. Raises ValueError for another."""
    if isinstance(value, str):
        found = next((name for name in names if name.lower() == value.lower()), None)
        if found is None:
            raise ValueError(f"there is no {what} '{value}'{hint(value, names)}; there are {', '.join(names)}")
        return found
    if not 0 <= value < len(names):
        raise ValueError(f"there is no {what} {value}; there are {', '.join(f'{i} {name}' for i, name in enumerate(names))}")
    return names[int(value)]


class SharedView:
    """cam, opt and the selected body as the script has them, beside what both sides knew last. viewport: width and height of the view [pixel]."""

    def __init__(self, told: Mapping):
        self.cam, self.opt, self.selected, self.viewport = Camera(), Options(), 0, (0, 0)
        self._camera, self._options, self._select = self.cam.state(), self.opt.values(), 0
        self._present = self.opt.copy()    # compared in a fraction of the time of all values
        self.take(told)

    def take(self, told: Mapping) -> None:
        """What the user has changed; where the script has changed the same since the last time, that holds."""
        if "camera" in told and self.cam.state() == self._camera:
            self.cam.take(told["camera"])
            self._camera = self.cam.state()
        if "options" in told:
            mine = changed(self.opt.values(), self._options)
            theirs = {place: value for place, value in told["options"].items() if place not in mine}
            self.opt.take(theirs)
            self._options.update(theirs)
            self._present = None
        if "select" in told and self.selected == self._select:
            self.selected = self._select = told["select"]
        self.viewport = told.get("viewport", self.viewport)

    def news(self) -> dict:
        """What the script has changed since the last call, for the window; {} for nothing. Raises ValueError for what is no camera."""
        told: dict = {}
        camera = self.cam.state()
        if camera != self._camera:
            told["camera"] = self._camera = camera
        if not self.opt.same_as(self._present):
            self._present, options = self.opt.copy(), self.opt.values()
            if options != self._options:
                told["options"], self._options = changed(options, self._options), options
        if self.selected != self._select:
            told["select"] = self._select = self.selected
        return told
