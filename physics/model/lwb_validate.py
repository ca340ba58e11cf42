"""Whether every index in a Model points into it. Compiled code trusts indices, so those of a file from outside are checked first."""
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from physics import enums
from physics.model.model import ALIASES, KINDS, Model

CAP_CORNERS = 16  # least room for clipping faces: a cylinder's cap has as many
LEAST_ROOM, MOST_ROOM = 96, 1024  # for the polytope of convex pairs, as in engine/collide/convex/epa.py

# field, and the size that all its values must be below; `-` before the size: -1 and less mean none
_BELOW = """
body_parentid nbody|body_rootid nbody|body_weldid nbody|body_mocapid -nmocap|body_treeid -ntree|body_jntadr -njnt|body_dofadr -nv
body_geomadr -ngeom|jnt_bodyid nbody|jnt_qposadr nq|jnt_dofadr nv|jnt_actuatorid -nactuator|dof_bodyid nbody|dof_jntid njnt
dof_parentid -nv|dof_treeid ntree|dof_Madr nM|tree_bodyadr nbody|tree_dofadr nv|geom_bodyid nbody|geom_matid -nmat|site_bodyid nbody
site_dataid -nmesh|site_matid -nmat|cam_bodyid nbody|cam_targetbodyid -nbody|light_bodyid nbody|light_targetbodyid -nbody
light_texid -ntex|mat_texid -ntex|pair_geom1 ngeom|pair_geom2 ngeom|tendon_matid -nmat|tendon_actuatorid -nactuator|tendon_treeid -ntree
ten_J_colind nv|actuator_actadr -na|actuator_historyadr -nhistory|sensor_historyadr -nhistory|B_colind nv|M_colind nv|mapM2M nM
D_colind nv|mapM2D -nC|mapD2M nD|cpair_geom ngeom|sap_geom ngeom|mesh_graphadr -nmeshgraph
mesh_facenormal nmeshnormal|mesh_polyvert nmeshvert|mesh_polymap nmeshpoly|skin_matid -nmat|skin_bonebodyid nbody|skin_face nskinvert
skin_bonevertid nskinvert|bvh_child -nbvh
"""
# first, count, size: a run of rows; count may be several fields multiplied; a first below 0 means none
_RUNS = """
body_jntadr body_jntnum njnt|body_dofadr body_dofnum nv|body_geomadr body_geomnum ngeom|tree_bodyadr tree_bodynum nbody
tree_dofadr tree_dofnum nv|tendon_adr tendon_num nwrap|ten_J_rowadr ten_J_rownnz nJten|actuator_ctrladr actuator_ctrlnum nu
actuator_outadr actuator_outnum nout|actuator_actadr actuator_actnum na|sensor_adr sensor_dim nsensordata
numeric_adr numeric_size nnumericdata|text_adr text_size ntextdata|tuple_adr tuple_size ntupledata|B_rowadr B_rownnz nB|M_rowadr M_rownnz nC
D_rowadr D_rownnz nD|mesh_vertadr mesh_vertnum nmeshvert|mesh_faceadr mesh_facenum nmeshface|mesh_normaladr mesh_normalnum nmeshnormal
mesh_texcoordadr mesh_texcoordnum nmeshtexcoord|mesh_polyadr mesh_polynum nmeshpoly|mesh_polyvertadr mesh_polyvertnum nmeshpolyvert
mesh_polymapadr mesh_polymapnum nmeshpolymap|skin_vertadr skin_vertnum nskinvert|skin_faceadr skin_facenum nskinface
skin_boneadr skin_bonenum nskinbone|skin_bonevertadr skin_bonevertnum nskinbonevert|hfield_adr hfield_nrow*hfield_ncol nhfielddata
tex_adr tex_height*tex_width*tex_nchannel ntexdata|body_bvhadr body_bvhnum nbvh|mesh_bvhadr mesh_bvhnum nbvh
"""
_MEMBERS = (   # fields that hold members of an enumeration
    ("jnt_type", "JointType"), ("geom_type", "GeomType"), ("site_type", "GeomType"), ("eq_type", "EqType"), ("wrap_type", "WrapType"),
    ("actuator_trntype", "TransmissionType"), ("actuator_dyntype", "DynType"), ("actuator_gaintype", "GainType"),
    ("actuator_biastype", "BiasType"), ("sensor_type", "SensorType"), ("sensor_objtype", "ObjType"), ("sensor_reftype", "ObjType"),
    ("tuple_objtype", "ObjType"), ("eq_objtype", "ObjType"), ("tendon_type", "TendonType"), ("cam_mode", "CamLightMode"),
    ("light_mode", "CamLightMode"), ("light_type", "LightType"), ("tex_type", "TextureType"), ("cam_projection", "Projection"),
    ("tree_sleep_policy", "SleepPolicy"), ("sensor_needstage", "Stage"), ("sensor_datatype", "SensorDataType"),
)
_SCALAR_MEMBERS = (("opt_integrator", "Integrator"), ("opt_cone", "Cone"), ("opt_jacobian", "Jacobian"), ("opt_solver", "Solver"))
_OBJECTS = (("sensor_objtype", "sensor_objid"), ("sensor_reftype", "sensor_refid"), ("tuple_objtype", "tuple_objid"))
_KEPT = ((enums.EQ_JOINT, "njnt"), (enums.EQ_TENDON, "ntendon"))   # equality constraints of joints and tendons; others by eq_objtype
_WRAPPED = ((enums.WRAP_JOINT, "njnt"), (enums.WRAP_SITE, "nsite"), (enums.WRAP_SPHERE, "ngeom"), (enums.WRAP_CYLINDER, "ngeom"))
_ACTED = (("njnt", (enums.TRN_JOINT, enums.TRN_JOINTINPARENT)), ("ntendon", (enums.TRN_TENDON,)),
          ("nsite", (enums.TRN_SITE, enums.TRN_SLIDERCRANK)), ("nbody", (enums.TRN_BODY,)))
