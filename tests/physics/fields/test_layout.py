"""The field tables against the official engine: names, types and shapes; and the layout built from them."""
import re

import mujoco
import numpy as np
import pytest

import physics
from physics import enums
from physics.fields import layout as fields
from physics.fields.field_row import Row, table
from physics.fields.layout import LAYOUTS, Layout, shape_of
from physics.model import islands
from physics.writer.dump import dump_data

XML = """
<mujoco><size nuser_body="2" nuser_jnt="1" nuser_geom="3" nuser_site="1" nuser_cam="1" nuser_tendon="2" nuser_actuator="1"
  nuser_sensor="2" nuserdata="4"/>
<asset><texture name="t" type="2d" builtin="checker" width="8" height="8"/><material name="m" texture="t"/></asset>
<worldbody><light/><camera/><body name="a"><freejoint/><geom name="ga" size=".1"/><site name="s"/><site name="r" pos="1 0 0"/>
<body name="b"><joint name="j"/><joint name="k" type="slide"/><geom name="gb" type="box" size=".1 .1 .1" material="m"/></body></body>
<body name="c" mocap="true"><geom size=".1"/></body></worldbody>
<contact><pair geom1="ga" geom2="gb"/><exclude body1="a" body2="b"/></contact>
<equality><weld body1="a" body2="c"/></equality>
<tendon><fixed name="f"><joint joint="j" coef="1"/><joint joint="k" coef="2"/></fixed><spatial><site site="s"/><site site="r"/></spatial></tendon>
<actuator><motor joint="j"/><position joint="k" timeconst="1"/><general tendon="f" dyntype="filter"/></actuator>
<sensor><framequat objtype="body" objname="a"/><jointpos joint="j"/></sensor>
<custom><numeric name="n" data="1 2"/><text name="t" data="ab"/><tuple name="u"><element objtype="body" objname="a" prm="3"/></tuple></custom>
<keyframe><key/></keyframe>
</mujoco>"""

# official fields that later work brings: flexible things, meshes, skins, height fields, plugins, bounding hierarchies, plasticity,
# file paths and packed names (ours are Python texts), the islands' own copies of forces, the dual problem, and the engine's own bookkeeping
LATER = re.compile(
    r"flex|mesh|oct_|bvh_active|bvh_aabb_dyn|plugin|plastic|efm|names|paths|pathadr|^name_|contenttype|iefc_|ifrc|iacc"
    r"|efc_Y|efc_AR|rowsuper|^solver$|solver_nnz|^timer|^warning$|buffer|arena|^mean|^signature"
)


@pytest.fixture(scope="module")
def official():
    model = mujoco.MjModel.from_xml_string(XML)
    return model, mujoco.MjData(model)


def arrays_of(thing):
    return {n: getattr(thing, n) for n in dir(thing) if not n.startswith("_") and isinstance(getattr(thing, n), np.ndarray)}


@pytest.mark.parametrize("key", ["m", "d"])
def test_every_official_array_is_in_the_table_or_named_as_later(official, key):
    names = set(arrays_of(official[key == "d"]))
    missing = {n for n in names - set(LAYOUTS[key].rows) - islands.FIELDS if not LATER.search(n)}
    assert missing == set()
    assert len(names & set(LAYOUTS[key].arrays)) > 80


@pytest.mark.parametrize("key", ["m", "d"])
def test_types_and_shapes_are_the_official_ones(official, key):
    model, data = official
    theirs = arrays_of(data if key == "d" else model)
    sizes = {n: int(getattr(model, n)) for n in LAYOUTS["m"].scalars if n.startswith("n") and hasattr(model, n)}
    sizes |= dict(maxcon=0, maxefc=0, maxJ=0)
    wrong = []
    for name, spot in LAYOUTS[key].arrays.items():
        if name in theirs and not name.startswith("solver_"):
            shape = shape_of(spot.dims, sizes)
            if spot.dtype != theirs[name].dtype or (shape != theirs[name].shape and theirs[name].size):
                wrong.append((name, spot.dtype.str, shape, theirs[name].dtype.str, theirs[name].shape))
    assert wrong == []


