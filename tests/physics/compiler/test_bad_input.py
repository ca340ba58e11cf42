"""What the official compiler refuses, ours refuses, with file, line, column and element; all problems of a file at once."""
import pytest

from physics import ModelError, load, load_string
from tests.physics.compiler.compared import accepted, official

G = '<geom name="g" size=".1"/>'
REFUSED = [
    # bodies, joints, geoms
    f'<worldbody><body>{G}<joint/><freejoint/></body></worldbody>', f'<worldbody><body>{G}<body><freejoint/><geom size=".1"/></body></body></worldbody>',
    f'<worldbody><body mocap="true">{G}<joint/></body></worldbody>', f'<worldbody><body>{G}<body mocap="true"><geom size=".1"/></body></body></worldbody>',
    "<worldbody><body><joint/></body></worldbody>", f'<worldbody><joint/>{G}</worldbody>', f'<worldbody><body>{G}<joint axis="0 0 0"/></body></worldbody>',
    f'<worldbody><body>{G}<joint limited="true" range="1 -1"/></body></worldbody>', f'<worldbody><body>{G}<joint type="ball" range="-1 1"/></body></worldbody>',
    '<worldbody><geom type="sphere"/></worldbody>', '<worldbody><geom size="-1"/></worldbody>', '<worldbody><geom type="box" size="1 1"/></worldbody>',
    '<worldbody><geom type="capsule" size="1"/></worldbody>', '<worldbody><geom type="sphere" size="1" fromto="0 0 0 1 0 0"/></worldbody>',
    '<worldbody><geom type="capsule" size="1" fromto="0 0 0 0 0 0"/></worldbody>', '<worldbody><geom size="1" condim="2"/></worldbody>',
    '<worldbody><body><joint/><geom type="plane" size="1 1 1"/></body></worldbody>', '<worldbody><geom size="1" type="mesh"/></worldbody>',
    f'<worldbody><body><joint/>{G}<inertial pos="0 0 0" mass="1" diaginertia="1 1 5"/></body></worldbody>',
    f'<worldbody><body><joint/>{G}<inertial pos="0 0 0" mass="-1" diaginertia="1 1 1"/></body></worldbody>',
    f'<worldbody><body><joint/>{G}<inertial pos="0 0 0" mass="1"/></body></worldbody>',
    f'<worldbody><body><joint/>{G}<inertial mass="1" pos="0 0 0" diaginertia="1 1 1" fullinertia="1 1 1 0 0 0"/></body></worldbody>',
    '<worldbody><geom size="1" quat="1 0 0 0" euler="1 0 0"/></worldbody>', '<worldbody><geom size="1" quat="0 0 0 0"/></worldbody>',
    '<worldbody><geom size="1" zaxis="0 0 0"/></worldbody>', '<worldbody><geom size="1" xyaxes="1 0 0 1 0 0"/></worldbody>',
    '<worldbody><geom size="1" material="none"/></worldbody>', '<worldbody><site size="0"/></worldbody>', '<worldbody><camera fovy="200"/></worldbody>',
    '<worldbody><light mode="targetbody" target="none"/></worldbody>',
    '<default><default class="k"><geom quat="0 0 0 0"/></default></default>',
    '<worldbody><geom type="capsule" size=".1" fromto="0 0 0 1 1 1" quat="0 0 0 0"/></worldbody>',
    # names, numbers, structure
    f'<worldbody>{G}{G}</worldbody>', '<worldbody><geom size="a"/></worldbody>', '<worldbody><geom size="1 2 3 4"/></worldbody>',
    '<worldbody><geom sise="1"/></worldbody>', "<worldbody><blob/></worldbody>", '<worldbody><geom size="1" type="blob"/></worldbody>',
    '<worldbody><geom size="1" class="none"/></worldbody>', '<default class="a"/>', '<default><default/></default>',
    '<compiler angle="turns"/>', '<option integrator="best"/>', '<option><flag contact="maybe"/></option>',
    # actuators, tendons, keyframes, excludes
    "<actuator><motor/></actuator>", '<actuator><motor joint="none"/></actuator>',
    f'<worldbody><body>{G}<joint name="j"/></body></worldbody><actuator><motor joint="j" tendon="t"/></actuator>',
    f'<worldbody><body>{G}<joint name="j"/></body></worldbody><actuator><motor joint="j" ctrllimited="true"/></actuator>',
    f'<worldbody><body>{G}<joint name="j"/></body></worldbody><actuator><position joint="j" kv="1" dampratio="1"/></actuator>',
    "<tendon><fixed/></tendon>", '<tendon><fixed><joint joint="none" coef="1"/></fixed></tendon>',
    f'<worldbody><body>{G}<joint name="j" type="ball"/></body></worldbody><tendon><fixed><joint joint="j" coef="1"/></fixed></tendon>',
    f'<worldbody><body>{G}<joint/></body></worldbody><keyframe><key qpos="1 2"/></keyframe>', '<keyframe><key ctrl="1"/></keyframe>',
    '<contact><exclude body1="none" body2="world"/></contact>', '<contact><exclude body1="world"/></contact>',
]
TAKEN = [
    "", "<worldbody/>", '<worldbody><geom size="0 0 1" type="plane"/></worldbody>', f'<worldbody><body>{G}</body></worldbody>',
    f'<worldbody><body><freejoint/>{G}</body></worldbody><worldbody><geom size="1"/></worldbody>',
    f'<worldbody><body><joint axis="0 0 9"/>{G}</body></worldbody><keyframe><key qpos="1"/><key/></keyframe>',
    '<worldbody><body><joint/><geom size="1" mass="0"/><body><geom size="1"/></body></body></worldbody>',
    '<option timestep="0.002"/><option timestep=".01"/>', '<contact><exclude body1="world" body2="world"/></contact>',
]


