"""Pictures of cameras for a policy that asks for them: drawn beside the run, each camera at the rate and in the size that was asked for.

    policy --cameras--> thread `policy actions` --ask--> thread `policy pictures` <--Snapshot, picture--> eyes_process.py
                                                         thread `policy`, into the next state  <--take--'

A process of its own draws the newest Snapshot, and rests at least as long as it has drawn, so that neither the window nor the physics thread waits for it; where it cannot follow, there are fewer pictures.
"""
from __future__ import annotations

import base64
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from app.demonstrations.policy.messages import FREE_CAMERA, camera_names
from app.film.pipe import receive, send
from app.inputs.protocol.decode import Key, natural, number
from app.inputs.protocol.messages import Message
from physics.name_hints import hint
from physics.runtime.runner import Runner

MOST_CAMERAS = 4
SMALLEST, LARGEST = 8, 1024     # pixels of a side
MOST_RATE = 60.0                # pictures of a camera per simulated second
FORMATS = ("jpeg", "png", "rgb")
LOOK = 0.02                     # s between two looks at the run
AGAIN = 1.0                     # s between two times that a Model is sent whose values were changed while it runs
ENDED = "the process that draws them has ended"
PROCESS = "app.demonstrations.policy.eyes_process"
_FLAGS = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)     # on Windows


@dataclass(frozen=True, slots=True)
class Wanted:
    """width, height [pixel]; rate: pictures per simulated second at most; format: one of FORMATS."""

    width: int = 128
    height: int = 96
    rate: float = 10.0
    format: str = "jpeg"


@dataclass(frozen=True, slots=True)
class Cameras(Message):
    """A policy wants pictures of these from now on, of none where there is none."""

    cameras: Mapping[str, Wanted]


@dataclass(frozen=True, slots=True)
class Picture:
    """number: rises with every picture; time [s]: of the state that was drawn; data: as the format says, rgb: bytes by rows from the top."""

    number: int
    time: float
    wanted: Wanted
    data: bytes

    def told(self) -> dict:
        """As it stands in a state."""
        wanted = self.wanted
        return {"number": self.number, "time": self.time, "width": wanted.width, "height": wanted.height, "format": wanted.format, "data": base64.b64encode(self.data).decode()}


def _cameras(value) -> Mapping[str, Wanted]:
    if not isinstance(value, dict) or len(value) > MOST_CAMERAS:
        raise ValueError(f"is an object of at most {MOST_CAMERAS} cameras by name")
    return MappingProxyType({name: _wanted(one) for name, one in value.items()})


def _wanted(value) -> Wanted:
    if not isinstance(value, dict) or (unknown := value.keys() - set(Wanted.__slots__)):
        raise ValueError(f"has no key {sorted(unknown)[0][:40]!r}" if isinstance(value, dict) else "says of each camera its width, height, rate and format")
    default = Wanted()
    width, height = (natural(value.get(side, getattr(default, side))) for side in ("width", "height"))
    if not SMALLEST <= min(width, height) <= max(width, height) <= LARGEST:
        raise ValueError(f"has pictures of {SMALLEST} to {LARGEST} pixels")
    rate = number(MOST_RATE)(value.get("rate", default.rate))
    if rate <= 0:
        raise ValueError("has rates above 0")
    if value.get("format", default.format) not in FORMATS:
        raise ValueError(f"has formats {', '.join(FORMATS)}")
    return Wanted(width, height, rate, value.get("format", default.format))


CAMERAS = Key(_cameras, required=True)


class Artist:
    """The process that draws. All in one thread, but `end`."""

    def __init__(self):
        env = dict(os.environ, PYTHONPATH=os.pathsep.join(path for path in sys.path if path), OPENBLAS_NUM_THREADS="1")
        self._process = subprocess.Popen([sys.executable, "-m", PROCESS], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, creationflags=_FLAGS)
        self._sent, self._sent_at = None, 0.0   # the Model that it has, as (itself, revision), and since when

    def draw(self, snapshot, camera: int | str, wanted: Wanted) -> bytes:
        """A picture. Raises RuntimeError with why there is none, OSError or EOFError where the process has ended."""
        m, now = snapshot.model, time.monotonic()
        if self._sent is None or self._sent[0] is not m or self._sent[1] != snapshot.revision and now > self._sent_at + AGAIN:
            self._sent, self._sent_at = (m, snapshot.revision), now
            send(self._process.stdin, ("model", m))
        send(self._process.stdin, ("draw", snapshot, camera, wanted.width, wanted.height, wanted.format))
        data, why = receive(self._process.stdout)
        if why:
            raise RuntimeError(why)
        return data

    def end(self) -> None:
        """From any thread: who waits for a picture gets none."""
        self._process.kill()

    def close(self) -> None:
        """Wait for its end."""
        self.end()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                pipe.close()
            except OSError:     # something was still to be sent
                pass


