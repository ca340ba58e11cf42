"""Whether every whole number in a Model is one that compiled code can trust. Those of a file from outside, or written while running, are checked first.

What each field may be is a row of model/index_fields.py; here are the rules themselves, those that tie several fields of one element together,
and, from model/derived_fields.py, the comparison of what follows from the tree with what the Model says.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np

from physics import enums
from physics.errors import Issue
from physics.model.derived_fields import derived_fields
from physics.model.index_fields import (
    ALONE,
    CONTACT_SIZES,
    CONTACT_SLOTS,
    EQUALITY_ROWS,
    INDEX_FIELDS,
    INDEX_RULES,
    MANY,
    OBJECT_SIZES,
    RAY_SIZES,
    SEEN_BY_ENGINE,
    SENSOR_OBJECTS,
    IndexRow,
    any_number,
)
from physics.model.struct import Struct

CAP_CORNERS = 16  # least room for clipping faces: a cylinder's cap has as many
LEAST_ROOM, MOST_ROOM = 96, 1024  # for the polytope of convex pairs, as in engine/collide/convex/epa.py
MOST_SAMPLES = 1 << 20  # that a delayed control or sensor keeps
_O, _S = enums.ObjType, enums.SensorType


def check_indices(m: Struct) -> list[Issue]:
    """What is wrong with the whole numbers of a Model, [] when all is well; `path` of an Issue is the field.

    Rules come in groups, each of which relies on those before it: the issues are those of the first group that finds any.
    """
    for group in (_plain, _runs, _paths, _actuators, _objects, _derived, _meshes, _collision):
        issues = [Issue("error", None, field, f"'{field}' {what}") for field, what in group(m)]
        if issues:
            return issues
    return []


def check_written(m: Struct, fields: frozenset[str]) -> list[Issue]:
    """What is wrong with a Model that was in order before these fields were written; quick where each of them is checked alone.

    What every step looks at (SEEN_BY_ENGINE) is left to the engine, which tells it in its own words.
    """
    if not fields <= ALONE:
        return check_indices(m)
    found = [finding for field in sorted(fields - SEEN_BY_ENGINE) for finding in _one_field(m, INDEX_RULES[field])]
    return [Issue("error", None, field, f"'{field}' {what}") for field, what in found]


def wrong_indices(m: Struct) -> str:
    """The first field whose numbers cannot be trusted, '' when all is well."""
    issues = check_indices(m)
    return issues[0].path if issues else ""


Finding = tuple[str, str]
OUTSIDE = "points outside the model"


@lru_cache(maxsize=None)
def _rows_of(rule: str) -> tuple[IndexRow, ...]:
    return tuple(row for row in INDEX_FIELDS if row.rule == rule)


@lru_cache(maxsize=None)
def _members(name: str) -> np.ndarray:
    return np.array(sorted(map(int, getattr(enums, name))))


def _values(m: Struct, field: str) -> np.ndarray:
    """The numbers of a field, as bytes where they are truth values: a byte of 7 is neither."""
    values = getattr(m, field)
    if isinstance(values, int):
        return np.array([values])
    return values.view(np.uint8) if values.dtype == bool else values


def _plain(m: Struct) -> Iterator[Finding]:
    """Rules that need one field and one size."""
    if m.nbody < 1:
        yield "nbody", "is not positive: a model has at least the world"
        return
    for rule in ("between", "index", "member"):
        for row in _rows_of(rule):
            yield from _one_field(m, row)


def _one_field(m: Struct, row: IndexRow) -> Iterator[Finding]:
    """The rule of one field: numbers between bounds, below a size, or members of an enumeration."""
    values = _values(m, row.field)
    if not values.size or any_number(row):
        return
    if row.rule == "between":
        wrong, what = (values < row.low) | (values > row.high), f"is outside {row.low} to {row.high}"
    elif row.rule == "index":
        size = 0 if row.of == "zero" else getattr(m, row.of)
        wrong, what = (values < row.low) | (values >= size), f"{OUTSIDE}: it is to be {row.low} to {size - 1}"
    else:
        known = _members(row.of)
        wrong, what = values != known[np.minimum(np.searchsorted(known, values), len(known) - 1)], f"{OUTSIDE}: it holds what is no {row.of}"
    if wrong.any():
        yield row.field, f"{what}{_place(wrong, values)}"
    elif row.field in ("geom_condim", "pair_dim") and np.isin(values, (2, 5)).any():
        yield row.field, "is not 1, 3, 4 or 6"


def _place(wrong: np.ndarray, values: np.ndarray) -> str:
    """Which entry holds what, of the first that is wrong."""
    first = int(np.argmax(wrong))
    if values.size == 1:
        return f", not {values.flat[0]}"
    at = ", ".join(map(str, np.unravel_index(first, values.shape)))
    return f", and [{at}] is {values.flat[first]}"


def _runs(m: Struct) -> Iterator[Finding]:
    """Runs of rows lie in their arrays."""
    for row in _rows_of("run"):
        counts, size = row.of.split()
        adr, num = getattr(m, row.field).astype(np.int64), np.int64(1)
        for factor in counts.split("*"):
            num = num * getattr(m, factor).astype(np.int64)
        if row.field == "skin_texcoordadr":
            num = np.where(adr < 0, 0, num)   # a skin without a texture
        if (adr < np.where(num > 0, 0, -1)).any() or (adr + num > getattr(m, size)).any():
            yield row.field, OUTSIDE
    for field in ("body_bvhadr", "mesh_bvhadr"):
        if (getattr(m, field) + getattr(m, field.replace("adr", "num")) > m.nbvhstatic).any():
            yield field, OUTSIDE


def _paths(m: Struct) -> Iterator[Finding]:
    """Tendons: joints alone, or branches of at least two sites between pulleys, with at most one geom between two sites."""
    inside = {enums.WRAP_JOINT: m.njnt, enums.WRAP_SITE: m.nsite, enums.WRAP_SPHERE: m.ngeom, enums.WRAP_CYLINDER: m.ngeom}
    for t in range(m.ntendon):
        first, n = int(m.tendon_adr[t]), int(m.tendon_num[t])
        kinds, ids = m.wrap_type[first:first + n].tolist(), m.wrap_objid[first:first + n].tolist()
        if any(not 0 <= k < inside.get(kind, MANY + 1) for kind, k in zip(kinds, ids) if kind in inside):
            yield "wrap_objid", OUTSIDE
            return
        if m.tendon_type[t] == enums.TENDON_FIXED:
            if not kinds or any(kind != enums.WRAP_JOINT or m.jnt_type[k] < enums.JNT_SLIDE for kind, k in zip(kinds, ids)) or len(set(ids)) < n:
                yield "wrap_type", f"{OUTSIDE}: the path of tendon {t} is not of different hinges and slides"
                return
        elif not _is_path(kinds):
            yield "tendon_num", f"{OUTSIDE}: the path of tendon {t} is no chain of sites with geoms between them"
            return
        elif any(kind >= enums.WRAP_SPHERE and not _wraps(m, kind, k, m.wrap_prm[first + w]) for w, (kind, k) in enumerate(zip(kinds, ids))):
            yield "wrap_prm", f"{OUTSIDE}: tendon {t} wraps around what is no such geom, or by a side site that is none"
            return


def _is_path(kinds: list[int]) -> bool:
    """Whether these are branches of at least two sites, with single geoms between sites."""
    branches, branch = [], []
    for kind in kinds:
        if kind == enums.WRAP_PULLEY:
            branches.append(branch)
            branch = []
        else:
            branch.append(kind)
    branches.append(branch)
    if len(branches) > 1 and not branches[0]:
        branches = branches[1:]   # a path may begin with a pulley
    site = enums.WRAP_SITE
    return all(b.count(site) > 1 and b[0] == b[-1] == site and all(kind == site or (kind > site and b[k - 1] == b[k + 1] == site)
                                                                  for k, kind in enumerate(b)) for b in branches)


def _wraps(m: Struct, kind: int, geom: int, side: float) -> bool:
    """Whether a tendon can wrap around this geom, with this side site."""
    shape = enums.GEOM_CYLINDER if kind == enums.WRAP_CYLINDER else enums.GEOM_SPHERE
    return m.geom_type[geom] == shape and -1 <= side < m.nsite and side == int(side)


def _actuators(m: Struct) -> Iterator[Finding]:
    """What actuators act on; their controls, outputs and states."""
    for i, (kind, gain, bias, spec) in enumerate(zip(m.actuator_trntype.tolist(), m.actuator_gaintype.tolist(), m.actuator_biastype.tolist(),
                                                     m.actuator_ctrlspec.tolist())):
        if not _acts(m, kind, *m.actuator_trnid[i].tolist()):
            yield "actuator_trnid", OUTSIDE
            return
        orientation = gain == enums.GAIN_SO3
        if orientation != (kind == enums.TRN_SO3) or orientation != (bias == enums.BIAS_SO3):
            yield "actuator_trntype", f"{OUTSIDE}: transmission, gain and bias of actuator {i} are not all those of an orientation, or none"
        most = enums.CHART_QUAT if orientation else 2 * enums.INPUT_PRESSURE - 1
        if not 0 <= spec <= most or (orientation and spec < enums.CHART_EXPMAP):
            yield "actuator_ctrlspec", f"{OUTSIDE}: actuator {i} has no such inputs"
            return
        if m.actuator_ctrlnum[i] < _controls(gain, spec):
            yield "actuator_ctrlnum", f"is fewer than the controls that actuator {i} reads"
        if m.actuator_outnum[i] != (3 if orientation else 1):
            yield "actuator_outnum", f"is not the number of outputs of actuator {i}"
        if not _states_fit(m, i):
            yield "actuator_actnum", f"is not the number of states of actuator {i}"
    for kind in ("actuator", "sensor"):
        history = getattr(m, f"{kind}_history")
        if history.size and ((history[:, 0] > MOST_SAMPLES).any() or (history[:, 0] < 0).any() or (history[:, 1] < 0).any() or (history[:, 1] > 2).any()):
            yield f"{kind}_history", f"{OUTSIDE}: it is no number of samples and an interpolation"


def _acts(m: Struct, kind: int, one: int, two: int) -> bool:
    """Whether an actuator can act on these."""
    size, second = {enums.TRN_JOINT: (m.njnt, False), enums.TRN_JOINTINPARENT: (m.njnt, False), enums.TRN_TENDON: (m.ntendon, False),
                    enums.TRN_BODY: (m.nbody, False), enums.TRN_SITE: (m.nsite, True), enums.TRN_SLIDERCRANK: (m.nsite, True),
                    enums.TRN_SO3: (m.nsite if two >= 0 else m.njnt, True)}.get(kind, (0, False))
    if not 0 <= one < size or not -1 <= two < m.nsite:
        return False
    if kind == enums.TRN_SO3 and two < 0:
        return m.jnt_type[one] == enums.JNT_BALL
    return two >= 0 if kind == enums.TRN_SLIDERCRANK else True


def _controls(gain: int, spec: int) -> int:
    """How many controls the force law reads."""
    if gain == enums.GAIN_SO3:
        return 4 if spec == enums.CHART_QUAT else 3
    if gain in (enums.GAIN_PID, enums.GAIN_DCMOTOR):
        return (spec & (enums.INPUT_POS | enums.INPUT_VEL | enums.INPUT_FF | enums.INPUT_VOLTAGE)).bit_count()
    return 1


def _states_fit(m: Struct, i: int) -> bool:
    """Whether actuator i has the activation states that its dynamics step."""
    dyn, gain, n = int(m.actuator_dyntype[i]), int(m.actuator_gaintype[i]), int(m.actuator_actnum[i])
    if enums.DYN_DCMOTOR == dyn or enums.GAIN_DCMOTOR == gain:
        return True   # asked before every step: its parameters may change while it runs
    if gain == enums.GAIN_SO3:
        return n == (3 if dyn == enums.DYN_INTEGRATOR else 0) and dyn in (enums.DYN_NONE, enums.DYN_INTEGRATOR)
    if dyn == enums.DYN_NONE:
        return n == 0
    return n <= 2 if dyn == enums.DYN_PID else n >= 1


def _size_of(m: Struct, kind: int) -> int:
    """How many objects of an ObjType there are."""
    return getattr(m, OBJECT_SIZES[kind]) if kind in OBJECT_SIZES else 0


def _exists(m: Struct, kind: int, k: int) -> bool:
    return k == -1 if kind == _O.UNKNOWN else 0 <= k < _size_of(m, kind)


def _objects(m: Struct) -> Iterator[Finding]:
    """What sensors, tuples, equality constraints, geoms and sites refer to."""
    for k, (kind, which) in enumerate(zip(m.tuple_objtype.tolist(), m.tuple_objid.tolist())):
        if not -1 <= which < max(_size_of(m, kind), 0):
            yield "tuple_objid", f"{OUTSIDE}: item {k}"
            break
    for e in range(m.neq):
        found = _equality(m, e)
        if found:
            yield found, f"{OUTSIDE}: equality constraint {e}"
            break
    for i in range(m.nsensor):
        found = _sensor(m, i)
        if found:
            yield found, f"{OUTSIDE}: sensor {i}"
            break
    for name in ("geom", "site"):
        kinds, ids = getattr(m, f"{name}_type"), getattr(m, f"{name}_dataid")
        sizes = np.where(np.isin(kinds, (enums.GEOM_MESH, enums.GEOM_SDF)), m.nmesh, np.where(kinds == enums.GEOM_HFIELD, m.nhfield, 0))
        used = np.isin(kinds, (enums.GEOM_MESH, enums.GEOM_SDF, enums.GEOM_HFIELD))
        if (used & ((ids < 0) | (ids >= sizes))).any() or (ids < -1).any() or (ids >= max(m.nmesh, m.nhfield, 1)).any():
            yield f"{name}_dataid", OUTSIDE


def _equality(m: Struct, e: int) -> str:
    """The field that is wrong about an equality constraint, ''."""
    kind, objtype, one, two = int(m.eq_type[e]), int(m.eq_objtype[e]), int(m.eq_obj1id[e]), int(m.eq_obj2id[e])
    if kind not in EQUALITY_ROWS:
        return "eq_type"
    if kind in (enums.EQ_JOINT, enums.EQ_TENDON):
        most, least = (m.njnt if kind == enums.EQ_JOINT else m.ntendon), -1
    else:
        allowed = (_O.GEOM,) if kind == enums.EQ_DISTANCE else (_O.BODY, _O.SITE)
        if objtype not in allowed:
            return "eq_objtype"
        most, least = _size_of(m, objtype), 0
    if not 0 <= one < most:
        return "eq_obj1id"
    if not least <= two < most:
        return "eq_obj2id"
    if kind == enums.EQ_JOINT and any(m.jnt_type[j] < enums.JNT_SLIDE for j in (one, two) if j >= 0):
        return "eq_obj1id"
    return ""


def _sensor(m: Struct, i: int) -> str:
    """The field that is wrong about a sensor, ''."""
    kind, objtype, reftype = int(m.sensor_type[i]), int(m.sensor_objtype[i]), int(m.sensor_reftype[i])
    if kind not in SENSOR_OBJECTS:
        return "sensor_type"
    attached, against, dim = SENSOR_OBJECTS[kind]
    one, two = int(m.sensor_objid[i]), int(m.sensor_refid[i])
    if objtype not in attached:
        return "sensor_objtype"
    if reftype not in against:
        return "sensor_reftype"
    if not _exists(m, objtype, one):
        return "sensor_objid"
    if not _exists(m, reftype, two):
        return "sensor_refid"
    if objtype == _O.JOINT and kind in (_S.JOINTPOS, _S.JOINTVEL, _S.JOINTACTFRC, _S.BALLQUAT, _S.BALLANGVEL):
        ball = kind in (_S.BALLQUAT, _S.BALLANGVEL)
        if (m.jnt_type[one] == enums.JNT_BALL) != ball or m.jnt_type[one] == enums.JNT_FREE:
            return "sensor_objid"
    return _settings(m, i, kind, dim)


def _settings(m: Struct, i: int, kind: int, dim: int) -> str:
    """Whether a sensor's settings give as many values as it has: sensor_intprm, sensor_dim or ''."""
    bits, reduce, slots = m.sensor_intprm[i].tolist()
    if kind == _S.CONTACT:
        if not 0 <= bits < 1 << len(CONTACT_SIZES) or not 0 <= reduce <= 3 or not 0 < slots < CONTACT_SLOTS:
            return "sensor_intprm"
        dim = slots * sum(n for k, n in enumerate(CONTACT_SIZES) if bits >> k & 1)
    elif kind == _S.RANGEFINDER:
        if not 0 <= bits < 1 << len(RAY_SIZES):
            return "sensor_intprm"
        rays = int(np.prod(m.cam_resolution[m.sensor_objid[i]], dtype=np.int64)) if m.sensor_objtype[i] == _O.CAMERA else 1
        dim = rays * sum(n for k, n in enumerate(RAY_SIZES) if bits >> k & 1)
    elif kind == _S.TACTILE:
        dim = 3 * int(m.mesh_vertnum[m.sensor_objid[i]])
    elif kind in (_S.ACTUATORPOS, _S.ACTUATORVEL, _S.ACTUATORFRC):
        dim = int(m.actuator_outnum[m.sensor_objid[i]])
    elif kind == _S.USER:
        dim = int(m.sensor_dim[i])
    elif kind == _S.INSIDESITE and bits not in (0, 1):
        return "sensor_intprm"
    return "" if m.sensor_dim[i] == dim else "sensor_dim"