def test_options_and_statistics_are_complete(official):
    rows = LAYOUTS["m"].rows
    for prefix, thing in (("opt_", official[0].opt), ("stat_", official[0].stat)):
        for name in (n for n in dir(thing) if not n.startswith("_")):
            value = getattr(thing, name)
            row = rows[prefix + name]
            if isinstance(value, np.ndarray):
                assert row.dims == (str(value.size),)
            else:
                assert row.kind == ("f" if isinstance(value, float) else "i"), name


def test_sizes_are_the_official_ones(official):
    sizes = [n for n, (_o, kind) in LAYOUTS["m"].scalars.items() if re.fullmatch(r"n[a-zA-Z]\w*", n)]
    unknown = {n for n in sizes if not hasattr(official[0], n)}
    assert all(LAYOUTS["m"].rows[n].doc for n in unknown)
    assert len(unknown) < len(sizes) / 4


def test_every_row_says_what_it_is():
    for layout in LAYOUTS.values():
        for row in layout.rows.values():
            assert row.doc and row.doc.strip() == row.doc, row.name
            assert row.kind in ("i", "f") or np.dtype(row.kind), row.name


def test_sizes_that_shapes_name_exist():
    known = set(LAYOUTS["m"].scalars) | set(fields.GROWING)
    for key in "md":   # what kernels of the compiler see is lent
        for name, spot in LAYOUTS[key].arrays.items():
            for dim in spot.dims:
                for factor in dim.split("*"):
                    assert factor.isdigit() or factor in known, (name, dim)


