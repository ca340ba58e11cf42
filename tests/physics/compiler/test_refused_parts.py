"""What the reader has refused causes no further complaints; sizes that may have depended on it are not judged."""
import pytest

from physics.compiler.compile import load_string
from physics.errors import ModelError


def problems(body: str) -> list[str]:
    with pytest.raises(ModelError) as caught:
        load_string(f"<mujoco>\n{body}\n</mujoco>")
    return [issue.what for issue in caught.value.issues if issue.severity == "error"]


def test_refused_geom_is_not_also_missing_mass():
    found = problems('<worldbody><body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody>')
    assert found and not any("mass" in what for what in found)


def test_refused_child_is_not_also_missing_mass():
    found = problems('<worldbody><body name="a"><joint/><body><composite/></body></body></worldbody>')
    assert found and not any("mass" in what for what in found)


def test_geom_with_a_missing_mesh_is_not_also_missing_mass():
    with pytest.raises(ModelError) as caught:
        load_string('<mujoco><asset><mesh name="m" file="none.obj"/></asset><worldbody><body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>')
    issue, = caught.value.issues
    assert "'none.obj' was not found" in issue.what


def test_other_bodies_are_still_judged():
    found = problems('<worldbody><body><freejoint/><composite/></body><body><freejoint/></body></worldbody>')
    assert sum("mass" in what for what in found) == 1


def test_keyframe_size_is_not_judged_when_something_was_refused():
    found = problems('<worldbody><body><composite/></body></worldbody><keyframe><key qpos="1 2 3"/></keyframe>')
    assert not any("qpos" in what for what in found)


def test_plugins_are_refused_by_name_without_further_complaints():
    found = problems("""<worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
      <actuator><motor joint="j"/><plugin name="d" joint="j" plugin="mujoco.pid"/></actuator>
      <sensor><actuatorpos actuator="d"/><plugin plugin="mujoco.sensor.touch_grid" objtype="body" objname="world"/></sensor>
      <keyframe><key ctrl="3 4"/></keyframe>""")
    assert len(found) == 2 and all("plugins" in what for what in found)


def test_deep_chain_compiles():
    n = 480
    text = '<mujoco><worldbody>' + '<body pos="0 0 .1"><joint/><geom size=".05"/>' * n + "</body>" * n + "</worldbody></mujoco>"
    model = load_string(text)
    assert model.nv == n and abs(model.body_subtreemass[0] - n * model.body_mass[1]) < 1e-9 * n