_WIDTHS = ((enums.JNT_FREE, 7, 6), (enums.JNT_BALL, 4, 3), (enums.JNT_SLIDE, 1, 1), (enums.JNT_HINGE, 1, 1))


def wrong_indices(m: Model) -> str:
    """The first field with an index outside the model, '' when all is well."""
    for check in (_swept, _below, _runs, _members, _order, _mass_rows, _joints, _objects, _paths, _meshes, _skins):
        for field in check(m):
            return field
    return ""


def _swept(m: Model) -> Iterator[str]:
    """Items of the sweep: first, number, weld group, its parent group."""
    first, count, weld, parent = m.sap_proxy[:, :4].T
    if m.sap_proxy.size and (first.min() < 0 or count.min() < 1 or (first.astype(np.int64) + count).max() > m.nsapgeom):
        yield "sap_proxy"
    if m.sap_proxy.size and (min(weld.min(), parent.min()) < 0 or max(weld.max(), parent.max()) >= m.nbody):
        yield "sap_proxy"


def _entries(table: str) -> Iterator[list[str]]:
    return (entry.split() for line in table.split("\n") for entry in line.split("|") if entry)


def _below(m: Model) -> Iterator[str]:
    for field, size in _entries(_BELOW):
        values = getattr(m, field)
        most = getattr(m, size.lstrip("-"))
        if values.size and (values.max() >= most or (values.min() < 0 and not size.startswith("-"))):
            yield field


def _runs(m: Model) -> Iterator[str]:
    for first, count, size in _entries(_RUNS):
        adr, num = getattr(m, first).astype(np.int64), np.int64(1)
        for factor in count.split("*"):
            part = getattr(m, factor).astype(np.int64)
            if (part < 0).any() or (part >= 1 << 20).any() and "*" in count:
                yield factor
            num = num * part
        used = (adr >= 0) & (num > 0)
        if ((adr + num)[used] > getattr(m, size)).any() or ((adr < 0) & (num > 0)).any():
            yield first


def _members(m: Model) -> Iterator[str]:
    for field, name in _MEMBERS:
        if not np.isin(getattr(m, field), list(map(int, getattr(enums, name)))).all():
            yield field
    for field, name in _SCALAR_MEMBERS:
        if getattr(m, field) not in list(getattr(enums, name)):
            yield field


