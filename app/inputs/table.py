"""Kinds of sources: a row each. What needs a package is imported when one is made."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType

from app.inputs.source import Source, SourceMissing

EXTRA = 'pip install "linkwork[teleop]"'
TWIST = ("x", "y", "z", "rx", "ry", "rz")     # axes of a device with six: ways and turns along and about x (forward), y (left), z (up)

BETA = 10.0     # Hz per m/s and per rad/s: a hand at 0.5 m/s is followed with 16 ms of delay, at rest with 32


@dataclass(frozen=True, slots=True)
class SourceKind:
    """prefix: of its names ('pad' of 'pad:0'); title: for people; packages: modules that must be importable, of the extra `teleop`; maker: 'module:function', which takes the whole
    name and gives a Source (several names of one `server` kind share the first that was made). twist: what its axes do where a drive does not say: an axis of TWIST -> (its axis, or
    two of which the second counts negatively, sign).
    quiet: it sends only when something changes, so that silence says nothing. clutch: of drives that do not name one; cutoff [Hz], beta: of the one-euro filter, 0: none."""

    prefix: str
    title: str
    maker: str
    packages: tuple[str, ...] = ()
    twist: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    clutch: str = "always"
    cutoff: float = 0.0
    beta: float = 0.0
    server: bool = False
    quiet: bool = False


STRAIGHT = MappingProxyType({axis: (axis,) for axis in TWIST})
# sticks as in every flying game: left stick moves in the plane, triggers down and up, right stick turns
STICKS = MappingProxyType({"x": ("-lefty",), "y": ("-leftx",), "z": ("righttrigger", "-lefttrigger"), "rz": ("-rightx",), "ry": ("-righty",), "rx": ("rightshoulder", "-leftshoulder")})
SOURCES: Mapping[str, SourceKind] = MappingProxyType({kind.prefix: kind for kind in (
    SourceKind("keyboard", "Keyboard", "app.inputs.sources.keyboard:make", twist=STRAIGHT),
    SourceKind("pad", "Gamepad", "app.inputs.sources.gamepad:make", ("sdl2",), STICKS),
    SourceKind("spacemouse", "6-axis mouse", "app.inputs.sources.space_mouse:make", (), STRAIGHT),
    SourceKind("midi", "MIDI faders", "app.inputs.sources.midi:make", ("mido", "rtmidi"), quiet=True),
    SourceKind("udp", "UDP", "app.inputs.sources.udp:make", (), STRAIGHT, "always", 5.0, BETA, True),
    SourceKind("zmq", "ZeroMQ", "app.inputs.sources.zeromq:make", ("zmq",), STRAIGHT, "always", 5.0, BETA, True),
    SourceKind("script", "Script", "app.inputs.sources.scripts:make", (), STRAIGHT),
    SourceKind("net", "WebSocket", "app.inputs.server:make", ("aiohttp", "cryptography"), STRAIGHT, "always", 5.0, BETA, True),
    SourceKind("xr", "Headset or phone", "app.inputs.server:make", ("aiohttp", "cryptography", "segno"), STRAIGHT, "squeeze", 5.0, BETA, True),
)})


def kind_of(name: str) -> SourceKind:
    """The kind of a source's name ('pad:0'). Raises SourceMissing for one that there is not."""
    found = SOURCES.get(name.partition(":")[0])
    if found is None:
        raise SourceMissing(f"there is no source '{name}'", f"sources are {', '.join(SOURCES)}")
    return found


def missing_packages(kind: SourceKind) -> tuple[str, ...]:
    """Modules of a kind that cannot be imported."""
    return tuple(name for name in kind.packages if find_spec(name) is None)


def make(name: str) -> Source:
    """A source, not started. Raises SourceMissing with what to install."""
    kind = kind_of(name)
    if gone := missing_packages(kind):
        raise SourceMissing(f"{kind.title} needs {', '.join(gone)}", EXTRA)
    module, function = kind.maker.split(":")
    return getattr(import_module(module), function)(name)
