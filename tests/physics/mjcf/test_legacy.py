"""Models in old words mean what the same model means in today's words; every old word is a warning at its place."""
import mujoco
import pytest

from physics import ModelError, load_string
from physics.mjcf.legacy import modernize
from physics.mjcf.reader import read_text
from physics.schema import schema
from physics.schema.table_legacy import LEGACY_SUPPORT, MATERIAL_ROLES
from tests.oracle.compiled import compare_compiled

BODY = '<worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/></body><geom name="h" type="plane" size="1 1 1"/></worldbody>'

# old words, the same in today's, what the warning says
WORDS = [
    (f'<option mpr_iterations="9" mpr_tolerance="1e-3"/>{BODY}', f'<option ccd_iterations="9" ccd_tolerance="1e-3"/>{BODY}', "Read as ccd_iterations"),
    (f'<option mpr_iterations="9" ccd_iterations="7"/>{BODY}', f'<option ccd_iterations="7"/>{BODY}', "Read as ccd_iterations"),
    (f'<option apirate="60" collision="all"/>{BODY}', BODY, "no effect on numbers"),
    (f'<option collision="predefined"/>{BODY}', BODY.replace("<geom ", '<geom contype="0" conaffinity="0" '), "only contact/pair counts"),
    (f'<option collision="predefined"/><option collision="all"/>{BODY}', BODY, "how contacts are found"),
    (f'<option collision="dynamic"/>{BODY}<contact><pair geom1="g" geom2="h"/><exclude body1="b" body2="world"/></contact>',
     f'{BODY}<contact><exclude body1="b" body2="world"/></contact>', "every contact/pair out"),
    (f'<option><flag passive="disable" gravity="disable"/></option>{BODY}',
     f'<option><flag spring="disable" damper="disable" gravity="disable"/></option>{BODY}', "spring and damper"),
    (f'<option><flag sensornoise="enable"/></option>{BODY}', BODY, "never added"),
    (f'<compiler convexhull="false" exactmeshinertia="false"/>{BODY}', BODY, "Hulls are made"),
    (f'<compiler><lengthrange inteval="3"/></compiler>{BODY}', f'<compiler><lengthrange interval="3"/></compiler>{BODY}', "Read as interval"),
    (BODY.replace("<joint ", '<joint actuatorforcelimited="true" actuatorforcerange="-1 1" '),
     BODY.replace("<joint ", '<joint actuatorfrclimited="true" actuatorfrcrange="-1 1" '), "Read as actuatorfrclimited"),
    (f'<default><joint actuatorforcerange="-1 1"/></default>{BODY}', f'<default><joint actuatorfrcrange="-1 1"/></default>{BODY}', "Read as actuatorfrcrange"),
    ('<worldbody><camera orthographic="true"/><camera orthographic="false"/></worldbody>',
     '<worldbody><camera projection="orthographic"/><camera projection="perspective"/></worldbody>', "Read as projection"),
]

TETRAHEDRON = 'vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"'


def model(inner: str) -> str:
    return f"<mujoco>\n{inner}\n</mujoco>"


def warnings(text: str):
    return [issue for issue in read_text(text).issues if issue.severity == "warning"]


@pytest.mark.parametrize(("old", "new", "said"), WORDS)
def test_old_words_mean_what_todays_mean(old, new, said):
    ours, official = load_string(model(old)), mujoco.MjModel.from_xml_string(model(new))
    checked, off = compare_compiled(ours, official)
    assert checked > 400 and not off
    found = warnings(model(old))
    assert any(said in issue.hint for issue in found)
    assert all("no longer part of MJCF" in issue.what and issue.place.line == 2 and issue.place.column > 1 for issue in found)
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(model(old))


