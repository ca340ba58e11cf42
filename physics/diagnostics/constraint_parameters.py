"""How the parameters of equalities, limits and dry friction came about, whether they act now or why not, and the spring and damper that follow.

In the form of contact_parameters.py: each parameter with what the element's attribute says, MJCF's default beside it, and the value behind the clamps.

    solref, solimp, margin --clamps--> impedance I(residual), K, B --> timeconst = 2 / (I B), dampratio = B / (2 sqrt(K))

Source: MuJoCo documentation, chapter Modeling, "Solver parameters"; chapter Computation, "Constraint model: parameters"; XML reference, joint, tendon, equality.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from math import sqrt
from types import MappingProxyType

import numpy as np

from physics.diagnostics.constraint_rows import POSITION_UNITS, force_unit, position_unit, rows_of
from physics.diagnostics.contact_parameters import IMP, REF, Candidate, Parameter
from physics.diagnostics.parameter_clamps import Clamp, used_solimp, used_solref
from physics.engine.collide.pair_table import max_points
from physics.engine.constraint.append import drops_empty
from physics.engine.constraint.impedance import clip_impedance, damping, impedance, stiffness
from physics.engine.constraint.limit import rotation_of
from physics.engine.kinematics.joints import is_ball
from physics.engine.kinematics.points import last_dof
from physics.engine.sleep.state import equality_sleeps
from physics.enums import DisableBit, EqType, ObjType
from physics.model.data import Data
from physics.model.elements import Element
from physics.model.model import Model


class Source(StrEnum):
    """Where a value stands."""

    GIVEN = "given"         # the element says so, by itself or by its class
    DEFAULT = "default"     # as MJCF has it where nothing is said
    AUTO = "auto"           # true, false, or as follows from the range


@dataclass(frozen=True, slots=True)
class _Field:
    """A parameter: attribute of MJCF, field of the Model, MJCF's default, unit (POSITION or FORCE: that of the element), what its numbers are."""

    attribute: str
    field: str
    default: tuple[float, ...]
    unit: str = ""
    numbers: tuple[str, ...] = ("",)


POSITION, FORCE = "position", "force"
SOLREF, SOLIMP = (0.02, 1.0), (0.9, 0.95, 0.001, 0.5, 2.0)
FORMS: Mapping[tuple[str, str], tuple[_Field, ...]] = MappingProxyType({
    ("equality", "equality"): (_Field("active", "eq_active0", (1,)), _Field("solref", "eq_solref", SOLREF, "", REF), _Field("solimp", "eq_solimp", SOLIMP, "", IMP)),
    ("joint", "limit"): (_Field("limited", "jnt_limited", (0,)), _Field("range", "jnt_range", (0.0, 0.0), POSITION, ("lower", "upper")),
                         _Field("margin", "jnt_margin", (0.0,), POSITION), _Field("solreflimit", "jnt_solref", SOLREF, "", REF),
                         _Field("solimplimit", "jnt_solimp", SOLIMP, "", IMP)),
    ("joint", "friction loss"): (_Field("frictionloss", "dof_frictionloss", (0.0,), FORCE), _Field("solreffriction", "dof_solref", SOLREF, "", REF),
                                 _Field("solimpfriction", "dof_solimp", SOLIMP, "", IMP)),
    ("tendon", "limit"): (_Field("limited", "tendon_limited", (0,)), _Field("range", "tendon_range", (0.0, 0.0), POSITION, ("lower", "upper")),
                          _Field("margin", "tendon_margin", (0.0,), POSITION), _Field("solreflimit", "tendon_solref_lim", SOLREF, "", REF),
                          _Field("solimplimit", "tendon_solimp_lim", SOLIMP, "", IMP)),
    ("tendon", "friction loss"): (_Field("frictionloss", "tendon_frictionloss", (0.0,), FORCE), _Field("solreffriction", "tendon_solref_fri", SOLREF, "", REF),
                                  _Field("solimpfriction", "tendon_solimp_fri", SOLIMP, "", IMP)),
})