def _derived(m: Struct) -> Iterator[Finding]:
    """Stops at the first difference: what comes after relies on it."""
    for field, wanted in derived_fields(m):
        if not np.array_equal(getattr(m, field), wanted):
            yield field, "points outside the model, or elsewhere than the tree of bodies, joints and paths says"
            return


def _meshes(m: Struct) -> Iterator[Finding]:
    """Triangles, hulls, polygons and trees of boxes."""
    checks: tuple[Callable[[Struct, int], str], ...] = (_triangles, _hull, _polygons, _boxes)
    for k in range(m.nmesh):
        for check in checks:
            field = check(m, k)
            if field:
                yield field, f"{OUTSIDE}: mesh {k}"
                return
    if m.nmesh and (m.mesh_polyvertnum.max(initial=0) > m.npolygonmax or m.mesh_polymapnum.max(initial=0) > m.nmeshdegmax):
        yield "mesh_polyvertnum", "is more than the model has room for"
    for b in np.flatnonzero(m.body_bvhnum).tolist():
        field = _tree_of_boxes(m, int(m.body_bvhadr[b]), int(m.body_bvhnum[b]), m.ngeom)
        if field:
            yield field, f"{OUTSIDE}: body {b}"
            return


def _within(values: np.ndarray, low: int, high: int) -> bool:
    """Whether low <= all values < high."""
    return not values.size or (values.min() >= low and values.max() < high)