def _order(m: Model) -> Iterator[str]:
    """Parents come first, so that no walk up or down goes round."""
    if m.nbody < 1 or m.body_parentid[0]:
        yield "body_parentid"
    for field, first in (("body_parentid", 1), ("dof_parentid", 0)):
        parents = getattr(m, field)
        if (parents[first:] >= np.arange(len(parents))[first:]).any():
            yield field
    children = m.bvh_child
    if ((children >= 0) & (children <= np.arange(len(children))[:, None])).any() and (m.bvh_depth < 0).any():
        yield "bvh_child"
    if ((m.D_diag < 0) | (m.D_diag >= m.D_rownnz)).any():
        yield "D_diag"


def _mass_rows(m: Model) -> Iterator[str]:
    """A row of M is that of the parent and the diagonal, or the diagonal alone; products and factors walk the rows by that."""
    parent, lengths, starts = m.dof_parentid.astype(np.int64), m.M_rownnz.astype(np.int64), m.M_rowadr.astype(np.int64)
    if (lengths < 1).any() or (starts != np.cumsum(lengths) - lengths).any() or lengths.sum() != m.nC:
        yield "M_rownnz"
        return
    dofs, many = np.arange(m.nv), lengths > 1
    if (m.M_colind[starts + lengths - 1] != dofs).any():
        yield "M_colind"
    if ((parent < 0) & many).any() or (lengths[many] != lengths[parent[many]] + 1).any():
        yield "M_rownnz"
        return
    rows = np.repeat(dofs, lengths)
    place = np.arange(m.nC) - starts[rows]
    above = place < lengths[rows] - 1
    if (m.M_colind[above] != m.M_colind[starts[parent[rows[above]]] + place[above]]).any():
        yield "M_colind"
    chain = many & (parent == dofs - 1)
    if m.ndeepdof not in (0, m.nv) or m.ndeepbody != (m.nbody if m.ndeepdof else 0):
        yield "tree_deep"
    if (m.M_rowrun != np.where(chain, 1 + m.M_rowrun[parent], 0)).any():
        yield "M_rowrun"


def _joints(m: Model) -> Iterator[str]:
    for kind, nq, nv in _WIDTHS:
        of_kind = m.jnt_type == kind
        if (m.jnt_qposadr[of_kind] + nq > m.nq).any():
            yield "jnt_qposadr"
        if (m.jnt_dofadr[of_kind] + nv > m.nv).any():
            yield "jnt_dofadr"


def _objects(m: Model) -> Iterator[str]:
    for kinds, ids in _OBJECTS:
        for kind in np.unique(getattr(m, kinds)):
            if (getattr(m, ids)[getattr(m, kinds) == kind] >= _count(m, int(kind))).any():
                yield ids
    for e, kind in enumerate(m.eq_type.tolist()):
        most = getattr(m, dict(_KEPT).get(kind, "")) if kind in dict(_KEPT) else _count(m, int(m.eq_objtype[e]))
        if not 0 <= m.eq_obj1id[e] < most or m.eq_obj2id[e] >= most:
            yield "eq_obj1id"


def _paths(m: Model) -> Iterator[str]:
    for kind, size in _WRAPPED:
        ids = m.wrap_objid[m.wrap_type == kind]
        if ids.size and (ids.min() < 0 or ids.max() >= getattr(m, size)):
            yield "wrap_objid"
    if m.nwrap and (m.wrap_prm[m.wrap_type >= enums.WRAP_SPHERE] >= m.nsite).any():
        yield "wrap_prm"
    for size, kinds in _ACTED:
        ids = m.actuator_trnid[np.isin(m.actuator_trntype, kinds)]
        if ids.size and (ids[:, 0].min() < 0 or ids[:, 0].max() >= getattr(m, size) or ids[:, 1].max() >= m.nsite):
            yield "actuator_trnid"
    for kind, size in ((enums.GEOM_MESH, "nmesh"), (enums.GEOM_SDF, "nmesh"), (enums.GEOM_HFIELD, "nhfield")):
        ids = m.geom_dataid[m.geom_type == kind]
        if ids.size and (ids.min() < 0 or ids.max() >= getattr(m, size)):
            yield "geom_dataid"


