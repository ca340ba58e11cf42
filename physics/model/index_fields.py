"""What every whole number of a Model may be: an index, a count, a member of an enumeration, a flag, or anything. A table.

Compiled code trusts these numbers: what checks them (model/lwb_validate.py) and what attacks them (tests/long/lwb_fuzz.py) read this one table.
"""
from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import NamedTuple

from physics import enums

MANY = 2**31 - 1


class IndexRow(NamedTuple):
    """One field: its rule and what the rule needs.

    rule: 'index' (low <= x < the size named `of`), 'member' (of the enumeration `of`), 'between' (low <= x <= high), 'derived' (follows from
    other fields, see model/derived_fields.py; `of` says from which), 'bound' (depends on another field, checked in model/lwb_validate.py; `of` names it),
    'size' (how many rows arrays have, so their shapes are the check). low: -1 where -1 means none, -2 where that has a meaning too.
    """

    field: str
    rule: str
    of: str = ""
    low: int = 0
    high: int = MANY


def _rows(rule: str, text: str, low: int = 0, high: int = MANY) -> Iterator[IndexRow]:
    """Rows from 'field of, field of, ...'."""
    for entry in text.replace("\n", " ").split(","):
        field, *of = entry.split()
        yield IndexRow(field, rule, " ".join(of), low, high)


