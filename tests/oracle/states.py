"""States at which both engines are compared, produced by the official engine (docs/agreement.md, 'States')."""
import zlib
from dataclasses import dataclass

import mujoco
import numpy as np

from physics.enums import GEOM_HFIELD
from tests.oracle.corpus import Entry, ManifestControl

MOST_STATES = 40
HFIELD_MARGIN = 1e-9   # [m]
STATE_FIELDS = ("qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat", "qacc_warmstart", "xfrc_applied", "eq_active", "userdata",
                "history")


@dataclass(frozen=True)
class State:
    """A full state of the official engine, by official field name."""

    time: float
    fields: dict

    def into(self, data) -> None:
        """Write this state into `data` of either engine."""
        data.time = self.time
        for name, value in self.fields.items():
            target = getattr(data, name)
            if value.size:
                target[...] = value.reshape(target.shape)


def capture(data) -> State:
    return State(data.time, {name: np.array(getattr(data, name)) for name in STATE_FIELDS})


def start(model, data, entry: Entry) -> None:
    """Put the official `data` into the manifest's start state."""
    if entry.starts_at_key:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    else:
        mujoco.mj_resetData(model, data)
    data.qacc_warmstart[:] = 0


def states(model, entry: Entry, count: int) -> list[State]:
    """`count` states: the start state, then states met under the manifest's control with a kicked velocity.

    State k >= 1: 50 k steps from the start, then qvel += 0.1 N(0, 1) with seed crc32(name) + k. For a model that is known to make contacts
    more states follow until one has some.
    """
    data = mujoco.MjData(model)
    start(model, data, entry)
    control = ManifestControl(model, entry.control, entry.starts_at_key)
    data.ctrl[:] = control(data.time)
    mujoco.mj_forward(model, data)
    found, probe = [capture(data)], mujoco.MjData(model)
    touched = data.ncon > 0 or entry.max_controlled_contacts == 0
    for k in range(1, MOST_STATES):
        if k >= count and touched:
            break
        for _ in range(50):
            data.ctrl[:] = control(data.time)
            mujoco.mj_step(model, data)
        kicked = capture(data)
        noise = np.random.default_rng(zlib.crc32(entry.name.encode()) + k).normal(size=model.nv)
        kicked.fields["qvel"] += 0.1 * noise
        found.append(kicked)
        kicked.into(probe)
        mujoco.mj_forward(model, probe)
        touched |= probe.ncon > 0
    return found


def widen_fields(model) -> None:
    """Give bare height fields a margin: without one the official search takes corners of their prisms for one another and ends too soon."""
    model.geom_margin[(model.geom_type == GEOM_HFIELD) & (model.geom_margin == 0)] = HFIELD_MARGIN
