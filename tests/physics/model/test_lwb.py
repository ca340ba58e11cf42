"""Compiled models as files: everything comes back bit by bit, and a bad file is a ModelError that says what is wrong."""
import copy
import json
import pickle
import struct
from zlib import crc32

import numpy as np
import pytest

import physics
from physics.model import lwb
from physics.model.live_fields import LIVE_FIELDS
from physics.model.lwb_validate import wrong_indices
from tests.physics.model.force import force

TEXT = """<mujoco model="all sorts"><size nuser_geom="2"/><visual><map znear="0.02"/><rgba fog="1 0 0 1"/></visual>
<asset><texture name="t" type="2d" builtin="checker" width="8" height="8"/><texture name="p" type="2d" file="p.png"/><material name="m" texture="t"/></asset>
<worldbody><geom type="plane" size="1 1 1"/><camera name="c" mode="track"/><light/><site name="s"/>
<body name="a"><freejoint/><geom name="ga" size=".1" material="m" user="1 2"/><body name="b"><joint name="j" range="-10 10"/><geom name="gb" size=".1"/></body></body></worldbody>
<contact><exclude body1="a" body2="b"/></contact><tendon><fixed name="f"><joint joint="j" coef="2"/></fixed></tendon>
<equality><joint joint1="j"/></equality><actuator><motor name="m" joint="j"/></actuator><sensor><gyro site="s"/></sensor>
<custom><numeric name="n" data="1 2"/><text name="t" data="Grüße"/><tuple name="u"><element objtype="body" objname="a"/></tuple></custom>
<keyframe><key name="k" time="3"/></keyframe></mujoco>"""


def png() -> bytes:
    from io import BytesIO

    from PIL import Image

    stream = BytesIO()
    Image.fromarray(np.arange(48, dtype=np.uint8).reshape(4, 4, 3)).save(stream, "PNG")
    return stream.getvalue()


@pytest.fixture(scope="module")
def model():
    return physics.load_string(TEXT, files={"p.png": png()})


@pytest.fixture
def saved(model, tmp_path):
    path = tmp_path / "m.lwb"
    lwb.save(model, path)
    return path


def issue(path) -> str:
    """The one problem of a file."""
    with pytest.raises(physics.ModelError) as caught:
        physics.load(path)
    (found,) = caught.value.issues
    assert found.place.file == str(path) and found.severity == "error"
    return f"{found.what}. {found.hint}"


def test_what_was_read_can_be_copied_and_sent_to_another_process(saved):
    m = physics.load(saved)
    for other in (copy.deepcopy(m), pickle.loads(pickle.dumps(m))):
        assert other.names == m.names and np.array_equal(other.body_mass, m.body_mass) and dict(other.links.elements) == {}


def rewrite(path, change) -> None:
    """Change the table and the bytes, and set all checksums right again: damage that no checksum finds."""
    data = bytearray(path.read_bytes())
    size = lwb.HEAD.unpack_from(data)[3]
    table = json.loads(data[lwb.HEAD.size:lwb.HEAD.size + size])
    change(table, data)
    for row in table["arrays"] if isinstance(table["arrays"], list) else ():
        try:
            nbytes = int(np.dtype(row[1]).itemsize * np.prod(row[2], dtype=float))
        except (TypeError, ValueError):
            continue
        if 0 <= nbytes < len(data) and row[3] >= 0:
            row[4] = f"{crc32(data[row[3]:row[3] + nbytes]):08x}"
    table.pop("writer", None)   # room for what the change has made longer
    text = json.dumps(table, ensure_ascii=False, separators=(",", ":")).encode()
    assert len(text) <= size, "the table may not grow into the arrays"
    text = text.ljust(size)
    body = data[lwb.HEAD.size + size:]
    path.write_bytes(lwb.HEAD.pack(lwb.MAGIC, 1, crc32(text), len(text), lwb.HEAD.size + len(text) + len(body)) + text + body)


def test_everything_comes_back(model, saved):
    again = physics.load(saved)
    for name in model.fields():
        assert np.array_equal(getattr(model, name), getattr(again, name), equal_nan=True), name
    for name in model.plain:
        assert name == "links" or getattr(model, name) == getattr(again, name), name     # there is no text that they could lead to
    assert again.texts["t"] == "Grüße" and again.assets["texture"][1].files["file"].data == png()
    again.geom_rgba[0] = 0.5   # a model of its own, which can be changed
    assert physics.to_mjcf(physics.load(saved)) == physics.to_mjcf(model)