INDEX_FIELDS: tuple[IndexRow, ...] = (
    # indices
    *_rows("index", """body_parentid nbody, geom_bodyid nbody, site_bodyid nbody, cam_bodyid nbody, light_bodyid nbody, jnt_bodyid nbody, pair_geom1 ngeom,
        pair_geom2 ngeom, cpair_geom ngeom, sap_geom ngeom, mesh_polyvert nmeshvert, mesh_polymap nmeshpoly, skin_bonebodyid nbody, skin_face nskinvert,
        skin_bonevertid nskinvert"""),
    *_rows("index", """body_mocapid nmocap, geom_matid nmat, site_matid nmat, tendon_matid nmat, skin_matid nmat, site_dataid nmesh, cam_targetbodyid nbody,
        light_targetbodyid nbody, light_texid ntex, mat_texid ntex, mesh_graphadr nmeshgraph, bvh_child nbvh, mesh_octadr zero""", low=-1),
    *_rows("index", "jnt_actuatorid nactuator, tendon_actuatorid nactuator", low=-2),   # -2: several actuators
    # members of enumerations
    *_rows("member", """jnt_type JointType, eq_type EqType, wrap_type WrapType, actuator_trntype TransmissionType, actuator_dyntype DynType,
        actuator_gaintype GainType, actuator_biastype BiasType, sensor_type SensorType, sensor_objtype ObjType, sensor_reftype ObjType, tuple_objtype ObjType,
        eq_objtype ObjType, tendon_type TendonType, cam_mode CamLightMode, light_mode CamLightMode, light_type LightType, tex_type TextureType,
        tex_colorspace ColorSpace, cam_projection Projection, tree_sleep_policy SleepPolicy, sensor_needstage Stage, sensor_datatype SensorDataType,
        body_sameframe SameFrame, geom_sameframe SameFrame, site_sameframe SameFrame, opt_integrator Integrator, opt_cone Cone, opt_jacobian Jacobian,
        opt_solver Solver, opt_engine Engine"""),
    # numbers within fixed bounds
    *_rows("between", "geom_type, site_type", high=enums.GEOM_SDF),
    *_rows("between", """jnt_limited, jnt_actfrclimited, jnt_actgravcomp, geom_castshadow, light_castshadow, light_active, mat_texuniform, eq_active0,
        tendon_limited, tendon_actfrclimited, actuator_actlimited, actuator_actearly, actuator_forcelimited, actuator_ctrllimited, cpair_related, tree_aba,
        flg_gravcomp, flg_surfacevel, flg_adhesion, flg_halfplane, flg_maxmargin, flg_hfieldvertex""", high=1),
    *_rows("between", "body_simple", high=2),
    *_rows("between", "flg_variant", high=3),
    *_rows("between", "geom_condim, pair_dim", low=1, high=6),
    *_rows("between", "cam_output", high=31),
    *_rows("between", "cam_resolution, tex_height, tex_width", low=1, high=1 << 20),
    *_rows("between", "tex_nchannel", low=1, high=4),
    *_rows("between", "hfield_nrow, hfield_ncol", low=2, high=1 << 20),
    *_rows("between", """opt_iterations, opt_ls_iterations, opt_noslip_iterations, opt_ccd_iterations, opt_sdf_initpoints, opt_sdf_iterations,
        opt_hard_iterations, opt_hard_looks, opt_hard_halvings,
        body_jntnum, body_dofnum, body_geomnum, dof_simplenum, tendon_num, ten_J_rownnz, actuator_ctrlnum, actuator_outnum, actuator_actnum,
        numeric_size, text_size, tuple_size, B_rownnz, M_rownnz, D_rownnz, mesh_vertnum, mesh_facenum, mesh_normalnum, mesh_texcoordnum, mesh_polynum,
        mesh_polyvertnum, mesh_polymapnum, mesh_bvhnum, body_bvhnum, mesh_octnum, skin_vertnum, skin_facenum, skin_bonenum, skin_bonevertnum, bvh_depth,
        ngravcomp, nemax, nbvhstatic, nbvhdynamic, npolygonmax, nmeshdegmax"""),
    *_rows("between", "nuserdata, sensor_dim", high=1 << 24),
    *_rows("between", "njmax, nconmax", low=-1),
    # any number: masks, groups, bytes, and what only names something
    *_rows("between", """opt_disableflags, opt_enableflags, opt_disableactuator, body_contype, body_conaffinity, geom_contype, geom_conaffinity, geom_group,
        geom_priority, jnt_group, site_group, tendon_group, actuator_group, skin_group, exclude_signature, tex_data, text_data, made_contype,
        made_conaffinity, made_body_contype, made_body_conaffinity""", low=-MANY - 1),
    # first of a run of rows; how many is in the field named here, or in several multiplied
    *_rows("run", """tendon_adr tendon_num nwrap, numeric_adr numeric_size nnumericdata, text_adr text_size ntextdata, tuple_adr tuple_size ntupledata,
        mesh_vertadr mesh_vertnum nmeshvert, mesh_faceadr mesh_facenum nmeshface, mesh_normaladr mesh_normalnum nmeshnormal,
        mesh_texcoordadr mesh_texcoordnum nmeshtexcoord, mesh_polyadr mesh_polynum nmeshpoly, mesh_polyvertadr mesh_polyvertnum nmeshpolyvert,
        mesh_polymapadr mesh_polymapnum nmeshpolymap, skin_vertadr skin_vertnum nskinvert, skin_faceadr skin_facenum nskinface,
        skin_boneadr skin_bonenum nskinbone, skin_bonevertadr skin_bonevertnum nskinbonevert, skin_texcoordadr skin_vertnum nskintexvert,
        hfield_adr hfield_nrow*hfield_ncol nhfielddata, tex_adr tex_height*tex_width*tex_nchannel ntexdata, body_bvhadr body_bvhnum nbvh,
        mesh_bvhadr mesh_bvhnum nbvh"""),
    # what depends on another field of the same element
    *_rows("bound", """geom_dataid geom_type, sensor_objid sensor_objtype, sensor_refid sensor_reftype, tuple_objid tuple_objtype, eq_obj1id eq_type,
        eq_obj2id eq_type, wrap_objid wrap_type, actuator_trnid actuator_trntype, actuator_ctrlspec actuator_gaintype, sensor_intprm sensor_type,
        actuator_history actuator_ctrlnum, sensor_history sensor_dim, mesh_face mesh_vertnum, mesh_facenormal mesh_normalnum,
        mesh_facetexcoord mesh_texcoordnum, mesh_graph mesh_graphadr, mesh_extrema mesh_vertnum, hull_start mesh_graph, bvh_nodeid mesh_facenum,
        sap_proxy sap_geom, nclip geom_type, nepa mesh_graph"""),
    # what follows from other fields
    *_rows("derived", """body_jntadr jnt_bodyid, jnt_qposadr jnt_type, jnt_dofadr jnt_type, dof_jntid jnt_type, dof_bodyid jnt_bodyid, body_dofadr jnt_bodyid,
        body_weldid body_parentid, body_rootid body_parentid, dof_parentid body_parentid, dof_treeid dof_parentid, body_treeid dof_treeid,
        tree_bodyadr body_treeid, tree_bodynum body_treeid, tree_dofadr dof_treeid, tree_dofnum dof_treeid, body_geomadr geom_bodyid,
        dof_Madr dof_parentid, M_rowadr dof_parentid, M_colind dof_parentid, M_rowrun dof_parentid, D_rowadr dof_parentid, D_colind dof_parentid,
        D_diag dof_parentid, mapM2M dof_parentid, mapM2D dof_parentid, mapD2M dof_parentid, B_rowadr dof_bodyid, B_colind dof_bodyid,
        ten_J_rowadr wrap_objid, ten_J_colind wrap_objid, tendon_treenum wrap_objid, tendon_treeid wrap_objid, pair_signature pair_geom1,
        actuator_ctrladr actuator_ctrlnum, actuator_outadr actuator_outnum, actuator_actadr actuator_actnum,
        actuator_historyadr actuator_history, sensor_historyadr sensor_history, sensor_adr sensor_dim, nabadof tree_aba, nababody tree_aba, nJmom actuator_trnid"""),
    # sizes: those of Model's arrays are checked with the arrays, the others against what they count
    *_rows("size", """nq, nv, nu, nactuator, nout, na, nbody, njnt, ntree, nM, nB, nC, nD, ngeom, nsite, ncam, nlight, ntex, ntexdata, nmat, npair, nexclude,
        neq, ntendon, nJten, nwrap, nsensor, nnumeric, nnumericdata, ntext, ntextdata, ntuple, ntupledata, nkey, nmocap, nuser_body, nuser_jnt,
        nuser_geom, nuser_site, nuser_cam, nuser_tendon, nuser_actuator, nuser_sensor, nsensordata, nhistory, ncpair, nsapgeom, nbvh, nmesh, nmeshvert,
        nmeshnormal, nmeshtexcoord, nmeshface, nmeshgraph, nmeshpoly, nmeshpolyvert, nmeshpolymap, nskin, nskinvert, nskintexvert, nskinface, nskinbone,
        nskinbonevert, nhfield, nhfielddata, nsapproxy"""),
)
INDEX_RULES = MappingProxyType({row.field: row for row in INDEX_FIELDS})


