"""Models in zip archives: which member is the model, what is found beside it, and what a hostile archive gets."""
import struct
import time
import zipfile

import pytest

from physics import ModelError, load
from physics.compiler.compile import compile_root
from physics.mjcf import archive as limits
from physics.mjcf.reader import read

ONE = '<mujoco model="one"><worldbody><geom size="1"/></worldbody></mujoco>'
TWO = '<mujoco model="two"><worldbody><geom size="1"/><geom size="2"/></worldbody></mujoco>'
URDF = '<robot name="r"><link name="a"><collision><geometry><sphere radius="1"/></geometry></collision></link></robot>'
PART = '<mujocoinclude><worldbody><geom size="3"/></worldbody></mujocoinclude>'


def packed(tmp_path, members, name="robot.zip", method=zipfile.ZIP_DEFLATED):
    path = tmp_path / name
    with zipfile.ZipFile(path, "w", method) as archive:
        for member, content in members:
            archive.writestr(member, content)
    return path


def problems(path):
    with pytest.raises(ModelError) as caught:
        load(path)
    return [str(issue) for issue in caught.value.issues]


@pytest.mark.parametrize("members, ngeom", [
    ([("model.xml", TWO), ("robot.xml", ONE)], 2),
    ([("robot.xml", TWO), ("other.xml", ONE)], 2),
    ([("robot/robot.xml", TWO), ("other.xml", ONE)], 2),
    ([("robot/model.xml", TWO), ("other.xml", ONE)], 2),
    ([("deep/folder/any.xml", TWO), ("notes.xml", "<notes/>"), ("deep/read.me", "hello")], 2),
    ([("top.xml", TWO), ("deep/model2.xml", ONE)], 2),
    ([("any.urdf", URDF)], 1),
    ([("scene.xml", f'<mujoco><include file="part.xml"/>{ONE[20:]}'), ("part.xml", PART.replace("mujocoinclude", "mujoco"))], 2),
])
def test_which_member_is_the_model(tmp_path, members, ngeom):
    assert load(packed(tmp_path, members)).ngeom == ngeom


def test_other_name_and_no_suffix(tmp_path):
    assert load(packed(tmp_path, [("x.xml", TWO)], "robot.mjz")).ngeom == 2
    assert load(packed(tmp_path, [("x.xml", TWO)], "robot.xml")).ngeom == 2


def test_several_models_are_a_warning(tmp_path):
    found = read(packed(tmp_path, [("b.xml", TWO), ("a.xml", ONE)]))
    assert compile_root(found).ngeom == 1
    assert [issue.severity for issue in found.issues] == ["warning"] and "b.xml" in found.issues[0].what


def test_includes_are_found_in_the_archive(tmp_path):
    path = packed(tmp_path, [("m/model.xml", f'<mujoco><include file="parts/p.xml"/>{ONE[20:]}'), ("m/parts/p.xml", PART)])
    assert load(path).ngeom == 2


def test_the_disk_is_not_reached(tmp_path):
    (tmp_path / "part.xml").write_text(PART)
    for file in ("../part.xml", "part.xml", str(tmp_path / "part.xml")):
        path = packed(tmp_path, [("model.xml", f'<mujoco>\n<include file="{file}"/></mujoco>')])
        said = problems(path)
        assert len(said) == 1 and f"'{file}' was not found" in said[0] and "robot.zip/model.xml:2:" in said[0]


def test_places_name_the_member(tmp_path):
    said = problems(packed(tmp_path, [("model.xml", "<mujoco>\n<foo/></mujoco>")]))
    assert "robot.zip/model.xml:2:1: error: unknown element <foo>" in said[0]


def link(tmp_path):
    info = zipfile.ZipInfo("model.xml")
    info.external_attr = 0o120777 << 16
    return packed(tmp_path, [(info, "/etc/passwd")])


def encrypted(tmp_path):
    path = packed(tmp_path, [("model.xml", ONE)])
    data = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(mark) + offset] |= 1
    path.write_bytes(data)
    return path


def damaged(tmp_path):
    path = packed(tmp_path, [("model.xml", ONE)], method=zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b'size="1"', b'size="7"'))
    return path