def test_exact_mesh_inertia_is_the_default_of_meshes():
    body = f'<asset><mesh name="m" {TETRAHEDRON}/><mesh name="n" inertia="convex" {TETRAHEDRON}/></asset><worldbody><body><geom type="mesh" mesh="m"/></body></worldbody>'
    root = modernize(read_text(model(f'<compiler exactmeshinertia="true"/><default><mesh scale="2 2 2"/></default>{body}')).root)
    assert [element.attrs for element in root.section("default")] == [{"inertia": "exact"}, {"scale": "2 2 2"}]
    load_string(model(f'<compiler exactmeshinertia="true"/>{body}'))


def test_material_textures_become_layers():
    image = '<texture name="t" type="2d" builtin="flat" width="2" height="2"/>'
    roles = "".join(f'<{role} texture="t"/>' for role in MATERIAL_ROLES)
    layers = "".join(f'<layer role="{role}" texture="t"/>' for role in MATERIAL_ROLES)
    ours = load_string(model(f'<asset>{image}<material name="m">{roles}</material></asset>'))
    official = mujoco.MjModel.from_xml_string(model(f'<asset>{image}<material name="m">{layers}</material></asset>'))
    assert (ours.mat_texid == official.mat_texid).all()


def test_a_distance_constraint_stays_and_says_that_it_is_old():
    text = model(f'{BODY}\n<equality><distance name="d" geom1="g" geom2="h" distance="1"/><joint joint1="j"/></equality>')
    result = read_text(text)
    ours = load_string(text)
    assert ours.neq == 2 and any(element.tag == "distance" for element in result.root.walk())
    assert not ours.view_only and any("2.2.1" in issue.hint and issue.place.line == 3 for issue in result.issues)


def test_required_plugins_are_plugins():
    text = model(f'<extension><required plugin="p"><instance name="i"><config key="k" value="v"/></instance></required></extension>{BODY}')
    assert any("plugins" in issue.what for issue in load_string(text).view_only)
    assert next(e for e in modernize(read_text(text).root).walk() if e.tag == "plugin").attrs["plugin"] == "p"


def test_predefined_collision_reaches_composites():
    for geom in ('<geom size=".01"/>', '<geom size=".01" contype="3"/>'):
        composite = f'<composite type="grid" count="3" spacing=".1">{geom}</composite>'
        ours = load_string(model(f'<option collision="predefined"/><worldbody>{composite}</worldbody>'))
        assert ours.ngeom == 3 and not ours.geom_contype.any() and not ours.geom_conaffinity.any()
    root = modernize(read_text(model('<option collision="predefined"/><worldbody><composite type="grid"/></worldbody>')).root)
    assert [element.attrs["contype"] for element in root.walk() if element.tag == "geom"] == ["0"]


def test_old_values_are_checked_as_todays():
    with pytest.raises(ModelError, match="'some' is not one of all, predefined, dynamic"):
        load_string(model(f'<option collision="some"/>{BODY}'))
    with pytest.raises(ModelError, match="'mpr_iterations'"):
        load_string(model(f'<option mpr_iterations="many"/>{BODY}'))
    with pytest.raises(ModelError, match=r"model.xml:2:.*'ccd_tolerance' cannot be negative"):
        load_string(model(f'<option mpr_tolerance="-1"/>{BODY}'))


def test_a_model_without_old_words_is_not_touched():
    root = read_text(model(BODY)).root
    assert modernize(root) is root and not warnings(model(BODY))


def test_old_elements_keep_identity_and_place():
    root = read_text(model(f'<option mpr_iterations="9"/>{BODY}')).root
    new = modernize(root)
    assert new.children[0].id == root.children[0].id and new.children[1] is root.children[1]
    assert new.children[0].attr_place("ccd_iterations") == root.children[0].attr_place("mpr_iterations")


def test_every_row_names_something_that_is_only_old():
    for _level, path, attribute, _condition, what in LEGACY_SUPPORT:
        spec = schema.lookup(path)
        assert what and spec is not None, path
        assert spec.attributes[attribute].legacy if attribute else spec.legacy or path == "body/composite", (path, attribute)
