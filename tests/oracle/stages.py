"""Stage by stage agreement of the two engines at one state (measures.md, 'stages').

Both engines are given the same state and asked for a forward pass; a stage's value is the largest `rel` over its fields. A stage whose
fields an engine does not compute yet is None ('not computed'), never skipped. Contacts are matched by their geoms and position first.
efc_state is left out: with islands the official array is in another order than its rows; the forces show the same.
"""
import mujoco
import numpy as np

import physics
from tests.oracle.compare import rel
from tests.oracle.states import State

PLAIN_FIELDS = (
    ("kinematics", ("xpos", "xquat", "xmat", "xipos", "ximat", "xanchor", "xaxis", "geom_xpos", "geom_xmat", "site_xpos", "site_xmat",
                    "cam_xpos", "cam_xmat", "light_xpos", "light_xdir")),
    ("com", ("subtree_com", "cinert", "cdof")),
    ("tendon", ("ten_length", "ten_J")),
    ("transmission", ("actuator_length",)),
    ("inertia", ("M",)),
    ("factor", ("qLD", "qLDiagInv")),
    ("velocity", ("cvel", "cdof_dot", "ten_velocity", "actuator_velocity")),
    ("passive", ("qfrc_spring", "qfrc_damper", "qfrc_passive")),
    ("bias", ("qfrc_bias",)),
    ("actuation", ("actuator_force", "qfrc_actuator", "act_dot")),
    ("qacc_smooth", ("qfrc_smooth", "qacc_smooth")),
    ("qacc", ("qacc", "qfrc_constraint")),
)
CONTACT_FIELDS = ("dist", "pos", "frame", "includemargin", "friction", "solref", "solreffriction", "solimp", "dim", "geom", "exclude")
ROW_FIELDS = ("efc_type", "efc_id", "efc_pos", "efc_margin", "efc_frictionloss", "efc_diagA", "efc_vel")
REFERENCE_FIELDS = ("efc_aref", "efc_R", "efc_D")
SENSOR_STAGES = (("sensors_pos", 1), ("sensors_vel", 2), ("sensors_acc", 3))
STAGES = ("kinematics", "com", "tendon", "transmission", "inertia", "factor", "collision", "efc_rows", "velocity", "passive", "bias",
          "actuation", "qacc_smooth", "reference", "qacc", "efc_force", "integrate", "sensors_pos", "sensors_vel", "sensors_acc",
          "energy", "inverse")
SOLVER_STAGES = ("qacc", "efc_force", "integrate")
PENDING: dict[str, str] = {}


def limit(stage: str) -> float:
    """Largest rel a stage may have: 1e-9, and 1e-8 where an iterative solver has a say."""
    return 1e-8 if stage in SOLVER_STAGES else 1e-9


def compare(ours_model, official_model, state: State) -> tuple[dict, int, int]:
    """({stage: rel or None}, ncon, nefc) at `state`; both models should have their tolerances at 0."""
    official = mujoco.MjData(official_model)
    ours = physics.Data(ours_model)
    state.into(official)
    state.into(ours)
    mujoco.mj_forward(official_model, official)
    physics.forward(ours_model, ours)
    found = {name: max((rel(getattr(ours, field), getattr(official, field)) for field in fields), default=0.0) for name, fields in PLAIN_FIELDS}
    found["transmission"] = max(found["transmission"], rel(_moment(ours_model, ours), _moment(official_model, official)))
    order = _contact_order(ours, official)
    found["collision"] = _collision(ours, official, order)
    rows = None if order is None else _row_order(ours, official, order)
    found["efc_rows"] = _rows(ours_model, ours, official_model, official, rows)
    found["reference"] = _fields(ours, official, REFERENCE_FIELDS, rows)
    found["efc_force"] = _fields(ours, official, ("efc_force",), rows)
    found["energy"] = _energy(ours_model, ours, official_model, official)
    for name, stage in SENSOR_STAGES:
        found[name] = _sensors(ours, official_model, official, stage)
    found["inverse"] = _inverse(ours_model, ours, official_model, official)
    found["integrate"] = _integrate(ours_model, official_model, state)
    return {name: found[name] for name in STAGES}, int(official.ncon), int(official.nefc)


def _sensors(ours, model, official, stage: int) -> float:
    """rel of a stage's sensors, each of which is a row; nothing is read while the flag is off."""
    if model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_SENSOR:
        return 0.0
    which = np.flatnonzero(np.asarray(model.sensor_needstage) == stage)
    mine, theirs = np.zeros((2, len(which), max((model.sensor_dim[i] for i in which), default=0)))
    for row, i in enumerate(which):
        for rows, data in ((mine, ours), (theirs, official)):
            rows[row, :model.sensor_dim[i]] = data.sensordata[model.sensor_adr[i]:model.sensor_adr[i] + model.sensor_dim[i]]
    return rel(mine, theirs)


