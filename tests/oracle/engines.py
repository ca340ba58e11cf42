"""What one engine says about one state: every field that the stages compare, copied out, the same way for both engines.

`OFFICIAL` and `OURS` answer alike, so an engine can also be held against itself (tests/oracle/sensitivity.py).
"""
from dataclasses import dataclass

import mujoco
import numpy as np

import physics
from physics.engine.inertia import energy
from tests.oracle.states import State

CONTACT_FIELDS = ("dist", "pos", "frame", "includemargin", "friction", "solref", "solreffriction", "solimp", "dim", "geom", "exclude", "adhesion", "surfacevel")
SENSOR_STAGES = (("sensors_pos", 1), ("sensors_vel", 2), ("sensors_acc", 3))
INTEGRATED = ("qpos", "qvel", "act")
INVERSE_FIELDS = ("qfrc_inverse", "qfrc_constraint")


@dataclass(frozen=True)
class Answer:
    """Fields of one state by name: `plain` of the whole model, `contact` a row per contact, `row` a row per constraint row; `after` one step."""

    ncon: int
    nefc: int
    plain: dict
    contact: dict
    row: dict
    sensors: dict
    inverse: dict
    after: dict
    qacc: np.ndarray
    energy_terms: float = 0.0   # sum of the magnitudes of the bodies' potential energies [J]


class Official:
    """MuJoCo's own engine."""

    data = staticmethod(mujoco.MjData)
    forward = staticmethod(mujoco.mj_forward)
    inverse = staticmethod(mujoco.mj_inverse)
    step = staticmethod(mujoco.mj_step)

    @staticmethod
    def contact(data, name: str) -> np.ndarray:
        return np.array(getattr(data.contact, name))

    @staticmethod
    def energy(model, data) -> np.ndarray:
        mujoco.mj_energyPos(model, data)
        mujoco.mj_energyVel(model, data)
        return np.array(data.energy)

    @staticmethod
    def jacobian(model, data) -> np.ndarray:
        if mujoco.mj_isSparse(model):
            return _dense(data, "efc_J", int(data.nefc), model.nv)
        return np.array(data.efc_J).reshape(-1, model.nv)[:int(data.nefc)]


class Ours:
    """The engine under test."""

    data = staticmethod(physics.Data)
    forward = staticmethod(physics.forward)
    inverse = staticmethod(physics.inverse)
    step = staticmethod(physics.step)

    @staticmethod
    def contact(data, name: str) -> np.ndarray:
        return np.array(getattr(data, f"contact_{name}"))[:int(data.ncon)]

    @staticmethod
    def energy(model, data) -> np.ndarray:
        energy.energy_pos(model, data)
        energy.energy_vel(model, data)
        return np.array(data.energy)

    @staticmethod
    def jacobian(model, data) -> np.ndarray:
        return _dense(data, "efc_J", int(data.nefc), model.nv)


OFFICIAL, OURS = Official(), Ours()


def ask(engine, model, state: State, plain: tuple, rows: tuple, qacc=None) -> Answer:
    """Everything `engine` computes at `state`.

    plain and rows name the fields wanted. The inverse is that of `qacc`, by default of an acceleration that is not the one found here.
    """
    data = engine.data(model)
    state.into(data)
    engine.forward(model, data)
    found = {name: np.array(getattr(data, name)) for name in plain if name not in ("moment", "energy")}
    found["moment"] = _moment(model, data)
    nefc = int(data.nefc)
    contact = {name: engine.contact(data, name) for name in (*CONTACT_FIELDS, "efc_address")}
    row = {"efc_J": engine.jacobian(model, data), **{name: np.array(getattr(data, name))[:nefc] for name in rows}}
    sensors = {name: _sensors(model, data, stage) for name, stage in SENSOR_STAGES}
    found["energy"] = engine.energy(model, data)
    ncon = int(data.ncon)
    if qacc is None:
        qacc = np.array(data.qacc) + np.random.default_rng(0).normal(size=model.nv)
    data.qacc[:] = qacc
    engine.inverse(model, data)
    inverse = {name: np.array(getattr(data, name)) for name in INVERSE_FIELDS}
    return Answer(ncon, nefc, found, contact, row, sensors, inverse, _after(engine, model, state), qacc, _energy_terms(model, found["xipos"]))


def _energy_terms(model, xipos) -> float:
    return float(np.sum(np.asarray(model.body_mass) * np.abs(np.asarray(xipos).reshape(-1, 3) @ np.asarray(model.opt.gravity))))


def _after(engine, model, state: State) -> dict:
    data = engine.data(model)
    state.into(data)
    engine.step(model, data)
    return {"time": np.array([data.time]), **{name: np.array(getattr(data, name)) for name in INTEGRATED}}


def _sensors(model, data, stage: int) -> np.ndarray:
    """A stage's sensors, each of which is a row; nothing is read while the flag is off."""
    off = model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_SENSOR
    which = [] if off else np.flatnonzero(np.asarray(model.sensor_needstage) == stage)
    found = np.zeros((len(which), max((model.sensor_dim[i] for i in which), default=0)))
    for row, i in enumerate(which):
        found[row, :model.sensor_dim[i]] = data.sensordata[model.sensor_adr[i]:model.sensor_adr[i] + model.sensor_dim[i]]
    return found


def _moment(model, data) -> np.ndarray:
    dense = np.zeros((model.nout, model.nv))
    for i in range(dense.shape[0]):
        start, count = int(data.moment_rowadr[i]), int(data.moment_rownnz[i])
        dense[i, np.asarray(data.moment_colind).ravel()[start:start + count]] = np.asarray(data.actuator_moment).ravel()[start:start + count]
    return dense


def _dense(data, name: str, count: int, width: int) -> np.ndarray:
    """Sparse rows as a matrix."""
    dense = np.zeros((count, width))
    values, columns = np.asarray(getattr(data, name)).ravel(), np.asarray(getattr(data, f"{name}_colind")).ravel()
    for i in range(count):
        start, length = int(getattr(data, f"{name}_rowadr")[i]), int(getattr(data, f"{name}_rownnz")[i])
        dense[i, columns[start:start + length]] = values[start:start + length]
    return dense