@dataclass(frozen=True, slots=True)
class ConstraintParameters:
    """One constraint of an element. form: 'equality', 'limit' or 'friction loss'; parameters: how each came about.

    active: whether it has rows now; why: in words how far it is, or what keeps it from acting. residual [m, rad]: what the impedance is taken at, less the margin;
    0 where there are no rows: then the figures are those of the moment in which it would begin. impedance; K [1/s2], B [1/s] of the reference acceleration;
    timeconst [s], dampratio: of the motion that these mean, timeconst = 2 / (impedance B), where nothing else acts; of dry friction K is 0, dampratio NaN and
    timeconst = 1 / (impedance B), in which a slow motion would end.
    """

    element: Element
    form: str
    parameters: tuple[Parameter, ...]
    active: bool
    why: str
    residual: float
    impedance: float
    K: float
    B: float
    timeconst: float
    dampratio: float
    rows: tuple[int, ...]

    def __getitem__(self, name: str) -> Parameter:
        """The parameter of that attribute. Raises KeyError."""
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        raise KeyError(name)


def constraint_parameters(m: Model, d: Data, what: Element) -> tuple[ConstraintParameters, ...]:
    """The constraints that an equality, joint or tendon has or could have; none for other kinds."""
    return tuple(_constraint(m, d, what, form) for kind, form in FORMS if kind == what.kind and _is_possible(m, what, form))


def _is_possible(m: Model, what: Element, form: str) -> bool:
    """Free joints have no limits."""
    return what.kind != "joint" or form != "limit" or int(m.jnt_type[what.id]) in POSITION_UNITS


def _constraint(m: Model, d: Data, what: Element, form: str) -> ConstraintParameters:
    place = int(m.jnt_dofadr[what.id]) if (what.kind, form) == ("joint", "friction loss") else what.id    # all dofs of a joint have what it says
    parameters = {field.attribute: _given(m, field, what, place) for field in FORMS[what.kind, form]}
    ref, imp = (next(name for name in parameters if name.startswith(head)) for head in ("solref", "solimp"))
    rows = tuple(i for i in rows_of(m, d, what) if form == "equality" or (d.efc_frictionloss[i] > 0.0) == (form == "friction loss"))
    why, active = _why(m, d, what, form, rows)
    residual = _residual(m, d, what, form, rows)
    solimp, solref = parameters[imp].value, parameters[ref].value
    used_imp, clamps_imp = used_solimp(solimp)
    used_ref, clamps_ref = used_solref(m, solref, solimp, residual if form == "limit" else None)
    parameters[imp] = _clamped(parameters[imp], used_imp, clamps_imp)
    parameters[ref] = _clamped(parameters[ref], used_ref, clamps_ref)
    value, K, B = _felt(d, form, rows, used_ref, solimp, residual)
    timeconst, dampratio = _motion(form, value, K, B)
    return ConstraintParameters(what, form, tuple(parameters.values()), active, why, residual, value, K, B, timeconst, dampratio, rows)


# ------------------------------------------------------------------ where values stand

def _given(m: Model, field: _Field, what: Element, place: int) -> Parameter:
    value = tuple(int(x) if isinstance(x, bool) else x for x in np.asarray(getattr(m, field.field)[place]).ravel().tolist())
    same = value == field.default
    name = f'{what.kind} "{what.name}"' if what.name else f"{what.kind} {what.id}"
    unit = {POSITION: position_unit, FORCE: force_unit}[field.unit](m, what) if field.unit else ""
    if field.attribute == "limited":
        why = f"attribute limited of {name}; where it is auto a range makes it 1 (compiler/autolimits)."
        return Parameter(field.attribute, unit, field.numbers, Source.AUTO, why, (Candidate(name, what, value, (True,)),), value, None, value, ())
    why = f"attribute {field.attribute} of {name}, " + ("equal to MJCF's default." if same else "set by itself or by its class.")
    candidates = (Candidate(name, what, value, (not same,) * len(value)), Candidate("MJCF's default", None, field.default, (same,) * len(value)))
    return Parameter(field.attribute, unit, field.numbers, Source.DEFAULT if same else Source.GIVEN, why, candidates, value, None, value, ())


def _clamped(parameter: Parameter, used: tuple[float, ...], clamps: tuple[Clamp, ...]) -> Parameter:
    return replace(parameter, used=used, clamps=parameter.clamps + clamps)


# ------------------------------------------------------------------ what follows

def _residual(m: Model, d: Data, what: Element, form: str, rows: tuple[int, ...]) -> float:
    """What the impedance is taken at: of a pair of frames the norm of all residuals; of two limits the one that is farther beyond."""
    if not rows or form == "friction loss":
        return 0.0
    depths = d.efc_pos[list(rows)] - d.efc_margin[list(rows)]
    if what.kind == "equality" and m.eq_type[what.id] in (EqType.CONNECT, EqType.WELD):
        return float(np.linalg.norm(depths))
    return float(depths[np.argmin(depths)] if form == "limit" else depths[0])


