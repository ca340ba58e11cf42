"""How far contacts are listed: as far as geoms may come nearer within the step, and no farther for the soft engine."""
import numpy as np
import pytest

from physics.engine.hard.contact import reach
from tests.physics.engine.hard.contact.scene import H, PLANE, Scene, shape, two

FALLING = two(PLANE.replace(' euler="5 -8 0"', ""), shape("box", ".1 .12 .05", "one", "0 0 .4"))


def test_reach_is_what_motion_turning_and_a_fall_make_of_the_step():
    scene = Scene(FALLING)
    m, d = scene.m, scene.d
    d.hard_vel[1] = [3, 0, 4, 0, 0, 2]
    reach.widen_reach.plain(m, d)
    r = np.linalg.norm(d.geom_xpos[1] - d.xipos[1]) + m.geom_rbound[1]
    assert d.contact_reach[0] == 0 and abs(d.contact_reach[1] - H * (5 + 2 * r + 9.81 * H)) < 1e-12
    d.hard_vel[1] = 0
    m.opt.gravity[:] = 0
    reach.widen_reach.plain(m, d)
    assert d.contact_reach[1] == reach.LEAST
    reach.end_reach.plain(m, d)
    assert not d.contact_reach.any()


@pytest.mark.parametrize("more,margin", [("", 0), ('<contact><pair geom1="floor" geom2="box"/></contact>', 0), ("", .01)])
def test_contacts_are_listed_as_far_as_geoms_reach(more, margin):
    box = f'<body name="one" pos="0 0 .2"><freejoint/><geom name="box" type="box" size=".1 .1 .1" margin="{margin}"/></body>'
    xml = two(PLANE.replace(' euler="5 -8 0"', ""), box).replace("</worldbody>", "</worldbody>" + more)
    scene = Scene(xml, reach=0.0)
    d = scene.d
    for height, wide, listed in ((.05, 0, 0), (.05, .06, 4), (.05, .049 - margin, 0), (.05, .051 - margin, 4), (.9 * margin + 1e-9, 0, 4 if margin else 0)):
        d.qpos[2] = .1 + height
        d.contact_reach[:] = [0, wide]
        scene.look()
        assert d.ncon == listed
        # what it pushes by is not widened
        assert (d.contact_includemargin[:d.ncon] == margin).all() and (d.contact_exclude[:d.ncon] == (height >= margin)).all()
