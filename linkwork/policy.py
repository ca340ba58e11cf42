"""For programs that drive a model of Linkwork as a policy, each in a process of its own. It needs nothing but Python: a copy of this file serves where linkwork is not installed.

    from linkwork.policy import run

    def act(state):
        return {"shoulder": 0.5 - state.joint("shoulder")}      # controls by the names of actuators

    run(act)

The process reads states from its standard input and writes actions to its standard output, a JSON object a line each; what `act` prints goes to standard error. `serve` does the same at an
address. docs/demonstrations.md has the messages.
"""
from __future__ import annotations

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


class State:
    """One moment. time [s]; qpos (nq), qvel (nv), ctrl (nu), sensordata (nsensordata): lists of floats; driver: who drives now, 'policy', 'person' or 'script'; fresh: it is no continuation
    of the state before, as after a reset; model: what is said of the model once ('joints', 'actuators', 'sensors', 'mocap', 'timestep', 'rate', 'name')."""

    def __init__(self, message: Mapping[str, Any], model: Mapping[str, Any]):
        self.model = model
        self.time, self.driver, self.fresh = message["time"], message["driver"], message["fresh"]
        self.qpos, self.qvel, self.ctrl, self.sensordata = (message[name] for name in ("qpos", "qvel", "ctrl", "sensordata"))

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


def run(act: Act) -> None:
    """Answer each state by act(state), until nobody asks any more: an Action, a dict of controls, or None to leave all as it is."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())     # what is printed is no action
    try:
        _answer(act, sys.stdin, out)
    except BrokenPipeError:     # who asked has gone
        pass


def serve(act: Act, port: int, host: str = "127.0.0.1", ready: Callable[[int], None] = lambda port: None) -> None:
    """The same for who connects to an address, one after the other, for ever. port: 0 for any that is free, which ready(port) is told. Raises OSError."""
    with socket.create_server((host, port)) as listening:
        ready(listening.getsockname()[1])
        while True:
            connection, _address = listening.accept()
            with connection, connection.makefile("r", encoding="utf-8") as lines, connection.makefile("w", encoding="utf-8") as out:
                try:
                    _answer(act, lines, out)
                except ConnectionError:
                    continue


def _answer(act: Act, lines: Iterable[str], out) -> None:
    model: Mapping[str, Any] = {}
    for line in lines:
        message = json.loads(line)
        if message["kind"] == "hello":
            model = message
        elif message["kind"] == "state":
            for said in _messages(act(State(message, model))):
                out.write(json.dumps({"v": VERSION, "seq": message["seq"], "t": message["t"], **said}) + "\n")
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