@pytest.mark.parametrize("text", REFUSED, ids=range(len(REFUSED)))
def test_what_is_refused(text):
    whole = f"<mujoco>\n{text}\n</mujoco>"
    assert isinstance(official(whole), str), "the official compiler takes this"
    with pytest.raises(ModelError) as caught:
        load_string(whole)
    errors = [issue for issue in caught.value.issues if issue.severity == "error"]
    assert errors
    for issue in errors:
        assert (issue.place.file, issue.place.line) == ("model.xml", 2) and issue.place.column > 0
        assert issue.path.startswith("mujoco/") and issue.what


@pytest.mark.parametrize("text", TAKEN, ids=range(len(TAKEN)))
def test_what_is_taken(text):
    whole = f"<mujoco>{text}</mujoco>"
    assert accepted(whole)
    load_string(whole)


def test_all_problems_come_at_once():
    text = """<mujoco>
    <worldbody>
      <geom type="box" size="1"/>
      <body><joint axis="0 0 0"/><geom size=".1"/></body>
    </worldbody>
    <asset><texture name="t" type="2d" file="missing.png"/></asset>
    <sensor><jointpos joint="none"/></sensor>
    <custom><numeric name="n"/></custom>
    </mujoco>"""
    with pytest.raises(ModelError) as caught:
        load_string(text)
    lines = [issue.place.line for issue in caught.value.issues]
    assert lines == sorted(lines) and set(lines) == {3, 4, 6, 7, 8}


@pytest.mark.parametrize("cut", range(1, 240, 7))
def test_a_half_written_file_says_where_it_ends(cut):
    text = '<mujoco>\n<worldbody>\n<body name="a" pos="0 0 1">\n<joint name="j" type="hinge"/>\n<geom size=".1" rgba="1 0 0 1"/>\n</body>\n</worldbody>\n' \
           '<actuator>\n<motor joint="j"/>\n</actuator>\n<keyframe>\n<key qpos="1"/>\n</keyframe>\n</mujoco>'
    assert len(text) > 210
    if cut >= len(text):
        load_string(text)
        return
    with pytest.raises(ModelError) as caught:
        load_string(text[:cut])
    assert all(issue.place.file == "model.xml" and issue.place.line >= 1 for issue in caught.value.issues)


def test_problems_in_an_included_file_name_that_file(tmp_path):
    (tmp_path / "part.xml").write_text('<mujoco>\n<worldbody>\n  <geom name="g" size="-1"/>\n</worldbody>\n</mujoco>')
    (tmp_path / "main.xml").write_text('<mujoco>\n<include file="part.xml"/>\n<include file="nowhere.xml"/>\n</mujoco>')
    with pytest.raises(ModelError) as caught:
        load(tmp_path / "main.xml")
    places = {(issue.place.file.rsplit("/", 1)[-1], issue.place.line) for issue in caught.value.issues}
    assert places == {("main.xml", 3), ("part.xml", 3)}


@pytest.mark.parametrize("attribute", ['impratio="0"', 'impratio="-1"', 'iterations="-3"', 'ls_iterations="-1"', 'tolerance="-1"', 'density="-1"'])
def test_options_below_their_least_are_refused_at_their_place(attribute):
    with pytest.raises(ModelError) as caught:
        load_string(f"<mujoco><option {attribute}/></mujoco>")
    issue = next(issue for issue in caught.value.issues if issue.severity == "error")
    assert attribute.split("=")[0] in issue.what and issue.place.line == 1 and issue.place.column > len("<mujoco><option ")


@pytest.mark.parametrize("tag", ["geom", "site"])
def test_a_misspelt_type_is_one_problem(tag):
    with pytest.raises(ModelError) as caught:
        load_string(f'<mujoco><worldbody><{tag} type="capsul" fromto="0 0 0 0 0 1" size=".1"/></worldbody></mujoco>')
    assert [issue.hint for issue in caught.value.issues] == ["Did you mean 'capsule'?"]
