"""What a policy is told, a JSON object a line: the model once (again after each change), then states.

    {"v":1, "seq":0, "t":ms, "kind":"hello", "name", "timestep", "rate", "joints":{name: [qposadr, dofadr]}, "actuators":{name: [low, high] or null}, "sensors":{name: [adr, dim]}, "mocap":[name], "cameras":[name]}
    {"v":1, "seq":n, "t":ms, "kind":"state", "time", "driver", "fresh", "qpos":[nq], "qvel":[nv], "ctrl":[nu], "sensordata":[nsensordata]}
        and, where a camera that was asked for has a new picture, "pictures":{name: {"number", "time", "width", "height", "format", "data" in base64}}
"""
from __future__ import annotations

import json

from app.inputs.protocol.decode import VERSION
from app.inputs.servos import control_index
from physics.model.model import Model

FREE_CAMERA = "free"
FIELDS = ("qpos", "qvel", "ctrl", "sensordata")


def actuator_names(m: Model) -> dict[str, int]:
    """{name of an actuator: index of its control, -1 where it has none or several}; what has no name is called actuator0, actuator1, ..."""
    return {name or f"actuator{i}": control_index(m, i) for i, name in enumerate(m.names["actuator"])}


def mocap_names(m: Model) -> dict[str, int]:
    """{name of a mocap body: its mocapid}."""
    return {name or f"body{i}": int(m.body_mocapid[i]) for i, name in enumerate(m.names["body"]) if m.body_mocapid[i] >= 0}


def camera_names(m: Model) -> tuple[str, ...]:
    """The cameras of a Model in their order, 'camera N' for those without a name; then the free one."""
    return (*(name or f"camera {i}" for i, name in enumerate(m.names["camera"])), FREE_CAMERA)


def hello(m: Model, rate: float, t: float) -> bytes:
    """What a Model is; a line. rate: states per simulated second; t [ms]."""
    return _line("hello", 0, t, {
        "name": m.title or "", "timestep": float(m.opt_timestep), "rate": rate,
        "joints": {name or f"joint{j}": [int(m.jnt_qposadr[j]), int(m.jnt_dofadr[j])] for j, name in enumerate(m.names["joint"])},
        "actuators": {name: m.actuator_ctrlrange[i].tolist() if i >= 0 and m.actuator_ctrllimited[i] else None for name, i in actuator_names(m).items()},
        "sensors": {name: [int(m.sensor_adr[k]), int(m.sensor_dim[k])] for k, name in enumerate(m.names["sensor"]) if name}, "mocap": list(mocap_names(m)),
        "cameras": list(camera_names(m))})


def state(snapshot, seq: int, t: float, driver: str, fresh: bool, pictures: dict | None = None) -> bytes:
    """A Snapshot; a line. fresh: it does not go on from the one before; pictures: new ones of cameras, by name."""
    seen = {"pictures": pictures} if pictures else {}
    return _line("state", seq, t, {"time": float(snapshot.time), "driver": driver, "fresh": fresh, **{name: getattr(snapshot, name).tolist() for name in FIELDS}, **seen})


def _line(kind: str, seq: int, t: float, more: dict) -> bytes:
    return json.dumps({"v": VERSION, "seq": seq, "t": round(t, 3), "kind": kind, **more}, separators=(",", ":")).encode() + b"\n"