def _triangles(m: Struct, k: int) -> str:
    faces = slice(int(m.mesh_faceadr[k]), int(m.mesh_faceadr[k] + m.mesh_facenum[k]))
    if not _within(m.mesh_face[faces], 0, m.mesh_vertnum[k]):
        return "mesh_face"
    if not _within(m.mesh_facenormal[faces], 0, m.mesh_normalnum[k]):
        return "mesh_facenormal"
    if m.mesh_texcoordadr[k] >= 0 and not _within(m.mesh_facetexcoord[faces], 0, m.mesh_texcoordnum[k]):
        return "mesh_facetexcoord"
    return ""


def _hull(m: Struct, k: int) -> str:
    adr = int(m.mesh_graphadr[k])
    if adr < 0:
        return "" if _within(m.hull_start[k], 0, 1) else "hull_start"
    if not _graph_holds(m.mesh_graph[adr:].astype(np.int64), int(m.mesh_vertnum[k])):
        return "mesh_graph"
    hull = int(m.mesh_graph[adr])
    if not _within(m.mesh_extrema[k], 0, hull):
        return "mesh_extrema"
    return "" if _within(m.hull_start[k], 0, hull + 1) else "hull_start"


def _graph_holds(graph: np.ndarray, vertices: int) -> bool:
    """Hull graph: counts of vertices and triangles, first edge and number of each vertex, its neighbours closed by -1, the triangles."""
    if len(graph) < 2 or graph[0] < 0 or graph[1] < 0 or 2 + 3 * graph[0] + 6 * graph[1] > len(graph):
        return False
    nv, nf = int(graph[0]), int(graph[1])
    starts, numbers, edges, faces = np.split(graph[2:2 + 3 * nv + 6 * nf], np.cumsum([nv, nv, nv + 3 * nf]))
    if not (_within(starts, 0, nv + 3 * nf) and _within(numbers, 0, vertices) and _within(edges, -1, nv) and _within(faces, 0, vertices)):
        return False
    return not nv or edges[-1] == -1   # so every list of neighbours ends