def _moment(model, data) -> np.ndarray:
    dense = np.zeros((model.nout, model.nv))
    for i in range(dense.shape[0]):
        start, count = int(data.moment_rowadr[i]), int(data.moment_rownnz[i])
        dense[i, np.asarray(data.moment_colind).ravel()[start:start + count]] = np.asarray(data.actuator_moment).ravel()[start:start + count]
    return dense


def _contact(data, name: str, official: bool) -> np.ndarray:
    n = int(data.ncon)
    return np.asarray(getattr(data.contact, name)) if official else np.asarray(getattr(data, f"contact_{name}"))[:n]


def _contact_order(ours, official):
    """Index into our contacts for each official one (same geoms, nearest position), or None where the lists do not match."""
    if int(ours.ncon) != int(official.ncon):
        return None
    our_geom, our_pos = _contact(ours, "geom", False), _contact(ours, "pos", False)
    geom, pos = _contact(official, "geom", True), _contact(official, "pos", True)
    free, order = set(range(len(geom))), []
    for i in range(len(geom)):
        same = [k for k in free if tuple(our_geom[k]) == tuple(geom[i])]
        if not same:
            return None
        best = min(same, key=lambda k: (float(np.abs(our_pos[k] - pos[i]).sum().round(9)), abs(k - i)))
        free.remove(best)
        order.append(best)
    return order


def _collision(ours, official, order) -> float:
    if order is None:
        return float("inf")
    if not order:
        return 0.0
    return max(rel(_contact(ours, name, False)[order], _contact(official, name, True)) for name in CONTACT_FIELDS)


def _row_order(ours, official, order):
    """Index into our rows for each official row: rows before the contacts in place, contact rows with their contact."""
    if int(ours.nefc) != int(official.nefc):
        return None
    rows = np.arange(int(official.nefc))
    our_address, address = _contact(ours, "efc_address", False), _contact(official, "efc_address", True)
    starts = sorted(a for a in address if a >= 0) + [int(official.nefc)]
    for i, k in enumerate(order):
        if (address[i] < 0) != (our_address[k] < 0):
            return None
        if address[i] >= 0:
            length = starts[starts.index(address[i]) + 1] - address[i]
            rows[address[i]:address[i] + length] = our_address[k] + np.arange(length)
    return rows


def _fields(ours, official, names, rows) -> float:
    if rows is None:
        return float("inf")
    return max(rel(np.asarray(getattr(ours, name))[rows], np.asarray(getattr(official, name))[:len(rows)]) for name in names)


def _rows(ours_model, ours, official_model, official, rows) -> float:
    if rows is None:
        return float("inf")
    dense = np.zeros((int(ours.nefc), ours_model.nv))
    for i in range(int(ours.nefc)):
        start, count = int(ours.efc_J_rowadr[i]), int(ours.efc_J_rownnz[i])
        dense[i, ours.efc_J_colind[start:start + count]] = ours.efc_J[start:start + count]
    return max(rel(dense[rows], _official_jacobian(official_model, official)), _fields(ours, official, ROW_FIELDS, rows))


def _official_jacobian(model, data) -> np.ndarray:
    n = int(data.nefc)
    if not mujoco.mj_isSparse(model):
        return np.asarray(data.efc_J).reshape(-1, model.nv)[:n]
    dense = np.zeros((n, model.nv))
    for i in range(n):
        start, count = int(data.efc_J_rowadr[i]), int(data.efc_J_rownnz[i])
        dense[i, np.asarray(data.efc_J_colind).ravel()[start:start + count]] = np.asarray(data.efc_J).ravel()[start:start + count]
    return dense


def _energy(ours_model, ours, official_model, official) -> float:
    from physics.engine import energy

    mujoco.mj_energyPos(official_model, official)
    mujoco.mj_energyVel(official_model, official)
    energy.energy_pos(ours_model, ours)
    energy.energy_vel(ours_model, ours)
    return rel(ours.energy, official.energy)


def _inverse(ours_model, ours, official_model, official) -> float:
    """Inverse dynamics of an acceleration that is not the one forward dynamics found."""
    qacc = np.array(official.qacc) + np.random.default_rng(0).normal(size=official_model.nv)
    official.qacc[:] = qacc
    ours.qacc[:] = qacc
    mujoco.mj_inverse(official_model, official)
    physics.inverse(ours_model, ours)
    return max(rel(getattr(ours, name), getattr(official, name)) for name in ("qfrc_inverse", "qfrc_constraint"))


def _integrate(ours_model, official_model, state: State) -> float:
    official, ours = mujoco.MjData(official_model), physics.Data(ours_model)
    state.into(official)
    state.into(ours)
    mujoco.mj_step(official_model, official)
    physics.step(ours_model, ours)
    pairs = [(getattr(ours, name), getattr(official, name)) for name in ("qpos", "qvel", "act")] + [(np.array([ours.time]), np.array([official.time]))]
    return max(rel(a, b) for a, b in pairs)
