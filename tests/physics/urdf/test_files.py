"""The files of a URDF: mesh assets, package:// paths, archives, and the corpus."""
import os
import zipfile

import pytest

from physics import ModelError, load, load_string
from tests.oracle.corpus import REPOSITORY, entry
from tests.physics.compiler.agreement import disagreement
from tests.physics.urdf.robots import PLAIN, joint, link, robot, shape

TETRA = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
OTHER = TETRA.replace(b"v 1 0 0", b"v 2 0 0")


def mesh(file, rest="", kind="collision"):
    return shape(f'<mesh filename="{file}" {rest}/>', kind)


def test_one_asset_for_each_file_and_scale(tmp_path):
    parts = "".join((mesh("m.obj", 'scale="1 2 3"'), mesh("m.obj"), mesh("m.obj", 'scale="1 2 3"'), mesh("e/m.obj"), mesh("m.obj", 'scale="2 2 2"'),
                     mesh("m.obj", 'scale="1 1 1"', "visual"), mesh("k.obj")))
    (tmp_path / "e").mkdir()
    for name, data in (("r.urdf", robot(link("a", parts), link("b"), joint("j", "a", "b")).encode()), ("m.obj", TETRA), ("e/m.obj", OTHER), ("k.obj", OTHER)):
        (tmp_path / name).write_bytes(data)
    assert disagreement(path=tmp_path / "r.urdf") == {}
    assert load(tmp_path / "r.urdf").names["mesh"] == ("m", "m1", "m2", "m3", "k")


def test_settings_for_files():
    files = {"meshes/m.obj": TETRA}
    assert disagreement(robot(link("a", mesh("m.obj")), settings='<mujoco><compiler meshdir="meshes"/></mujoco>'), files) == {}
    assert disagreement(robot(link("a", mesh("meshes/m.obj")), settings=""), files) == {}
    assert disagreement(robot(link("a", mesh("x/y/m.obj")), settings='<mujoco><compiler strippath="true"/></mujoco>'), {"m.obj": TETRA}) == {}


def test_the_files_of_visuals_are_not_opened():
    text = robot(link("a", mesh("nofile.dae", kind="visual") + shape('<sphere radius="1"/>')), link("b"), joint("j", "a", "b"), settings="")
    assert disagreement(text) == {}
    with pytest.raises(ModelError, match=r"nofile.dae"):
        load_string(text.replace('name="r">', f'name="r">{PLAIN}'))


def test_a_robot_of_ours():
    assert disagreement(path=REPOSITORY / "tests" / "models" / "trolley.urdf") == {}


@pytest.mark.parametrize("name", ["urdf_r2d2", "urdf_minitaur"])
def test_robots_of_the_corpus(name):
    assert disagreement(path=entry(name).path) == {}


@pytest.mark.parametrize("urdf, meshfile, scheme", [
    ("ws/arm_description/urdf/arm.urdf", "ws/arm_description/meshes/m.obj", "package://arm_description/meshes/m.obj"),
    ("ws/other/urdf/arm.urdf", "ws/arm_description/meshes/m.obj", "package://arm_description/meshes/m.obj"),
    ("ws/arm.urdf", "ws/arm_description/meshes/m.obj", "package://arm_description/meshes/m.obj"),
    ("ws/arm.urdf", "ws/meshes/m.obj", "package://arm_description/meshes/m.obj"),
    ("ws/arm.urdf", "ws/gripper/meshes/m.obj", "model://gripper/meshes/m.obj"),
])
@pytest.mark.parametrize("where", ["disk", "archive"])
def test_packages_are_found_around_the_model(tmp_path, monkeypatch, urdf, meshfile, scheme, where):
    files = {urdf: robot(link("a", mesh(scheme)), settings="").encode(), meshfile: TETRA}
    if where == "archive":
        with zipfile.ZipFile(tmp_path / "robot.zip", "w") as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        assert load(tmp_path / "robot.zip").nmesh == 1
        return
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    assert load(tmp_path / urdf).nmesh == 1
    monkeypatch.chdir((tmp_path / urdf).parent)   # the folders above are found from a relative path, too
    assert load(os.path.basename(urdf)).nmesh == 1


def test_a_file_path_with_a_scheme(tmp_path):
    (tmp_path / "m.obj").write_bytes(TETRA)
    assert load_string(robot(link("a", mesh(f"file://{tmp_path}/m.obj")), settings="")).nmesh == 1


def test_a_missing_package_says_where_it_was_looked_for(tmp_path):
    (tmp_path / "r.urdf").write_text(robot(link("a", mesh("package://pkg/m.stl")), settings=""))
    with pytest.raises(ModelError) as caught:
        load(tmp_path / "r.urdf")
    issue, = caught.value.issues
    assert "'package://pkg/m.stl' was not found" in issue.what and f"{tmp_path}/pkg/m.stl" in issue.hint and f"{tmp_path.parent}/pkg/m.stl" in issue.hint
    assert issue.place.column > 1


def test_an_archive_does_not_reach_packages_on_the_disk(tmp_path):
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "m.obj").write_bytes(TETRA)
    with zipfile.ZipFile(tmp_path / "robot.zip", "w") as archive:
        archive.writestr("model.urdf", robot(link("a", mesh("package://pkg/m.obj")), settings=""))
    with pytest.raises(ModelError, match="was not found"):
        load(tmp_path / "robot.zip")