def _count(m: Model, kind: int) -> int:
    """How many objects of an ObjType there are."""
    name = {"xbody": "body", "dof": ""}.get(enums.ObjType(kind).name.lower(), enums.ObjType(kind).name.lower())
    return getattr(m, KINDS[ALIASES[name]][0]) if name in ALIASES else m.nv if kind == enums.OBJ_DOF else 0


def _meshes(m: Model) -> Iterator[str]:
    for k in range(m.nmesh):
        vertices = int(m.mesh_vertnum[k])
        faces = slice(int(m.mesh_faceadr[k]), int(m.mesh_faceadr[k] + m.mesh_facenum[k]))
        if faces.stop > faces.start and not 0 <= m.mesh_face[faces].min() <= m.mesh_face[faces].max() < vertices:
            yield "mesh_face"
        if m.mesh_graphadr[k] >= 0 and not _graph_holds(m.mesh_graph[int(m.mesh_graphadr[k]):].astype(np.int64), vertices):
            yield "mesh_graph"
        hull = int(m.mesh_graph[int(m.mesh_graphadr[k])]) if m.mesh_graphadr[k] >= 0 else 0
        if not 0 <= m.hull_start[k].min() <= m.hull_start[k].max() <= hull:
            yield "hull_start"
        faces, corners = int(m.mesh_polynum[k]), int(m.mesh_vertadr[k])
        first = int(m.mesh_polyadr[k])
        sides = m.mesh_polyvertnum[first:first + faces]
        if faces and (sides.min() < 1 or _reach(m.mesh_polyvert, m.mesh_polyvertadr[first:first + faces], sides) >= vertices):
            yield "mesh_polyvert"
        around = slice(corners, corners + vertices)
        if _reach(m.mesh_polymap, m.mesh_polymapadr[around], m.mesh_polymapnum[around]) >= faces:
            yield "mesh_polymap"
    if m.nmesh and (m.mesh_polyvertnum.max(initial=0) > m.npolygonmax or m.mesh_polymapnum.max(initial=0) > m.nmeshdegmax):
        yield "mesh_polyvertnum"
    if not LEAST_ROOM <= m.nepa <= MOST_ROOM:
        yield "mesh_graph"
    if m.nclip not in (0, max(CAP_CORNERS, m.npolygonmax, m.nmeshdegmax)):
        yield "mesh_polyvertnum"


def _reach(values: np.ndarray, starts: np.ndarray, counts: np.ndarray) -> int:
    """Largest value in some runs of an array, -1 where they are empty."""
    rows = [values[a:a + n] for a, n in zip(starts.tolist(), counts.tolist(), strict=True) if n > 0]
    return int(np.concatenate(rows).max(initial=-1)) if rows else -1


def _graph_holds(graph: np.ndarray, vertices: int) -> bool:
    """Hull graph: counts of vertices and triangles, first edge and number of each vertex, its neighbours, the triangles."""
    if len(graph) < 2 or graph[0] < 0 or graph[1] < 0 or 2 + 3 * graph[0] + 6 * graph[1] > len(graph):
        return False
    nv, nf = int(graph[0]), int(graph[1])
    starts, numbers, edges, faces = np.split(graph[2:2 + 3 * nv + 6 * nf], np.cumsum([nv, nv, nv + 3 * nf]))
    inside = lambda values, low, high: not values.size or (values.min() >= low and values.max() < high)  # noqa: E731
    return inside(starts, 0, nv + 3 * nf) and inside(numbers, 0, vertices) and inside(edges, -1, nv) and inside(faces, 0, vertices)


def _skins(m: Model) -> Iterator[str]:
    if m.nskin and (m.skin_texcoordadr + np.where(m.skin_texcoordadr >= 0, m.skin_vertnum, 0) > m.nskintexvert).any():
        yield "skin_texcoordadr"