def cut(tmp_path):
    path = packed(tmp_path, [("model.xml", ONE)])
    path.write_bytes(path.read_bytes()[:-30])
    return path


def boasting(tmp_path):
    """Says that it unpacks to 3 GiB."""
    path = packed(tmp_path, [("model.xml", ONE)])
    data = bytearray(path.read_bytes())
    struct.pack_into("<I", data, data.find(b"PK\x01\x02") + 24, 3 << 30)
    path.write_bytes(data)
    return path


def lying(tmp_path):
    """Says that it is shorter than it is."""
    path = packed(tmp_path, [("model.xml", ONE * 3)])
    data = bytearray(path.read_bytes())
    struct.pack_into("<I", data, data.find(b"PK\x01\x02") + 24, len(ONE))
    path.write_bytes(data)
    return path


def endless_list(tmp_path):
    path = packed(tmp_path, [("model.xml", ONE)])
    data = bytearray(path.read_bytes())
    struct.pack_into("<I", data, data.rfind(b"PK\x05\x06") + 12, 1 << 30)
    path.write_bytes(data)
    return path


def other_method(tmp_path):
    path = packed(tmp_path, [("model.xml", ONE)])
    data = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        struct.pack_into("<H", data, data.find(mark) + offset, 99)
    path.write_bytes(data)
    return path


def twice(tmp_path):
    with pytest.warns(UserWarning):
        return packed(tmp_path, [("model.xml", ONE), ("model.xml", TWO)])


HOSTILE = {
    "leads outside": (lambda p: packed(p, [("model.xml", ONE), ("../../x.xml", ONE)]), "'../../x.xml' leads outside the archive"),
    "backslashes": (lambda p: packed(p, [("model.xml", ONE), ("..\\x.xml", ONE)]), "leads outside"),
    "absolute": (lambda p: packed(p, [("/etc/model.xml", ONE)]), "absolute path"),
    "drive": (lambda p: packed(p, [("C:\\model.xml", ONE)]), "absolute path"),
    "link": (link, "is a link or device"),
    "encrypted": (encrypted, "is encrypted"),
    "damaged": (damaged, "cannot be unpacked"),
    "cut": (cut, "cannot be read"),
    "not a zip": (lambda p: (p / "x.zip").write_bytes(b"hello") and p / "x.zip", "cannot be read"),
    "empty file": (lambda p: (p / "x.zip").touch() or p / "x.zip", "cannot be read"),
    "missing": (lambda p: p / "nofile.zip", "No such file"),
    "empty": (lambda p: packed(p, []), "holds no model"),
    "no model": (lambda p: packed(p, [("a.xml", "<a/>"), ("b.txt", ONE)]), "holds no model"),
    "bomb": (lambda p: packed(p, [("model.xml", ONE), ("zeros.stl", bytes(30 << 20))]), "looks like an attack"),
    "too large": (boasting, "at most 256 MiB"),
    "lying": (lying, "cannot be unpacked"),
    "long list": (endless_list, "list of members"),
    "method": (other_method, "cannot be unpacked"),
    "twice": (twice, "in the archive twice"),
    "same file twice": (lambda p: packed(p, [("model.xml", ONE), ("./model.xml", TWO)]), "in the archive twice"),
    "not XML": (lambda p: packed(p, [("model.xml", b"\x00\x01\x02")]), "error"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_archives(tmp_path, name):
    make, words = HOSTILE[name]
    path = make(tmp_path)
    start = time.perf_counter()
    said = problems(path)
    assert any(words in line for line in said), said
    assert time.perf_counter() - start < 5


def test_many_members(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "MAX_MEMBERS", 10)
    assert "12 members" in problems(packed(tmp_path, [(f"{i}.xml", ONE) for i in range(12)]))[0]


def test_much_in_all(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "MAX_TOTAL", 1000)
    assert "larger than" in problems(packed(tmp_path, [(f"{i}.xml", ONE) for i in range(20)]))[0]


def test_every_hostile_member_is_named(tmp_path):
    said = problems(packed(tmp_path, [("../a", ""), ("/b", ""), ("model.xml", ONE)]))
    assert len(said) == 2
