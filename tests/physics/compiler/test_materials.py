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


def test_layers_are_refused_by_name():
    with pytest.raises(ModelError, match=r"model\.xml:3:\d+: error: .*layers.*material\[m\]/layer"):
        load_string(TEXT.format("", '<layer texture="tx" role="normal"/>'))


def test_names_and_places():
    model = load_string(TEXT.format('rgba=".1 .2 .3 .4"', ""))
    assert model.names["material"] == ("m", "last") and model.names["texture"] == ("tx", "ty")
    assert model.places["material"][0].line == 3