def any_number(row: IndexRow) -> bool:
    """Whether a field may hold any number."""
    return row.rule == "between" and row.low == -MANY - 1 and row.high == MANY


# how much work a step may spend: any number ends somewhere
BUDGETS = frozenset({"opt_iterations", "opt_ls_iterations", "opt_noslip_iterations", "opt_ccd_iterations", "opt_sdf_initpoints", "opt_sdf_iterations",
                     "opt_hard_iterations", "opt_hard_looks", "opt_hard_halvings"})
# what compiled code trusts while a model runs: written fields of these are checked before it is called again. wrap_prm holds side sites as plain numbers
TRUSTED = frozenset(row.field for row in INDEX_FIELDS if not any_number(row)) - BUDGETS | {"wrap_prm"}
# of these no other rule reads a number, and no room in Data depends on them: a written one is checked alone
ALONE = frozenset("""cam_bodyid light_bodyid cpair_geom sap_geom skin_bonebodyid skin_face skin_bonevertid geom_matid site_matid tendon_matid skin_matid
    cam_targetbodyid light_targetbodyid light_texid mat_texid mesh_octadr jnt_actuatorid tendon_actuatorid cam_mode light_mode light_type tex_type
    tex_colorspace cam_projection tree_sleep_policy sensor_needstage sensor_datatype body_sameframe geom_sameframe site_sameframe opt_cone opt_jacobian
    jnt_limited jnt_actfrclimited jnt_actgravcomp geom_castshadow light_castshadow light_active mat_texuniform eq_active0 tendon_limited
    tendon_actfrclimited actuator_actlimited actuator_actearly actuator_forcelimited actuator_ctrllimited cpair_related flg_gravcomp flg_surfacevel
    flg_adhesion flg_halfplane flg_maxmargin flg_hfieldvertex flg_variant geom_condim pair_dim cam_output mesh_octnum bvh_depth""".split())
# looked at in every step, and told in the engine's own words (simulate/soft_engine.py, simulate/engines.py)
SEEN_BY_ENGINE = frozenset({"opt_integrator", "opt_solver", "opt_engine", "geom_condim", "pair_dim"})

# ObjType -> the size that counts its objects; others have none
OBJECT_SIZES = MappingProxyType({
    enums.OBJ_BODY: "nbody", enums.OBJ_XBODY: "nbody", enums.OBJ_JOINT: "njnt", enums.OBJ_DOF: "nv", enums.OBJ_GEOM: "ngeom", enums.OBJ_SITE: "nsite",
    enums.OBJ_CAMERA: "ncam", enums.OBJ_LIGHT: "nlight", enums.OBJ_MESH: "nmesh", enums.OBJ_SKIN: "nskin", enums.OBJ_HFIELD: "nhfield",
    enums.OBJ_TEXTURE: "ntex", enums.OBJ_MATERIAL: "nmat", enums.OBJ_PAIR: "npair", enums.OBJ_EXCLUDE: "nexclude", enums.OBJ_EQUALITY: "neq",
    enums.OBJ_TENDON: "ntendon", enums.OBJ_ACTUATOR: "nactuator", enums.OBJ_SENSOR: "nsensor", enums.OBJ_NUMERIC: "nnumeric", enums.OBJ_TEXT: "ntext",
    enums.OBJ_TUPLE: "ntuple", enums.OBJ_KEY: "nkey",
})

