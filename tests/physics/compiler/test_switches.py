"""The switches of <compiler>, each against the official compiler."""
import io
import re

import pytest
from PIL import Image

from physics import load_string
from tests.physics.compiler.agreement import disagreement
from tests.physics.compiler.random_trees import random_tree

SWITCHES = (
    'settotalmass="5"', 'settotalmass="5" inertiafromgeom="true"', 'settotalmass="0"', 'settotalmass="-1"', 'balanceinertia="true"', 'boundmass="3"',
    'boundmass="-1"', 'boundinertia=".5"', 'boundmass="1" boundinertia="2" settotalmass="3"', 'inertiafromgeom="true"', 'inertiafromgeom="auto"',
    'inertiafromgeom="false"', 'inertiafromgeom="false" boundmass="1" boundinertia="1"', 'inertiagrouprange="1 2"', 'inertiagrouprange="3"',
    'inertiagrouprange="2 1" boundmass="1" boundinertia="1"', 'alignfree="true"', 'alignfree="true" fusestatic="true"', 'usethread="false"',
    'saveinertial="true"', 'savecompiled="false"', 'savecanonical="false"', 'conflict="merge"', 'angle="radian"', 'eulerseq="XYZ"', 'eulerseq="zYx"',
    'eulerseq="xyza"', 'autolimits="false"', 'balanceinertia="true" inertiafromgeom="true"', 'alignfree="true" discardvisual="true"',
    'inertiafromgeom="true" fusestatic="true" boundinertia=".1"', 'inertiafromgeom="true" fusestatic="true" boundmass="20"',
)
FREE = ('<body pos="1 2 3" euler="10 20 30"><freejoint/><geom type="box" size=".1 .2 .3" pos="1 0 0" euler="30 40 50"/><geom size=".2"/>'
        '<site pos="1 1 1"/><camera pos="1 1 1"/><light dir="1 1 1"/></body>')


@pytest.mark.parametrize("switch", SWITCHES)
def test_on_random_trees(switch):
    for seed in (1003,):
        text = re.sub("<compiler[^>]*>", f"<compiler {switch}/>", random_tree(seed)).replace("<worldbody>", "<worldbody>" + FREE)
        assert disagreement(text) == {}, seed


@pytest.mark.parametrize("moments", ["1 1 3", "3 1 1", "1 1 2", "1 1 2.0000001", "0 0 1", "-1 1 1"])
@pytest.mark.parametrize("switch", ["", 'balanceinertia="true"', 'boundinertia=".5"', 'boundinertia="2" balanceinertia="true"'])
def test_inertia_that_no_body_has(moments, switch):
    assert disagreement(f'<mujoco><compiler {switch}/><worldbody><body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="{moments}"/></body></worldbody></mujoco>') == {}


@pytest.mark.parametrize("full", ["1 1 -1 0 0 0", "1 1 0 0 0 0", "1 1 1e-15 0 0 0", "1 1 -1e-15 0 0 0", "1 1 1 0 5 0", "1 2 2.5 .1 .2 .3"])
@pytest.mark.parametrize("switch", ['balanceinertia="true"', 'boundinertia=".001" balanceinertia="true"'])
def test_inertia_with_moments_that_are_not_positive(full, switch):
    assert disagreement(f'<mujoco><compiler {switch}/><worldbody><body><freejoint/><inertial pos="0 0 0" mass="1" fullinertia="{full}"/></body></worldbody></mujoco>') == {}


LIMITS = {
    "joint": '<joint name="j" type="{kind}" {limited} {range}/>',
    "tendon": '<fixed {limited} {range}><joint joint="k" coef="1"/></fixed>',
    "actuator": '<motor joint="k" {limited} {range}/>',
}


@pytest.mark.parametrize("autolimits", ["true", "false"])
@pytest.mark.parametrize("place, limited, interval", [
    ("joint", "limited", "range"), ("joint", "actuatorfrclimited", "actuatorfrcrange"), ("tendon", "limited", "range"),
    ("tendon", "actuatorfrclimited", "actuatorfrcrange"), ("actuator", "ctrllimited", "ctrlrange"), ("actuator", "forcelimited", "forcerange"),
])
def test_limits(autolimits, place, limited, interval):
    for word in ("", "true", "false"):
        for numbers in ("", "-1 2", "2 1", "-2 0"):
            part = LIMITS[place].format(kind="hinge", limited=f'{limited}="{word}"' if word else "", range=f'{interval}="{numbers}"' if numbers else "")
            inside = {place: part}
            text = (f'<mujoco><compiler autolimits="{autolimits}"/><worldbody><body>{inside.get("joint", "")}<joint name="k" axis="0 1 0"/><geom size="1"/></body>'
                    f'</worldbody><tendon>{inside.get("tendon", "")}</tendon><actuator>{inside.get("actuator", "")}</actuator></mujoco>')
            assert disagreement(text) == {}, part


TETRA = b"v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0.3 0.2 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def picture() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (4, 4), (10, 20, 30)).save(out, "PNG")
    return out.getvalue()


@pytest.mark.parametrize("folders, mesh, texture", [
    ("", "m.obj", "t.png"), ('meshdir="a"', "m.obj", "t.png"), ('texturedir="b"', "m.obj", "t.png"), ('assetdir="a"', "m.obj", "t.png"),
    ('assetdir="a" texturedir="b"', "m.obj", "t.png"), ('assetdir="a" meshdir="b"', "m.obj", "t.png"), ('meshdir="a/" texturedir="./b"', "m.obj", "t.png"),
    ('strippath="true"', "x/y/m.obj", "z/t.png"), ('strippath="true" meshdir="a"', "x\\m.obj", "t.png"), ('meshdir="a"', "../b/m.obj", "a/../t.png"),
    ('meshdir="{here}/b"', "m.obj", "{here}/a/t.png"), ('meshdir="nowhere"', "{here}/b/m.obj", "t.png"), ('meshdir="nowhere"', "m.obj", "t.png"),
])
def test_folders_of_assets(tmp_path, folders, mesh, texture):
    for k, folder in enumerate(("", "a", "b")):   # another file in each
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "m.obj").write_bytes(TETRA.replace(b"v 1 0 0", b"v %d 0 0" % (k + 1)))
        (tmp_path / folder / "t.png").write_bytes(picture())
    text = (f'<mujoco><compiler {folders}/><asset><mesh name="m" file="{mesh}"/><texture name="t" type="2d" file="{texture}"/></asset>'
            '<worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>').replace("{here}", str(tmp_path))
    (tmp_path / "m.xml").write_text(text)
    assert disagreement(path=tmp_path / "m.xml") == {}


def test_angles_of_everything():
    for unit in ("degree", "radian"):
        for sequence in ("xyz", "ZYX", "xZy", "YXy"):
            text = (f'<mujoco><compiler angle="{unit}" eulerseq="{sequence}"/><worldbody><body euler=".1 .2 .3"><joint range="-.5 .5" ref=".2" springref=".1"/>'
                    '<geom size="1" axisangle="1 2 3 .4"/><site euler="1 2 3"/><camera euler=".3 .2 .1"/></body><body><joint type="ball" range="0 .5"/>'
                    '<geom size="1" euler=".5 .6 .7"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1.5" euler=".1 .2 .4"/></body></worldbody></mujoco>')
            assert disagreement(text) == {}


def test_total_mass_leaves_the_world_alone():
    model = load_string('<mujoco><compiler settotalmass="5"/><worldbody><geom size="1"/><body><freejoint/><geom size="1"/></body></worldbody></mujoco>')
    assert model.body_mass.tolist() == pytest.approx([0, 5])