def test_layout_gives_each_field_a_place_of_its_own():
    for layout in LAYOUTS.values():
        taken = [o // 8 for o, _k in layout.scalars.values()] + [s.offset // 8 + k for s in layout.arrays.values() for k in (0, 1)]
        assert len(taken) == len(set(taken)) and max(taken) < layout.size // 8


ROWS = (Row("a", "i", "", "", "x"), Row("b", "f", "", "", "x"), Row("p", "f8", "a 3", "", "x"))
OTHERS = (Row("e", "i", "", "", "x"), Row("r", "f8", "a", "", "x"))


def test_appending_a_field_to_a_table_moves_no_other():
    small = Layout("L", (ROWS, OTHERS), 16, 32)
    large = Layout("L", ((*ROWS, Row("c", "i", "", "", "x"), Row("q", "f8", "a", "", "x")), OTHERS), 16, 32)
    assert all(large.scalars[n] == small.scalars[n] for n in small.scalars)
    assert all(large.arrays[n] == small.arrays[n] for n in small.arrays)


def test_a_table_of_another_engine_is_its_own():
    """It comes last: nothing moves, and it has scalars of its own to copy and to clear."""
    mine = table("solve", OTHERS, engine="other", private=True)
    one, two = Layout("L", (ROWS,), 16, 32), Layout("L", (ROWS,), 16, 32, (mine,))
    assert all(two.arrays[n] == one.arrays[n] for n in one.arrays) and all(two.scalars[n] == one.scalars[n] for n in one.scalars)
    assert two.scalars["e"][0] == one.size and two.arrays["r"].offset == one.size + 8 * 16 and two.scalar_parts == (slice(0, 16), slice(one.size // 8, one.size // 8 + 16))
    assert [r.name for r in two.rows.values() if r.engine == "other"] == ["e", "r"] and two.public == ("a", "b", "p")


def test_layout_refuses_double_names():
    with pytest.raises(ValueError, match="twice"):
        Layout("L", (ROWS, ROWS), 16, 32)


def test_every_row_of_data_says_its_stage_and_scratch_is_private():
    rows = LAYOUTS["d"].rows.values()
    assert all(row.stage for row in rows) and {row.engine for row in rows} == {"", "soft", "hard"}
    assert [row.name for row in rows if "scratch" in row.doc and not row.private] == []


def test_users_are_shown_the_official_fields_and_no_scratch(official):
    m = physics.load_string(XML)
    d = physics.Data(m)
    shown = set(dir(d))
    theirs = set(arrays_of(official[1])) & set(LAYOUTS["d"].arrays)
    assert theirs <= shown and {"time", "contact", "warning", "copy", "reset", "xfrc_perturb"} <= shown
    present = {name for name in dir(official[1]) if not name.startswith("_") and name != "bind" and hasattr(d, name)}
    assert present <= shown and {"efc_island", "map_dof2idof", "joint", "energy"} <= present   # whatever else has an official name
    assert not shown & {"make_room", "grow_efc", "engine_hooks", "layout", "plain", "bind", "note_callback_error"}
    hidden = {row.name for row in LAYOUTS["d"].rows.values() if row.private}
    assert len(hidden) > 200 and not hidden & shown
    assert all(getattr(d, name) is not None for name in hidden)   # an exact name reaches them
    text = dump_data(d)
    assert not [name for name in hidden if re.search(rf"^{name} ", text, re.M)] and re.search("^qpos ", text, re.M)
    elements = {name for kind in ("body", "joint", "geom") for name in dir(getattr(d, kind)(0))}
    assert {"xpos", "qvel", "xmat"} <= elements and not elements & hidden and not {"sol_grad", "acc", "run"} & elements
    assert {"armature", "damping", "dof_solref", "solref", "pos"} <= set(dir(m.joint(0))) and {"body", "joint", "opt", "id"} <= set(dir(m))


def test_named_sizes_and_products():
    assert shape_of(("nkey", "3*nmocap"), {"nkey": 2, "nmocap": 4}) == (2, 12)
    assert LAYOUTS["m"].arrays["key_mpos"].inner == ()
    assert LAYOUTS["m"].arrays["geom_aabb"].inner == (6,)


PAIRS = {c.__name__: c for c in vars(enums).values() if isinstance(c, type) and issubclass(c, enums.IntEnum) and c is not enums.IntEnum}
OFFICIAL = {
    "DisableBit": "DisableBit", "EnableBit": "EnableBit", "JointType": "Joint", "GeomType": "Geom", "Projection": "Projection",
    "CamLightMode": "CamLight", "LightType": "LightType", "TextureType": "Texture", "TextureRole": "TextureRole", "ColorSpace": "ColorSpace",
    "Integrator": "Integrator", "Cone": "Cone", "Jacobian": "Jacobian", "Solver": "Solver", "EqType": "Eq", "TendonType": "Tendon",
    "WrapType": "Wrap", "TransmissionType": "Trn", "DynType": "Dyn", "GainType": "Gain", "BiasType": "Bias", "CtrlChart": "CtrlChart",
    "CtrlInput": "CtrlInput", "ObjType": "Obj", "SensorType": "Sensor", "Stage": "Stage", "SensorDataType": "DataType",
    "ContactData": "ConDataField", "RayData": "RayDataField", "CameraOutput": "CamOutBit", "SameFrame": "SameFrame",
    "SleepPolicy": "SleepPolicy", "ConstraintType": "Constraint", "ConstraintState": "ConstraintState", "WarningType": "Warning",
    "StateBit": "State", "SleepState": "SleepState", "PerturbBit": "PertBit",
}


OURS = {"SolverVariant", "Engine"}   # theirs are switches of the build; and they have one engine


@pytest.mark.parametrize("name", sorted(set(PAIRS) - OURS))
def test_enumerations_have_the_official_numbers(name):
    members = getattr(mujoco, "mjt" + OFFICIAL[name]).__members__
    theirs = {k.split("_", 1)[1].replace("2D", "TWO_D"): int(v.value) for k, v in members.items() if not k.startswith("mjN")}
    assert {k: int(v) for k, v in PAIRS[name].__members__.items()} == theirs
    prefix = next(k for k in members if not k.startswith("mjN")).split("_", 1)[0][2:]
    for key, value in theirs.items():
        constant = getattr(enums, f"{prefix}_{key.replace('TWO_D', '2D')}")
        assert constant == value and type(constant) is int