_S, _O = enums.SensorType, enums.ObjType
_SITE, _JOINT, _TENDON, _ACTUATOR, _BODY, _NOTHING = (_O.SITE,), (_O.JOINT,), (_O.TENDON,), (_O.ACTUATOR,), (_O.BODY,), (_O.UNKNOWN,)
_FRAMES = (_O.BODY, _O.XBODY, _O.GEOM, _O.SITE, _O.CAMERA)
_ANY = tuple(_O)
# SensorType -> (ObjTypes of what it is attached to, of what it measures against, number of values; -1: depends on its settings)
SENSOR_OBJECTS = MappingProxyType({
    **{kind: (_SITE, _ANY, 1) for kind in (_S.TOUCH,)},
    **{kind: (_SITE, _ANY, 3) for kind in (_S.ACCELEROMETER, _S.VELOCIMETER, _S.GYRO, _S.FORCE, _S.TORQUE, _S.MAGNETOMETER)},
    _S.RANGEFINDER: ((_O.SITE, _O.CAMERA), _ANY, -1), _S.CAMPROJECTION: (_SITE, (_O.CAMERA,), 2),
    **{kind: (_JOINT, _ANY, 1) for kind in (_S.JOINTPOS, _S.JOINTVEL, _S.JOINTACTFRC, _S.JOINTLIMITPOS, _S.JOINTLIMITVEL, _S.JOINTLIMITFRC)},
    _S.BALLQUAT: (_JOINT, _ANY, 4), _S.BALLANGVEL: (_JOINT, _ANY, 3),
    **{kind: (_TENDON, _ANY, 1) for kind in (_S.TENDONPOS, _S.TENDONVEL, _S.TENDONACTFRC, _S.TENDONLIMITPOS, _S.TENDONLIMITVEL, _S.TENDONLIMITFRC)},
    **{kind: (_ACTUATOR, _ANY, -1) for kind in (_S.ACTUATORPOS, _S.ACTUATORVEL, _S.ACTUATORFRC)},
    **{kind: (_FRAMES, (*_FRAMES, *_NOTHING), 3) for kind in (_S.FRAMEPOS, _S.FRAMEXAXIS, _S.FRAMEYAXIS, _S.FRAMEZAXIS, _S.FRAMELINVEL, _S.FRAMEANGVEL,
                                                             _S.FRAMELINACC, _S.FRAMEANGACC)},
    _S.FRAMEQUAT: (_FRAMES, (*_FRAMES, *_NOTHING), 4),
    **{kind: (_BODY, _ANY, 3) for kind in (_S.SUBTREECOM, _S.SUBTREELINVEL, _S.SUBTREEANGMOM)},
    _S.INSIDESITE: (_FRAMES, _SITE, 1),
    **{kind: ((_O.BODY, _O.GEOM), (_O.BODY, _O.GEOM), dim) for kind, dim in ((_S.GEOMDIST, 1), (_S.GEOMNORMAL, 3), (_S.GEOMFROMTO, 6))},
    _S.CONTACT: ((_O.SITE, _O.BODY, _O.XBODY, _O.GEOM, _O.UNKNOWN), (_O.BODY, _O.XBODY, _O.GEOM, _O.UNKNOWN), -1),
    **{kind: (_ANY, _ANY, 1) for kind in (_S.E_POTENTIAL, _S.E_KINETIC, _S.CLOCK)},
    _S.TACTILE: ((_O.MESH,), (_O.GEOM,), -1), _S.USER: (_ANY, _ANY, -1),
})
CONTACT_SIZES = (1, 3, 3, 1, 3, 3, 3, 3, 3)   # values of each ContactData of a contact sensor
RAY_SIZES = (1, 3, 3, 3, 3, 1)   # of each RayData of a range finder
CONTACT_SLOTS = 100000   # most contacts of a contact sensor
EQUALITY_ROWS = MappingProxyType({enums.EQ_CONNECT: 3, enums.EQ_WELD: 6, enums.EQ_JOINT: 1, enums.EQ_TENDON: 1, enums.EQ_DISTANCE: 1})
JOINT_WIDTHS = MappingProxyType({enums.JNT_FREE: (7, 6), enums.JNT_BALL: (4, 3), enums.JNT_SLIDE: (1, 1), enums.JNT_HINGE: (1, 1)})   # in qpos and qvel