def test_arrays_lie_where_the_description_says(model, saved):
    data = saved.read_bytes()
    assert data[:8] == b"\x89LWB\r\n\x1a\n" and struct.unpack_from("<I", data, 8) == (1,) and not any(data[32:64])
    size, whole = struct.unpack_from("<QQ", data, 16)
    table = json.loads(data[64:64 + size])
    assert whole == len(data) and struct.unpack_from("<I", data, 12) == (crc32(data[64:64 + size]),)
    rows = {name: (kind, shape, offset, check) for name, kind, shape, offset, check in table["arrays"]}
    assert all(offset % 64 == 0 for _k, _s, offset, _c in rows.values())
    kind, shape, offset, check = rows["geom_rgba"]
    assert (kind, shape) == ("<f4", [3, 4]) and f"{crc32(data[offset:offset + 48]):08x}" == check
    assert np.array_equal(np.frombuffer(data, kind, 12, offset).reshape(shape), model.geom_rgba)


def test_values_set_while_it_is_written_leave_a_sound_file(tmp_path, monkeypatch):
    """As the physics thread does it, here between each checksum and the bytes."""
    m, checksum = physics.load_string(TEXT, files={"p.png": png()}), lwb._checksum
    live = [name for name in (*LIVE_FIELDS, "opt_gravity", "opt_wind", "opt_magnetic", "opt_o_solref") if name in m.layout.arrays and getattr(m, name).size]

    def summed(data):
        found = checksum(data)
        for name in live:
            getattr(m, name)[...] += 1
        return found

    before = {name: getattr(m, name).copy() for name in live}
    with monkeypatch.context() as patch:
        patch.setattr(lwb, "_checksum", summed)
        lwb.save(m, tmp_path / "m.lwb")
    again = physics.load(tmp_path / "m.lwb")
    assert len(live) > 40 and all(np.array_equal(getattr(again, name), before[name]) for name in live)


def test_it_runs_like_the_text(tmp_path):
    model = physics.load_string('<mujoco><worldbody><body><joint name="j" damping=".1"/><geom size=".1" pos="1 0 0"/></body></worldbody></mujoco>')
    lwb.save(model, tmp_path / "m.lwb")
    again = physics.load(tmp_path / "m.lwb")
    physics.ensure_kernels()
    one, two = physics.Data(model), physics.Data(again)
    physics.step(model, one, 20)
    physics.step(again, two, 20)
    assert np.array_equal(one.qpos, two.qpos) and one.time == two.time > 0


@pytest.mark.parametrize(("change", "words"), [
    (lambda b: b"PK\x03\x04" + b[4:], "begins otherwise"),
    (lambda b: b[:8] + b"\x07" + b[9:], "version 7"),
    (lambda b: b[:40], "too short"),
    (lambda b: b"", "too short"),
    (lambda b: b[:-100], "cut short"),
    (lambda b: b + b"more", "cut short or added to"),
    (lambda b: b[:16] + b"\xff" * 8 + b[24:], "absurd"),
    (lambda b: b[:100] + bytes([b[100] ^ 1]) + b[101:], "checksum of its table"),
    (lambda b: b[:-1] + bytes([b[-1] ^ 4]), "checksum of '"),
])
def test_damage_is_named(saved, change, words):
    saved.write_bytes(change(saved.read_bytes()))
    assert words in issue(saved)


def at(which: str, **changes):
    """Change of an array's row in the table."""
    def change(table, _data):
        row = next(r for r in table["arrays"] if r[0] == which)
        for key, value in changes.items():
            row[("name", "kind", "shape", "offset").index(key)] = value
    return change


@pytest.mark.parametrize(("change", "words"), [
    (at("geom_rgba", shape=[3, 10**15]), "does not fit"),
    (at("geom_rgba", shape=[3, -4]), "has type"),
    (at("geom_rgba", kind="|O"), "has type"),
    (at("geom_rgba", kind="<f8", shape=[6]), "its sizes ask for"),
    (at("geom_rgba", shape=[4, 3]), "its sizes ask for"),
    (at("geom_rgba", offset=64), "does not fit"),
    (at("geom_rgba", name="geom_rgbb"), "another version"),
    (lambda t, _d: t["ints"].append("nmore"), "another version"),
    (lambda t, _d: t["names"]["body"].pop(), "names 2 elements"),
    (lambda t, _d: t.pop("vis"), "does not describe"),
    (lambda t, _d: t["vis"]["map"].update(znear=[1]), "does not describe"),
    (lambda t, _d: t.update(arrays=3), "does not describe"),
    (lambda t, _d: t["places"]["body"].__setitem__(1, [1]), "does not describe"),
])
def test_a_table_that_lies_is_named(saved, change, words):
    rewrite(saved, change)
    assert words in issue(saved)


