"""For programs that drive a model of Linkwork as a policy, each in a process of its own. It needs nothing but Python: a copy of this file serves where linkwork is not installed.

    from linkwork.policy import run

    def act(state):
        return {"shoulder": 0.5 - state.joint("shoulder")}      # controls by the names of actuators

    run(act)

The process reads states from its standard input and writes actions to its standard output, a JSON object a line each; what `act` prints goes to standard error. `serve` does the same at an
address. docs/demonstrations.md has the messages.
"""
from __future__ import annotations

import base64
import io
import json
import os
import socket
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

VERSION = 1


class Action(NamedTuple):
    """controls: by the names of actuators, in their units; joints: where position actuators are to bring joints, by name [rad, m]; mocap: (pos (3) [m], quat (4) w first), or one of them and
    None, by the names of mocap bodies; event: 'success', 'failure', 'discard', 'start', 'stop', 'reset' or 'undo', what is to happen to the episode."""

    controls: Mapping[str, float] | None = None
    joints: Mapping[str, float] | None = None
    mocap: Mapping[str, tuple[Sequence[float] | None, Sequence[float] | None]] | None = None
    event: str = ""


class Camera(NamedTuple):
    """What a policy wants of a camera: width, height (8 to 1024) [pixel]; rate: pictures per simulated second (60 at most); format: 'jpeg', 'png', or 'rgb', which is not compressed and needs no package."""

    width: int = 128
    height: int = 96
    rate: float = 10.0
    format: str = "jpeg"


class Picture(NamedTuple):
    """What a camera saw at `time` [s]; number: rises with every picture; data: as the format says, of 'rgb' by rows from the top."""

    number: int
    time: float
    width: int
    height: int
    format: str
    data: bytes

    def array(self):
        """(height, width, 3) uint8, top row first. Needs NumPy, and Pillow unless the format is 'rgb'."""
        import numpy as np

        if self.format == "rgb":
            return np.frombuffer(self.data, np.uint8).reshape(self.height, self.width, 3)
        from PIL import Image

        return np.asarray(Image.open(io.BytesIO(self.data)).convert("RGB"))


class State:
    """One moment. time [s]; qpos (nq), qvel (nv), ctrl (nu), sensordata (nsensordata): lists of floats; driver: who drives now, 'policy', 'person' or 'script'; fresh: it is no continuation
    of the state before, as after a reset; model: what is said of the model once ('joints', 'actuators', 'sensors', 'mocap', 'cameras', 'timestep', 'rate', 'name')."""

    def __init__(self, message: Mapping[str, Any], model: Mapping[str, Any], pictures: Mapping[str, Picture] | None = None):
        self.model, self._pictures = model, pictures or {}
        self.time, self.driver, self.fresh = message["time"], message["driver"], message["fresh"]
        self.qpos, self.qvel, self.ctrl, self.sensordata = (message[name] for name in ("qpos", "qvel", "ctrl", "sensordata"))

    def picture(self, camera: str) -> Picture | None:
        """The newest picture of a camera that was asked for, of this state or one shortly before; None before the first."""
        return self._pictures.get(camera)

    def joint(self, name: str) -> float:
        """The first coordinate of a joint [rad or m]. Raises KeyError."""
        return self.qpos[self.model["joints"][name][0]]

    def velocity(self, name: str) -> float:
        """The first speed of a joint [rad/s or m/s]. Raises KeyError."""
        return self.qvel[self.model["joints"][name][1]]

    def sensor(self, name: str) -> list[float]:
        """The numbers of a sensor. Raises KeyError."""
        first, count = self.model["sensors"][name]
        return self.sensordata[first:first + count]


Act = Callable[[State], "Action | Mapping[str, float] | None"]


def run(act: Act, cameras: Mapping[str, Camera] | None = None) -> None:
    """Answer each state by act(state), until nobody asks any more: an Action, a dict of controls, or None to leave all as it is. cameras: whose pictures states are to have, four at most, by name ('free' is the free one)."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())     # what is printed is no action
    try:
        _answer(act, sys.stdin, out, cameras)
    except BrokenPipeError:     # who asked has gone
        pass


def serve(act: Act, port: int, host: str = "127.0.0.1", ready: Callable[[int], None] = lambda port: None,
          cameras: Mapping[str, Camera] | None = None) -> None:
    """The same for who connects to an address, one after the other, for ever. port: 0 for any that is free, which ready(port) is told. Raises OSError."""
    with socket.create_server((host, port)) as listening:
        ready(listening.getsockname()[1])
        while True:
            connection, _address = listening.accept()
            with connection, connection.makefile("r", encoding="utf-8") as lines, connection.makefile("w", encoding="utf-8") as out:
                try:
                    _answer(act, lines, out, cameras)
                except ConnectionError:
                    continue


def _answer(act: Act, lines: Iterable[str], out, cameras: Mapping[str, Camera] | None = None) -> None:
    model: Mapping[str, Any] = {}
    pictures: dict[str, Picture] = {}
    for line in lines:
        message, said = json.loads(line), []
        if message["kind"] == "hello":
            model, pictures = message, {}
            if cameras:
                said = [{"kind": "cameras", "cameras": {name: camera._asdict() for name, camera in cameras.items()}}]
        elif message["kind"] == "state":
            pictures |= {name: Picture(**{**one, "data": base64.b64decode(one["data"])}) for name, one in message.get("pictures", {}).items()}
            said = _messages(act(State(message, model, pictures)))
        for one in said:
            out.write(json.dumps({"v": VERSION, "seq": message["seq"], "t": message["t"], **one}) + "\n")
        out.flush()


def _messages(action: Action | Mapping[str, float] | None) -> list[dict]:
    """At least one: a state that is not answered keeps the next one waiting."""
    if not isinstance(action, Action):
        action = Action(controls=action)
    found: list[dict] = [{"kind": "pose", "source": name, "p": _floats(pose[0]), "q": _floats(pose[1])} for name, pose in (action.mocap or {}).items()]
    if action.joints:
        found.append({"kind": "joints", "joints": {name: float(value) for name, value in action.joints.items()}})
    if action.event:
        found.append({"kind": "event", "event": action.event})
    if action.controls or not found:
        found.append({"kind": "controls", "controls": {name: float(value) for name, value in (action.controls or {}).items()}})
    return found


def _floats(numbers: Sequence[float] | None) -> list[float] | None:
    return None if numbers is None else [float(number) for number in numbers]
