"""What the hard engine cannot do with a model, by name and place, and what of a model it leaves out of account.

    issues(m)    no dynamics until these are changed: features whose motion would be another one
    ignored(m)   a warning each: parameters of soft constraints, and of the soft engine's own algorithm, that have no meaning to rigid contacts

An exact contact has no compliance: solref and solimp say how a constraint yields, impratio how friction rows yield against normal ones, margin and gap where a force begins.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import MappingProxyType

import numpy as np

from physics.engine.actuator.transmission import tendon_armature
from physics.engine.kinematics.joints import is_ball
from physics.enums import (
    CONE_PYRAMIDAL,
    DSBL_CONSTRAINT,
    DSBL_EQUALITY,
    DSBL_EULERDAMP,
    DSBL_LIMIT,
    ENBL_FWDINV,
    ENBL_INVDISCRETE,
    ENBL_OVERRIDE,
    ENBL_SLEEP,
    EQ_CONNECT,
    EQ_JOINT,
    EQ_TENDON,
    EQ_WELD,
    INT_EULER,
    MINVAL,
    OBJ_SITE,
    SOL_NEWTON,
    TRN_BODY,
    EqType,
    Integrator,
    Solver,
)
from physics.errors import Issue, Place
from physics.model.model import Model
from physics.simulate.soft_engine import PENDING_FLAGS, impossible_values

__all__ = ["ignored", "issues"]

SOFT = "Choose the soft engine, which has it"
TIES = (EQ_CONNECT, EQ_WELD, EQ_JOINT, EQ_TENDON)      # equalities that are exact constraints of the hard engine
SOLREF, SOLIMP = (0.02, 1.0), (0.9, 0.95, 0.001, 0.5, 2.0)      # the format's defaults
# parameters of soft constraints: word, its fields with the elements that have them, what holds unless something is written
_YIELDING: Sequence[tuple[str, Sequence[tuple[str, str]], Sequence[float]]] = (
    ("solref", (("geom_solref", "geom"), ("pair_solref", "pair"), ("jnt_solref", "joint"), ("dof_solref", "dof"), ("eq_solref", "equality"),
                ("tendon_solref_lim", "tendon"), ("tendon_solref_fri", "tendon")), SOLREF),
    ("solreffriction", (("pair_solreffriction", "pair"),), (0.0, 0.0)),
    ("solimp", (("geom_solimp", "geom"), ("pair_solimp", "pair"), ("jnt_solimp", "joint"), ("dof_solimp", "dof"), ("eq_solimp", "equality"),
                ("tendon_solimp_lim", "tendon"), ("tendon_solimp_fri", "tendon")), SOLIMP),
    ("margin", (("geom_margin", "geom"), ("pair_margin", "pair"), ("jnt_margin", "joint"), ("tendon_margin", "tendon")), (0.0,)),
    ("gap", (("geom_gap", "geom"), ("pair_gap", "pair")), (0.0,)),
)
_NOTHING_YIELDS = "The hard engine's constraints do not yield; leave it for the soft engine, or take it out"
_REASONS = MappingProxyType({"margin": "Contacts begin where surfaces touch; it counts only for which pairs are looked at", "gap": "Contacts begin where surfaces touch"})
_SECTIONS = MappingProxyType({"geom": "mujoco/worldbody", "pair": "mujoco/contact", "joint": "mujoco/worldbody", "equality": "mujoco/equality", "tendon": "mujoco/tendon"})
# numbers of the soft engine's algorithm, with the format's defaults
_SOFT_SOLVER = (("iterations", 100), ("tolerance", 1e-8), ("ls_iterations", 50), ("ls_tolerance", 0.01))


def issues(m: Model) -> list[Issue]:
    """What keeps the hard engine from moving the model as it is now: [] where nothing does. Order: options, then elements as in the file."""
    return [*_flags(m), *_adhesion(m), *_equalities(m), *_tendons(m), *_balls(m), *_massless(m), *impossible_values(m)]


def ignored(m: Model) -> list[Issue]:
    """What is written in the model and has no effect under the hard engine: one warning of a kind, at the first element that has it. Approximations that hold are notes."""
    found = [issue for row in _YIELDING for issue in _yielding(m, *row)]
    return found + _override(m) + _options(m) + _kept(m)


# ------------------------------------------------------------------ refused

def _issue(place: Place | None, path: str, what: str, hint: str = SOFT) -> Issue:
    return Issue("view", place, path, f"the hard engine has no {what}", hint)


def _place(m: Model, kind: str, index: int) -> Place | None:
    places = m.places[kind]
    return places[index] if index < len(places) else None


def _called(m: Model, kind: str, index: int) -> str:
    """An element's name, or its number."""
    return f"'{m.names[kind][index] or index}'"


