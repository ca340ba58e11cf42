"""Materials as the official compiler makes them."""
import pytest

from physics import ModelError, load_string
from tests.physics.compiler.compared import accepted, differences

FIELDS = ("nmat", "geom_matid", "geom_rgba") + tuple("mat_" + name for name in (
    "texid", "texuniform", "texrepeat", "emission", "specular", "shininess", "reflectance", "metallic", "roughness", "rgba"))
SETTINGS = ("", 'rgba="1 2 3 4"', 'texture="zz"', 'emission="-1"', 'specular="2"', 'shininess="-3"', 'reflectance="9"',
            'metallic=".2" roughness=".3"', 'texrepeat="2 3"', 'texrepeat="0 -1"', 'texuniform="true"', 'texture="tx"', 'texture="tx" class="c"',
            'class="c"', 'class="zz"', 'rgba="1 1"')
TEXT = """<mujoco><default><material emission=".3"/><default class="c"><material rgba="1 0 0 1" metallic=".4" texture="ty"/></default></default>
<asset><texture name="tx" type="2d" builtin="flat" width="2" height="2"/><texture name="ty" builtin="flat" width="2" height="2"/>
<material name="m" {0}>{1}</material><material name="last" texture="ty"/></asset><worldbody><geom size="1" material="m"/><geom size="1" material="last"
rgba="1 0 0 1"/></worldbody></mujoco>"""


def test_settings_and_classes():
    texts = [TEXT.format(setting, "") for setting in SETTINGS]
    assert sum(map(accepted, texts)) >= 12
    assert differences(FIELDS, texts) == {}


def layer(role, texture):
    return f'<layer role="{role}" texture="{texture}"/>'


def test_layers_and_roles():
    roles = "rgb normal occlusion roughness metallic opacity emissive rgba orm".split()
    texts = [TEXT.format("", layer(role, "ty")) for role in (*roles, "user", "RGB", "")]
    texts += [TEXT.format(setting, inner) for setting, inner in (
        ("", layer("rgb", "tx") + layer("rgb", "ty")), ("", layer("rgb", "tx") + layer("normal", "ty") + layer("orm", "tx")),
        ('texture="tx"', layer("normal", "ty")), ('texture=""', layer("normal", "ty")), ('texture=""', ""), ('class="c" texture=""', ""),
        ('class="c"', layer("normal", "tx")), ('class="c"', layer("rgb", "tx")), ("", layer("normal", "zz")), ("", layer("normal", "")),
        ("", '<layer role="normal"/>'), ("", '<layer texture="tx"/>'))]
    assert sum(map(accepted, texts)) == 16
    assert differences(FIELDS, texts) == {}


def test_layers_of_classes():
    body = """<mujoco><default><material>{0}</material><default class="c"><material {1}/></default></default><asset>
      <texture name="tx" type="2d" builtin="flat" width="2" height="2"/><texture name="ty" builtin="flat" width="2" height="2"/>
      <material name="m" {2}>{3}</material></asset></mujoco>"""
    texts = [body.format(*parts) for parts in (
        (layer("normal", "ty"), "", "", ""), (layer("normal", "ty"), "", 'texture="tx"', ""), (layer("rgb", "ty"), "", 'texture="tx"', ""),
        (layer("normal", "ty"), 'texture="tx"', 'class="c"', layer("normal", "tx")), (layer("normal", "zz"), "", "", ""),
        (layer("normal", "zz"), "", "", layer("normal", "tx")), ("", 'texture="zz"', "", ""), ("", 'texture="zz"', 'class="c"', ""),
        ("", 'texture="zz"', 'class="c"', layer("rgb", "tx")))]
    assert sum(map(accepted, texts)) == 7
    assert differences(FIELDS, texts) == {}


def test_a_class_may_name_an_unknown_material_until_it_is_used():
    body = '<mujoco><default><geom material="zz" size="1"/></default><worldbody><geom {}/><site {}/></worldbody></mujoco>'
    texts = [body.format(*parts) for parts in (("", ""), ('material=""', ""), ('material=""', 'material=""'), ('material=""', 'material="zz"'))]
    assert [accepted(text) for text in texts] == [False, True, True, False]
    assert differences(FIELDS, texts) == {}


def test_problems_of_layers_have_a_place():
    with pytest.raises(ModelError, match=r"model\.xml:3:47: error: attribute 'role': 'bumps' is not one of rgb"):
        load_string(TEXT.format("", '<layer texture="tx" role="bumps"/>'))
    with pytest.raises(ModelError, match=r"model\.xml:\d+:\d+: error: a material with the attribute 'texture' cannot have layers.*material\[m\]/layer"):
        load_string(TEXT.format('texture="tx"', layer("normal", "ty")))


def test_names_and_places():
    model = load_string(TEXT.format('rgba=".1 .2 .3 .4"', ""))
    assert model.names["material"] == ("m", "last") and model.names["texture"] == ("tx", "ty")
    assert model.places["material"][0].line == 3
