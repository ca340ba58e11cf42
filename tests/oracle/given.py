"""The official engine made to go on from our contacts: what then is still apart is no matter of collision detection.

Where the official search for nearest points ends beside the truth (tests.oracle.nearer tells), every later stage is off with it. Here distance,
point, frame and what the surfaces' speed is in that frame are overwritten with ours; all that comes after is computed anew by the official engine.
"""
from types import SimpleNamespace

import mujoco
import numpy as np

import physics
from tests.oracle.engines import OURS, Official
from tests.oracle.stages import matched_contacts
from tests.oracle.states import capture

PLACED = ("dist", "pos", "frame", "surfacevel")
IMPLICIT = (mujoco.mjtIntegrator.mjINT_IMPLICIT, mujoco.mjtIntegrator.mjINT_IMPLICITFAST)
AFTER_CONTACTS = int(mujoco.mjtStage.mjSTAGE_POS)


def give(model, data, contacts: dict) -> bool:
    """Do the official stages of position with these contacts; False where its own are not as many, of the same geoms: then they stay."""
    mujoco.mj_fwdPosition(model, data)
    own = {name: np.array(getattr(data.contact, name)) for name in ("geom", "pos")}
    match = matched_contacts(SimpleNamespace(contact=contacts), SimpleNamespace(contact=own))
    if not len(match) == len(contacts["geom"]) == data.ncon:
        return False
    for mine, its in match:
        for name in PLACED:
            value = getattr(data.contact, name)
            value[its] = np.reshape(contacts[name][mine], value.shape[1:])
    mujoco.mj_makeConstraint(model, data)
    mujoco.mj_island(model, data)
    mujoco.mj_projectConstraint(model, data)
    return True


def finish(model, data) -> None:
    """The rest of a step of any integrator but RK4, which asks for contacts of its own."""
    mujoco.mj_forwardSkip(model, data, AFTER_CONTACTS, 0)
    (mujoco.mj_implicit if model.opt.integrator in IMPLICIT else mujoco.mj_Euler)(model, data)


class Given(Official):
    """The official engine at one state, with these contacts; `fits` is False once they were not the same ones as its own."""

    def __init__(self, contacts: dict):
        self.contacts, self.fits = contacts, True

    def forward(self, model, data) -> None:
        self.fits &= give(model, data, self.contacts)
        mujoco.mj_sensorPos(model, data)
        mujoco.mj_forwardSkip(model, data, AFTER_CONTACTS, 0)

    def inverse(self, model, data) -> None:
        self.fits &= give(model, data, self.contacts)
        mujoco.mj_inverseSkip(model, data, AFTER_CONTACTS, 0)

    def step(self, model, data) -> None:
        if model.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4:
            mujoco.mj_step(model, data)
            return
        self.fits &= give(model, data, self.contacts)
        finish(model, data)


class Following(Official):
    """The official engine, each of whose steps starts from the contacts that we find at its state; its own where they are not the same ones."""

    def __init__(self, ours_model):
        self.model, self.ours = ours_model, physics.Data(ours_model)
        self.own = []   # times of steps with its own contacts

    def step(self, model, data) -> None:
        capture(data).into(self.ours)
        physics.fwd_position(self.model, self.ours)
        contacts = {name: OURS.contact(self.ours, name) for name in ("geom", *PLACED)}
        if model.opt.integrator != mujoco.mjtIntegrator.mjINT_RK4 and give(model, data, contacts):
            finish(model, data)
            return
        self.own.append(data.time)
        mujoco.mj_step(model, data)