def _felt(d: Data, form: str, rows: tuple[int, ...], ref: tuple[float, ...], solimp: tuple[float, ...], residual: float) -> tuple[float, float, float]:
    """(impedance, K, B): of the row that is farthest beyond where there are rows, else what they would be."""
    if rows:
        row = min(rows, key=lambda i: d.efc_pos[i] - d.efc_margin[i]) if form == "limit" else rows[0]
        K, B, value = d.efc_KBIP[row, :3].tolist()
        return value, K, B
    dw = clip_impedance(solimp[1])
    return float(impedance(solimp, residual)[0]), 0.0 if form == "friction loss" else float(stiffness(ref, dw)), float(damping(ref, dw))


def _motion(form: str, value: float, K: float, B: float) -> tuple[float, float]:
    """(time constant, damping ratio) of the motion that the row's reference acceleration means: acc = -I B vel - I^2 K pos."""
    nan = float("nan")
    if form == "friction loss":
        return (1.0 / (value * B) if B > 0.0 else nan), nan
    return (2.0 / (value * B) if B > 0.0 else nan), (B / (2.0 * sqrt(K)) if K > 0.0 else nan)


# ------------------------------------------------------------------ whether it acts

COUPLED: Mapping[EqType, str] = MappingProxyType({EqType.JOINT: "joint", EqType.TENDON: "tendon"})      # what an equality is about, in whose unit it is violated
FLAGS: Mapping[str, DisableBit] = MappingProxyType({"equality": DisableBit.EQUALITY, "limit": DisableBit.LIMIT, "friction loss": DisableBit.FRICTIONLOSS})


def _why(m: Model, d: Data, what: Element, form: str, rows: tuple[int, ...]) -> tuple[str, bool]:
    """(in words, whether it has rows)."""
    switched_off = _switched_off(m, form)
    if rows:
        text = _acting(m, d, what, form, rows)
        return f"switched off now; in the last step: {text}" if switched_off or (form == "equality" and not d.eq_active[what.id]) else text, True
    reason = switched_off or {"equality": _equality_off, "limit": _limit_off, "friction loss": _friction_off}[form](m, d, what)
    return reason or "it has no rows yet: they are made in the next step", False


def _switched_off(m: Model, form: str) -> str:
    if m.view_only:
        return "the model can only be viewed: there are no rows"
    for flag in (DisableBit.CONSTRAINT, FLAGS[form]):
        if m.opt_disableflags & flag:
            return f"the flag '{flag.name.lower()}' is off: there are no rows of this kind at all"
    return ""


def _acting(m: Model, d: Data, what: Element, form: str, rows: tuple[int, ...]) -> str:
    if form == "equality":
        return f"on, violated by {_with_unit(float(np.linalg.norm(d.efc_pos[list(rows)])), _equality_unit(m, what))}"
    if form == "friction loss":
        held = int(np.count_nonzero(np.abs(d.efc_force[list(rows)]) < d.efc_frictionloss[list(rows)]))
        return "holds" if held == len(rows) else "at its bound: it slides" if held == 0 else f"at its bound in {len(rows) - held} of {len(rows)} directions"
    texts = []
    for i in rows:
        beyond = _with_unit(float(d.efc_margin[i] - d.efc_pos[i]), position_unit(m, what))
        side = "" if what.kind == "joint" and is_ball(m, what.id) else "lower " if _is_lower(m, d, what, i) else "upper "
        texts.append(f"{side}limit reached, by {beyond}" + (" (with its margin)" if d.efc_margin[i] else ""))
    return "; ".join(texts)


def _equality_unit(m: Model, what: Element) -> str:
    kind = m.eq_type[what.id]
    if kind in COUPLED:
        return position_unit(m, Element(COUPLED[EqType(kind)], int(m.eq_obj1id[what.id])))
    return "(m and rad together)" if kind == EqType.WELD else "m"


def _with_unit(value: float, unit: str) -> str:
    """A number with its unit, where it has one."""
    return f"{value:.4g} {unit}".rstrip()


def _is_lower(m: Model, d: Data, what: Element, row: int) -> bool:
    if what.kind == "joint":
        return bool(d.efc_J[d.efc_J_rowadr[row]] > 0.0)
    return abs(d.efc_pos[row] - (d.ten_length[what.id] - m.tendon_range[what.id, 0])) <= abs(d.efc_pos[row] - (m.tendon_range[what.id, 1] - d.ten_length[what.id]))


