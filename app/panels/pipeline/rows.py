"""Names of the rows of Data's fields, and which rows belong to what is selected."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np

from physics.fields.layout import LAYOUTS
from physics.model.model import Model
from physics.pipeline.line import dof_name, named
from physics.pipeline.position_numbers import row_name
from physics.pipeline.target import Target
from physics.pipeline.walk import Moment
from physics.quantities.field_rows import block, owners

_MATRIX = ("M", "qLD", "qH", "M_eff")


def namer(m: Model, v: Moment, field: str) -> Callable[[int], str]:
    """What names row k of a field."""
    row = LAYOUTS["d"].rows[field]
    size = row.dims[0] if row.dims else ""
    if size == "nv":
        return lambda k: dof_name(m, k)
    if field in _MATRIX:
        return lambda k: "[{}, {}]".format(dof_name(m, int(np.searchsorted(m.M_rowadr, k, side="right")) - 1), dof_name(m, int(m.M_colind[k])))
    if size == "maxefc":
        return lambda k: f"{k}: {row_name(m, v, k)}" if k < v.nefc else str(k)
    if size == "maxJ":
        return lambda k: _of_jacobian(m, v, k)
    if field == "cand_geom":
        return lambda k: "candidate " + str(k)
    if size == "maxcon":
        return lambda k: _contact(m, v, k)
    names = owners(m, row) if row.dims else []
    if len(names) > len(set(names)):
        first, count = {}, Counter(names)
        for place, name in enumerate(names):
            first.setdefault(name, place)
        return lambda k: f"{names[k]}[{k - first[names[k]]}]" if count[names[k]] > 1 else names[k]
    return lambda k: names[k] if k < len(names) else str(k)


def _of_jacobian(m: Model, v: Moment, k: int) -> str:
    if k >= len(v.efc_J_colind) or v.nefc == 0:
        return str(k)
    return f"[{int(np.searchsorted(v.efc_J_rowadr, k, side='right')) - 1}, {dof_name(m, int(v.efc_J_colind[k]))}]"


def _contact(m: Model, v: Moment, k: int) -> str:
    geoms = v.contact_geom[k] if k < v.ncon else (-1, -1)
    return f"{k}: {named(m, 'geom', geoms[0])}, {named(m, 'geom', geoms[1])}" if min(geoms) >= 0 else str(k)


def rows_of(m: Model, v: Moment, field: str, t: Target) -> np.ndarray:
    """Rows of a field that belong to what is selected; none where the field has no such rows."""
    row = LAYOUTS["d"].rows[field]
    size = row.dims[0] if row.dims else ""
    if field in _MATRIX:
        return _run(m.M_rowadr, m.M_rownnz, t.dof)
    if size == "maxJ":
        return _run(v.efc_J_rowadr, v.efc_J_rownnz, t.row)
    if size == "nJmom":
        return _run(v.moment_rowadr, v.moment_rownnz, int(m.actuator_outadr[t.actuator]) if t.actuator >= 0 else -1)
    if size == "nJten":
        return _run(m.ten_J_rowadr, m.ten_J_rownnz, t.tendon)
    if size in ("ngeom", "nsite"):
        return np.flatnonzero((m.geom_bodyid if size == "ngeom" else m.site_bodyid) == t.body)
    if size == "nv":
        return np.flatnonzero(m.dof_jntid == t.joint)
    if size == "nq":
        return np.array(block(m, "nq", t.joint, "jnt_qposadr", "")) if t.joint >= 0 else np.zeros(0, int)
    one = {"nbody": t.body, "njnt": t.joint, "ntendon": t.tendon, "nactuator": t.actuator, "nout": int(m.actuator_outadr[t.actuator]) if t.actuator >= 0 else -1,
           "nu": int(m.actuator_ctrladr[t.actuator]) if t.actuator >= 0 else -1, "maxcon": t.contact, "maxefc": t.row}.get(size, -1)
    return np.array([one]) if one >= 0 and field != "cand_geom" else np.zeros(0, int)


def _run(starts, counts, k: int) -> np.ndarray:
    return np.arange(int(starts[k]), int(starts[k]) + int(counts[k])) if 0 <= k < len(starts) else np.zeros(0, int)