def number(name: str, value: int, k: int = 0):
    """Change of one entry of an array."""
    def change(table, data):
        _n, kind, _shape, offset, _c = next(r for r in table["arrays"] if r[0] == name)
        dtype = np.dtype(kind)
        data[offset + k * dtype.itemsize:offset + (k + 1) * dtype.itemsize] = np.array(value, dtype).tobytes()
    return change


@pytest.mark.parametrize(("name", "value"), [
    ("body_parentid", 5), ("body_parentid", -1), ("geom_bodyid", 3), ("jnt_qposadr", 6), ("dof_parentid", 6), ("actuator_trnid", 2), ("wrap_objid", 9),
    ("sensor_objid", 1), ("sensor_objtype", 77), ("geom_matid", 1), ("mat_texid", 2), ("tex_width", 10**6), ("numeric_size", 3), ("jnt_type", 9),
    ("text_adr", 2), ("eq_obj1id", 2), ("tuple_objid", 3), ("M_colind", 7), ("tendon_num", 2), ("geom_type", 7),
])
def test_indices_that_point_outside_are_named(saved, name, value):
    rewrite(saved, number(name, value))
    assert "points outside the model" in issue(saved)


def test_no_size_is_believed(saved):
    for k in range(6):
        rewrite(saved, number("#ints", 2**40, k))
        assert "its sizes ask for" in issue(saved)
    rewrite(saved, number("#ints", -5))
    assert "is -5" in issue(saved)


def test_damage_anywhere_is_found(saved):
    """A seeded share of all bytes, one after the other."""
    good = saved.read_bytes()
    rng = np.random.default_rng(11)
    size = lwb.HEAD.unpack_from(good)[3]
    rows = json.loads(good[64:64 + size])["arrays"]
    used = np.concatenate([np.arange(64 + size), *(np.arange(o, o + int(np.dtype(k).itemsize * np.prod(s))) for _n, k, s, o, _c in rows)])
    for position in rng.choice(used[used < len(good)], 60, replace=False):
        if 32 <= position < 64:
            continue   # room for later
        damaged = bytearray(good)
        damaged[position] ^= 1 << rng.integers(8)
        saved.write_bytes(damaged)
        assert issue(saved)


def test_missing_files_are_model_errors(tmp_path):
    assert "cannot be read" in issue(tmp_path / "missing.lwb")


@pytest.mark.parametrize("counts", [(1, 0), (0, 1), (2, 5)])
def test_rooms_of_long_chains_must_fit_the_model(counts):
    m = physics.load_string("<mujoco><worldbody><body><freejoint/><geom size='.1'/><body pos='1 0 0'><joint/><geom size='.1'/></body></body></worldbody></mujoco>")
    force(m, "nabadof", counts[0])
    force(m, "nababody", counts[1])
    assert wrong_indices(m) in ("nabadof", "nababody")


@pytest.mark.parametrize("field,value,blamed", [
    ("nepa", 4, "mesh_graph"), ("nepa", 1 << 20, "mesh_graph"), ("nclip", 4, "mesh_polyvertnum"),
    ("npolygonmax", 3, "mesh_polyvertnum"), ("mesh_polyvert", 8, "mesh_polyvert"), ("mesh_polymap", 6, "mesh_polymap"),
])
def test_hull_polygons_must_fit_their_mesh_and_the_room_for_clipping(field, value, blamed):
    corners = " ".join(f"{x} {y} {z}" for x in (0, 1) for y in (0, 1) for z in (0, 1))
    m = physics.load_string(f"""<mujoco><asset><mesh name='m' vertex='{corners}'/><mesh name='n' vertex='{corners}'/></asset>
        <worldbody><geom type='mesh' mesh='m'/><geom type='mesh' mesh='n'/></worldbody></mujoco>""")
    assert wrong_indices(m) == "" and m.nclip == 16
    if field.startswith("mesh"):
        getattr(m, field)[0] = value
    else:
        force(m, field, value)
    assert wrong_indices(m) == blamed