def _flags(m: Model) -> list[Issue]:
    """Enable flags that would change the motion."""
    found = []
    if m.opt_enableflags & ENBL_SLEEP:
        found.append(_issue(None, "mujoco/option/flag", "sleeping bodies: the flag 'sleep' is on", "Switch the flag off, or choose the soft engine"))
    for bit, name in PENDING_FLAGS:
        if m.opt_enableflags & bit:
            found.append(_issue(None, "mujoco/option/flag", f"flag '{name}'", "Disable it"))
    return found


def _adhesion(m: Model) -> list[Issue]:
    """Pulling contacts: adhesive geoms and pairs, and actuators that act on the contacts of a body."""
    found = [_issue(_place(m, kind, k), _SECTIONS[kind], f"adhesion: {kind} {_called(m, kind, k)}")
             for kind, field in (("geom", m.geom_adhesion), ("pair", m.pair_adhesion)) for k in np.flatnonzero(field).tolist()]
    found += [_issue(_place(m, "actuator", k), "mujoco/actuator", f"adhesion: actuator {_called(m, 'actuator', k)}") for k in np.flatnonzero(m.actuator_trntype == TRN_BODY).tolist()]
    return found


def _equalities(m: Model) -> list[Issue]:
    """Equalities other than connect, weld, joint and tendon."""
    if m.opt_disableflags & (DSBL_CONSTRAINT | DSBL_EQUALITY):
        return []
    rows = np.flatnonzero(~np.isin(m.eq_type, TIES)).tolist()
    return [_issue(_place(m, "equality", k), "mujoco/equality", f"equality of type '{EqType(int(m.eq_type[k])).name.lower()}': equality {_called(m, 'equality', k)}") for k in rows]


def _tendons(m: Model) -> list[Issue]:
    """Inertia of tendons; it may be an actuator's."""
    heavy = [k for k in range(m.ntendon) if tendon_armature(m, k) != 0]
    return [_issue(_place(m, "tendon", k), "mujoco/tendon", f"armature of tendons: tendon {_called(m, 'tendon', k)}") for k in heavy]


def _balls(m: Model) -> list[Issue]:
    """Limits of ball joints of bodies with further joints: the angle is then not that between the body and its parent."""
    if m.opt_disableflags & (DSBL_CONSTRAINT | DSBL_LIMIT):
        return []
    rows = [j for j in np.flatnonzero((m.jnt_limited != 0) & (m.body_jntnum[m.jnt_bodyid] > 1)).tolist() if is_ball(m, j)]
    return [_issue(_place(m, "joint", k), "mujoco/worldbody", f"limit of a ball joint beside other joints: joint {_called(m, 'joint', k)}", "Give the joint a body of its own") for k in rows]


def _massless(m: Model) -> list[Issue]:
    """Bodies that move and have no inertia along some of their dofs, all that they carry and their joints' armature included: a pivot of theirs is 0."""
    light = ~(m.dof_M0 >= MINVAL)
    if not light.any():
        return []
    return [_issue(_place(m, "body", b), "mujoco/worldbody", f"massless moving bodies: body {_called(m, 'body', b)}", "Give it a mass, or its joints armature")
            for b in np.unique(m.dof_bodyid[light]).tolist()]


# ------------------------------------------------------------------ left out of account

def _warning(place: Place | None, path: str, what: str, hint: str) -> Issue:
    return Issue("warning", place, path, f"the hard engine ignores {what}", hint)


