"""Made elements heed no default class, whatever it sets, and say nothing more than they must."""
import math

import numpy as np
import pytest

from physics import load_string
from physics.expand.composite.made import volume
from physics.expand.expand import expand
from physics.mjcf.reader import read_text
from tests.physics.expand.composite.examples import CLASSES, EXAMPLES, alone, inside


@pytest.mark.parametrize("name", [name for name, text in EXAMPLES.items() if CLASSES in text])
def test_default_classes_change_nothing(name):
    plain = EXAMPLES[name].replace(CLASSES, "")
    with_classes, without = load_string(EXAMPLES[name]), load_string(plain)
    differing = {field for field in ("geom_size", "geom_friction", "geom_rgba", "geom_solimp", "geom_condim", "jnt_type", "jnt_range", "jnt_stiffness",
                                     "dof_damping", "site_type", "site_size", "body_mass", "body_inertia")
                 if not np.allclose(getattr(with_classes, field), getattr(without, field), rtol=1e-12)}
    assert not differing


def test_without_classes_only_what_is_meant_is_written():
    root = expand(read_text(alone('<composite type="particle" count="2" spacing=".1"><geom size=".01"/></composite>'))).root
    geom = next(element for element in root.walk() if element.tag == "geom")
    assert dict(geom.attrs) == {"group": "0", "condim": "1", "priority": "1", "size": ".01"}


def test_a_childclass_counts_as_a_class():
    classes = '<default><default class="c"><geom mass="5" rgba="1 0 0 1"/></default></default>'
    text = inside("B0", '<composite type="rope" count="3" spacing=".1"><geom type="capsule" size=".01 .02"/></composite>', classes)
    model = load_string(text.replace('name="B0"', 'name="B0" childclass="c"'))
    assert np.allclose(model.body_mass[1:], 1000 * volume("capsule", (0.01, 0.02, 0))) and np.allclose(model.geom_rgba, (0.5, 0.5, 0.5, 1))


def test_volumes():
    assert math.isclose(volume("sphere", (2, 0, 0)), 32 / 3 * math.pi) and math.isclose(volume("box", (1, 2, 3)), 48)
    assert math.isclose(volume("cylinder", (1, 2, 0)), 4 * math.pi) and math.isclose(volume("ellipsoid", (1, 2, 3)), 8 * math.pi)
    assert math.isclose(volume("capsule", (1, 2, 0)), (4 + 4 / 3) * math.pi) and volume("plane", (1, 1, 1)) == 0