class Eyes:
    """runner: of the run that is seen; reader: a number of Runner.add_reader that nobody else uses; changed(): there is a new picture, or none any more, in the thread that draws.

    failed: why there are no pictures any more, '' while there may be. `ask` and `take` may be called from any thread."""

    def __init__(self, runner: Runner, reader: int, changed: Callable[[], None] = lambda: None):
        self.failed = ""
        self._runner, self._reader, self._changed = runner, reader, changed
        self._wanted: Mapping[str, Wanted] = {}
        self._made: dict[str, Picture] = {}     # that nobody has taken yet
        self._lock = threading.Lock()
        self._bell = threading.Event()
        self._stopping = False
        self._number = 0
        self._drawn: dict[str, tuple[tuple, float]] = {}    # camera -> (what is not to change, simulated time) of its last picture
        self._artist: Artist | None = None
        self._thread = threading.Thread(target=self._live, name="policy pictures", daemon=True)
        self._thread.start()

    def ask(self, wanted: Mapping[str, Wanted]) -> None:
        """Draw these from now on."""
        with self._lock:
            self._wanted = dict(wanted)
            self._made = {name: one for name, one in self._made.items() if self._wanted.get(name) == one.wanted}
        self._bell.set()

    def take(self) -> dict[str, Picture]:
        """The newest pictures of cameras since the last call."""
        with self._lock:
            made, self._made = self._made, {}
        return made

    def close(self) -> None:
        """End it, and the process with it."""
        self._stopping = True
        self._bell.set()
        with self._lock:
            artist = self._artist
        if artist is not None:
            artist.end()
        self._thread.join()

    # ------------------------------------------------ the thread that draws

    def _live(self) -> None:
        try:
            while not self._stopping:
                if not self._wanted:
                    self._bell.wait()
                self._bell.clear()
                drew = self._turn()
                self._bell.wait(max(LOOK, drew))
        except Exception as error:      # noqa: BLE001  no OpenGL here, perhaps: the policy goes on without pictures, and the person reads why
            if not self._stopping:
                self.failed = ENDED if isinstance(error, EOFError | OSError) else str(error)
                self._changed()
        finally:
            if self._artist is not None:
                self._artist.close()

    def _turn(self) -> float:
        """Draw what is due; how long that took [s]."""
        begun, snapshot = time.perf_counter(), self._runner.acquire(self._reader)
        if snapshot is None or snapshot.model is None:
            return 0.0
        names = camera_names(snapshot.model)
        for name, wanted in self._wanted.items():
            known = snapshot.generation, snapshot.revision, snapshot.starts, snapshot.history_branch, wanted
            before, last = self._drawn.get(name, (None, 0.0))
            now = float(snapshot.time)
            if name not in names or self._stopping or known == before and last <= now < last + 1.0 / wanted.rate - 1e-9:
                continue
            due = last + 1.0 / wanted.rate      # so that pictures do not fall behind by what each comes late
            self._drawn[name] = known, due if known == before and last <= now < due + 1.0 / wanted.rate else now
            data = self._draw(snapshot, name if name == FREE_CAMERA else names.index(name), wanted)
            with self._lock:
                if self._wanted.get(name) == wanted:
                    self._number += 1
                    self._made[name] = Picture(self._number, now, wanted, data)
            self._changed()
        return time.perf_counter() - begun

    def _draw(self, snapshot, camera: int | str, wanted: Wanted) -> bytes:
        if self._artist is None:
            artist = Artist()
            with self._lock:
                self._artist = artist
            if self._stopping:      # whoever stops has not seen it
                artist.end()
        return self._artist.draw(snapshot, camera, wanted)


def unknown(wanted: Mapping[str, Wanted], names: tuple[str, ...]) -> str:
    """What is wrong with names of cameras; ''."""
    missing = next((name for name in wanted if name not in names), None)
    return "" if missing is None else f"the model has no camera '{missing[:64]}'{hint(missing, names)}"