def _yielding(m: Model, word: str, fields: Iterable[tuple[str, str]], usual: Sequence[float]) -> list[Issue]:
    """One warning for a parameter of soft constraints, if elements have another value than the usual one: how many, and which is the first."""
    found: list[tuple[str, int]] = []
    for field, kind in fields:
        values = getattr(m, field)
        rows = np.flatnonzero((np.reshape(values, (len(values), len(usual))) != usual).any(axis=1))
        if kind == "equality":
            rows = rows[~_held_by_springs(m)[rows]]
        elif kind == "dof":     # of its joint, whose place is known
            kind, rows = "joint", np.unique(m.dof_jntid[rows])
        found += [(kind, k) for k in rows.tolist() if (kind, k) not in found]
    if not found:
        return []
    kind, k = found[0]
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    return [_warning(_place(m, kind, k), _SECTIONS[kind], f"{word} of {kind} {_called(m, kind, k)}{more}", _REASONS.get(word, _NOTHING_YIELDS))]


def _held_by_springs(m: Model) -> np.ndarray:
    """Which connects and welds hold on to a mocap body, or to what is fixed to one (neq): these keep their solref, as springs; a rigid tie to what a person moves would jerk."""
    found = np.zeros(m.neq, bool)
    for k in np.flatnonzero(np.isin(m.eq_type, (EQ_CONNECT, EQ_WELD))).tolist():
        of_sites = m.eq_objtype[k] == OBJ_SITE
        bodies = (m.site_bodyid if of_sites else np.arange(m.nbody))[[int(m.eq_obj1id[k]), int(m.eq_obj2id[k])]]
        found[k] = ((m.body_treeid[bodies] < 0) & (m.body_mocapid[m.body_rootid[bodies]] >= 0)).any()
    return found


def _override(m: Model) -> list[Issue]:
    """The contact override's solref, solimp and margin, while it is on."""
    if not m.opt_enableflags & ENBL_OVERRIDE:
        return []
    return [_warning(None, "mujoco/option", "solref, solimp and margin of the contact override", _NOTHING_YIELDS)]


def _options(m: Model) -> list[Issue]:
    """Options of the soft engine's own algorithm that are not the usual ones, one warning each."""
    found = []
    if m.opt_integrator != INT_EULER:
        found.append((f"integrator '{_word(Integrator, m.opt_integrator)}'", "It has one integrator, the variational midpoint rule"))
    solver = [f"solver '{_word(Solver, m.opt_solver)}'"] if m.opt_solver != SOL_NEWTON else []
    solver += [name for name, usual in _SOFT_SOLVER if getattr(m, f"opt_{name}") != usual]
    if solver:
        found.append((", ".join(solver), "Its solver has options of its own: hard_rtol, hard_ktol, hard_iterations"))
    if m.opt_noslip_iterations:
        found.append(("noslip_iterations", "Contacts that stick do not slip"))
    if m.opt_impratio != 1.0:
        found.append(("impratio", _NOTHING_YIELDS))
    flags = [name for bit, name in ((ENBL_FWDINV, "fwdinv"), (ENBL_INVDISCRETE, "invdiscrete")) if m.opt_enableflags & bit]
    if m.opt_disableflags & DSBL_EULERDAMP:
        found.append(("that flag eulerdamp is off", "Dampers of joints act with the velocity at the end of the step"))
    if flags:
        found.append((f"flag {' and '.join(flags)}", "Inverse dynamics is the soft engine's"))
    return [_warning(None, "mujoco/option", what, hint) for what, hint in found]


def _kept(m: Model) -> list[Issue]:
    """What holds otherwise than written, though nothing is lost: notes."""
    found = []
    if m.opt_cone == CONE_PYRAMIDAL and ((m.geom_condim > 1).any() or (m.pair_dim > 1).any()):
        found.append(Issue("note", None, "mujoco/option", "the hard engine's friction cones are exact: 'pyramidal' is taken as 'elliptic'", ""))
    if m.nhfield:
        found.append(Issue("note", _place(m, "hfield", 0), "mujoco/asset", f"normals of contacts with height field {_called(m, 'hfield', 0)} stay the same within a step of the hard engine",
                           "Take small steps where it is rough"))
    return found


def _word(kind: type[Integrator | Solver], value: int) -> str:
    return kind(value).name if value in tuple(kind) else str(value)