def _equality_off(m: Model, d: Data, what: Element) -> str:
    if not d.eq_active[what.id]:
        return "it is off (eq_active)"
    if not d.tree_awake.all() and equality_sleeps.at_once(m, d, what.id):
        return "all that it holds is asleep"
    return _nothing_moves(m, d, what.id)


def _nothing_moves(m: Model, d: Data, i: int) -> str:
    """Why equality i, which is on, has no rows and will have none in the next step either; '' where it may have some."""
    kind, one, two = EqType(int(m.eq_type[i])), int(m.eq_obj1id[i]), int(m.eq_obj2id[i])
    if kind in (EqType.FLEX, EqType.FLEXVERT, EqType.FLEXSTRAIN):
        return "flexes are not simulated"
    if kind == EqType.JOINT:
        return ""
    if kind == EqType.TENDON:
        entries = [d.ten_J.ravel()[m.ten_J_rowadr[t]:m.ten_J_rowadr[t] + m.ten_J_rownnz[t]] for t in (one, two) if t >= 0]
        return "" if any(values.any() for values in entries) else "no degree of freedom moves its tendons now"
    if kind == EqType.DISTANCE:
        bodies = int(m.geom_bodyid[one]), int(m.geom_bodyid[two])
        if not max_points(*sorted(int(m.geom_type[g]) for g in (one, two))):
            return "there is no routine for the distance of its geoms"
        return "" if last_dof(m, bodies[0]) != last_dof(m, bodies[1]) else "its geoms cannot move against each other"
    bodies = (int(m.site_bodyid[one]), int(m.site_bodyid[two])) if m.eq_objtype[i] == ObjType.SITE else (one, two)
    if last_dof(m, bodies[0]) == last_dof(m, bodies[1]) == -1:
        return "neither of its bodies can move"
    if drops_empty(m) and last_dof(m, bodies[0]) == last_dof(m, bodies[1]):
        return "its bodies cannot move against each other"
    return ""


def _limit_off(m: Model, d: Data, what: Element) -> str:
    limited, margin, bounds = ((m.jnt_limited, m.jnt_margin, m.jnt_range) if what.kind == "joint" else (m.tendon_limited, m.tendon_margin, m.tendon_range))
    if not limited[what.id]:
        return "it is not limited"
    if text := _asleep(m, d, what):
        return text
    value, (low, high) = _position(m, d, what), bounds[what.id].tolist()
    if what.kind == "joint" and is_ball(m, what.id):
        ways = {"limit": max(low, high) - value}
    else:
        ways = {"lower limit": value - low, "upper limit": high - value}
    name, way = min(ways.items(), key=lambda item: item[1])
    way -= float(margin[what.id])
    return f"within its range: {_with_unit(way, position_unit(m, what))} to its {name}" + (", less the margin" if margin[what.id] else "") if way >= 0.0 else ""


def _position(m: Model, d: Data, what: Element) -> float:
    """Joint position, of a ball its angle; length of a tendon."""
    if what.kind == "tendon":
        return float(d.ten_length[what.id])
    at = int(m.jnt_qposadr[what.id])
    return float(rotation_of(*d.qpos[at:at + 4].tolist())[3]) if is_ball(m, what.id) else float(d.qpos[at])


def _friction_off(m: Model, d: Data, what: Element) -> str:
    loss = m.dof_frictionloss[m.jnt_dofadr[what.id]] if what.kind == "joint" else m.tendon_frictionloss[what.id]
    if loss <= 0.0:
        return "frictionloss is 0"
    return _asleep(m, d, what)


def _asleep(m: Model, d: Data, what: Element) -> str:
    """Why sleepers, and tendons that nothing moves, have no rows."""
    if what.kind == "joint":
        return "" if d.tree_awake[m.body_treeid[m.jnt_bodyid[what.id]]] else "its kinematic tree is asleep"
    first, count = int(m.ten_J_rowadr[what.id]), int(m.ten_J_rownnz[what.id])
    if count == 0:
        return "no degree of freedom moves this tendon"
    if not d.tree_awake[m.dof_treeid[m.ten_J_colind.ravel()[first:first + count]]].any():
        return "all that the tendon runs along is asleep"
    return "no degree of freedom moves this tendon now" if drops_empty(m) and not d.ten_J.ravel()[first:first + count].any() else ""