def _polygons(m: Struct, k: int) -> str:
    faces, corners, vertices = int(m.mesh_polynum[k]), int(m.mesh_vertadr[k]), int(m.mesh_vertnum[k])
    first = int(m.mesh_polyadr[k])
    sides = m.mesh_polyvertnum[first:first + faces]
    if faces and (sides.min() < 1 or _reach(m.mesh_polyvert, m.mesh_polyvertadr[first:first + faces], sides) >= vertices):
        return "mesh_polyvert"
    around = slice(corners, corners + vertices)
    if _reach(m.mesh_polymap, m.mesh_polymapadr[around], m.mesh_polymapnum[around]) >= faces:
        return "mesh_polymap"
    return ""


def _reach(values: np.ndarray, starts: np.ndarray, counts: np.ndarray) -> int:
    """Largest value in some runs of an array, -1 where they are empty."""
    rows = [values[a:a + n] for a, n in zip(starts.tolist(), counts.tolist(), strict=True) if n > 0]
    return int(np.concatenate(rows).max(initial=-1)) if rows else -1


def _boxes(m: Struct, k: int) -> str:
    return _tree_of_boxes(m, int(m.mesh_bvhadr[k]), int(m.mesh_bvhnum[k]), int(m.mesh_facenum[k]))


def _tree_of_boxes(m: Struct, first: int, n: int, leaves: int) -> str:
    """Children come after their parent, counted from the root, so that every walk down ends; leaves are triangles or geoms."""
    child = m.bvh_child[first:first + n] if n > 0 else m.bvh_child[:0]
    if ((child >= n) | ((child >= 0) & (child <= np.arange(len(child))[:, None]))).any():
        return "bvh_child"
    return "" if n <= 0 or _within(m.bvh_nodeid[first:first + n], -1, leaves) else "bvh_nodeid"


def _collision(m: Struct) -> Iterator[Finding]:
    """Items of the sweep (first, number, weld group, its parent group), and the room that pairs of convex shapes need."""
    first, count, weld, parent = m.sap_proxy[:, :4].T
    if m.sap_proxy.size and (first.min() < 0 or count.min() < 1 or (first.astype(np.int64) + count).max() > m.nsapgeom):
        yield "sap_proxy", OUTSIDE
    if m.sap_proxy.size and (min(weld.min(), parent.min()) < 0 or max(weld.max(), parent.max()) >= m.nbody):
        yield "sap_proxy", OUTSIDE
    if not LEAST_ROOM <= m.nepa <= MOST_ROOM:
        yield "mesh_graph", f"does not fit the room for polytopes, {m.nepa}"
    needs = bool(np.isin(m.geom_type, (enums.GEOM_CYLINDER, enums.GEOM_MESH)).any())
    if m.nclip != (max(CAP_CORNERS, m.npolygonmax, m.nmeshdegmax) if needs else 0):
        yield "mesh_polyvertnum", f"does not fit the room for clipping, {m.nclip}"
