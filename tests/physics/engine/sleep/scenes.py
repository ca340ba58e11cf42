"""Scenes that fall asleep and are woken, and the comparison of both engines step by step."""
from __future__ import annotations

import mujoco
import numpy as np

import physics

FLAGGED = '<option timestep="0.005"><flag sleep="enable"/></option>'
FLOOR = '<geom name="floor" type="plane" size="9 9 .1"/>'

EXACT = ("tree_asleep", "tree_awake", "body_awake")
COUNTS = ("ntree_awake", "nbody_awake", "nparent_awake", "nv_awake", "ncon", "nefc")
LISTS = (("body_awake_ind", "nbody_awake"), ("parent_awake_ind", "nparent_awake"), ("dof_awake_ind", "nv_awake"))
FIELDS = ("qpos", "qvel", "act", "xpos", "xquat", "xipos", "geom_xpos", "geom_xmat", "site_xpos", "subtree_com", "cinert", "cdof", "cvel", "cdof_dot", "M", "qLD",
          "ten_length", "ten_velocity", "actuator_length", "actuator_velocity", "actuator_force", "qfrc_bias", "qfrc_passive", "qfrc_actuator", "qfrc_smooth",
          "qacc_smooth", "qfrc_constraint", "qacc", "qacc_warmstart", "sensordata", "energy", "cam_xpos", "light_xpos")


def box(name: str, pos: str, more: str = "", joint: str = "<freejoint/>") -> str:
    """A box of 0.2 m that moves."""
    return f'<body name="{name}" pos="{pos}" {more}>{joint}<geom name="{name}" type="box" size=".1 .1 .1"/><site name="{name}"/></body>'


def world(bodies: str, more: str = "", option: str = FLAGGED) -> str:
    """An MJCF text with a floor."""
    return f"<mujoco>{option}<worldbody>{FLOOR}{bodies}</worldbody>{more}</mujoco>"


def pair_of(xml: str, **options):
    """(official model, its data, our model, our data) with exact solvers; options: changes to opt of both."""
    mj, m = mujoco.MjModel.from_xml_string(xml), physics.load_string(xml)
    for name, value in {"tolerance": 0.0, "iterations": 100, "ls_tolerance": 1e-12, **options}.items():
        setattr(mj.opt, name, value)
        setattr(m, "opt_" + name, value)
    return mj, mujoco.MjData(mj), m, physics.Data(m)


def difference(theirs, ours) -> dict:
    """{field: what is wrong} of all that follows from a step; numbers within 1e-8 of the field's largest are right."""
    wrong = {}
    for name in EXACT:
        if not np.array_equal(getattr(theirs, name), getattr(ours, name)):
            wrong[name] = getattr(theirs, name).tolist(), getattr(ours, name).tolist()
    for name in COUNTS:
        if int(getattr(theirs, name)) != int(getattr(ours, name)):
            wrong[name] = int(getattr(theirs, name)), int(getattr(ours, name))
    for name, count in LISTS:
        n = int(getattr(theirs, count))
        if not np.array_equal(getattr(theirs, name)[:n], getattr(ours, name)[:n]):
            wrong[name] = getattr(theirs, name)[:n].tolist(), getattr(ours, name)[:n].tolist()
    for name in FIELDS:
        a, b = np.ravel(getattr(theirs, name)), np.ravel(getattr(ours, name))
        scale = max(1.0, np.abs(a).max(initial=0.0))
        if a.shape != b.shape or not (np.abs(a - b) <= 1e-8 * scale).all():
            wrong[name] = float(np.abs(a - b).max()) if a.shape == b.shape else (a.shape, b.shape)
    return wrong


def take_awake(m, theirs, ours) -> None:
    """Give ours the official state of what is awake, so that rounding does not grow over many steps; sleepers would wake."""
    for t in np.flatnonzero(ours.tree_awake):
        first, n = m.tree_dofadr[t], m.tree_dofnum[t]
        ours.qvel[first:first + n] = theirs.qvel[first:first + n]
        ours.qacc_warmstart[first:first + n] = theirs.qacc_warmstart[first:first + n]
        joints = m.dof_jntid[first], m.dof_jntid[first + n - 1]
        end = m.jnt_qposadr[joints[1] + 1] if joints[1] + 1 < m.njnt else m.nq
        ours.qpos[m.jnt_qposadr[joints[0]]:end] = theirs.qpos[m.jnt_qposadr[joints[0]]:end]


def run(pair, steps: int, act=None) -> list[int]:
    """Step both, comparing all; act(k, data) is called with each data before step k. Returns how many trees were awake after each step."""
    mj, mjd, m, d = pair
    awake = []
    for k in range(steps):
        if act is not None:
            act(k, mjd)
            act(k, d)
        mujoco.mj_step(mj, mjd)
        assert physics.step(m, d) == 1
        assert difference(mjd, d) == {}, f"step {k}"
        awake.append(d.ntree_awake)
        take_awake(m, mjd, d)
    return awake
