"""A rope at rest: links hung at both ends, against the closed forms of the chain and of the catenary.

In a chain of n links of length l and weight w the horizontal force H is the same everywhere and the vertical one grows by w a link, so that
link k slopes by (V + (k + 1/2) w) / H, V being the vertical force at the first end. Where both ends are decides H and V. As links become
shorter the joints approach y = a cosh(x / a), a = H / (weight per length), where the pull is the weight per length times the height above y = 0.
"""
import numpy as np
import pytest
from scipy.optimize import brentq, fsolve

import physics

ROPE, WEIGHT, SPAN, RISE = 1.5, 30 * 0.02 * 9.81, 1.1, 0.15   # length and weight of the whole rope; its far end from its near one
JOINTS = {"hinges": 'axis="0 -1 0"', "balls": 'type="ball"'}


def rope(links: int, joint: str) -> str:
    """Links from the origin on; the last one's end is tied to the world."""
    length = ROPE / links
    inner = f'<site name="end" pos="{length} 0 0"/>'
    for k in reversed(range(links)):
        inner = (f'<body pos="{length if k else 0} 0 0"><joint {JOINTS[joint]}/>{"" if k else "<site name=" + chr(34) + "start" + chr(34) + "/>"}'
                 f'<geom type="capsule" fromto="0 0 0 {length} 0 0" size=".004" mass="{0.6 / links}" contype="0" conaffinity="0"/>{inner}</body>')
    return f"""<mujoco><option integrator="implicitfast" timestep=".004" tolerance="0" viscosity="3"/><worldbody><site name="hook" pos="{SPAN} 0 {RISE}"/>{inner}</worldbody>
<equality><connect site1="end" site2="hook" solimp=".999 .999 .001"/></equality><sensor><force site="start"/></sensor></mujoco>"""


def at_rest(links: int = 30, joint: str = "hinges"):
    """The rope folded in the middle so that its ends are where they belong, left alone in a viscous medium until nothing moves."""
    m = physics.load_string(rope(links, joint))
    d = physics.Data(m)
    fold = np.arccos(np.hypot(SPAN, RISE) / ROPE)
    turns = {0: np.arctan2(RISE, SPAN) - fold, links // 2: 2 * fold}
    for k, angle in turns.items():
        if joint == "hinges":
            d.qpos[k] = angle
        else:
            d.qpos[4 * k:4 * k + 4] = np.cos(angle / 2), 0, -np.sin(angle / 2), 0
            d.qvel[0] = 0.2   # and a push sideways
    for _ in range(100):
        assert physics.step(m, d, 100) == 100
        if np.abs(d.qvel).max() < 1e-9:
            break
    physics.forward(m, d)
    assert np.abs(d.qvel).max() < 1e-8
    return m, d


def joints(m, d) -> np.ndarray:
    """Ends and joints of the rope, across and up."""
    return np.array([*d.xpos[1:, [0, 2]], d.site("end").xpos[[0, 2]]])


def forces(links: int, span: float, rise: float) -> np.ndarray:
    """(H, V) of the chain between its ends."""
    def gap(p):
        angles = np.arctan((p[1] + (np.arange(links) + 0.5) * WEIGHT / links) / p[0])
        return ROPE / links * np.cos(angles).sum() - span, ROPE / links * np.sin(angles).sum() - rise

    found = fsolve(gap, (WEIGHT / 3, -WEIGHT / 2), xtol=1e-12)
    assert np.abs(gap(found)).max() < 1e-12
    return found


@pytest.mark.parametrize("joint", JOINTS)
def test_every_link_and_both_ends_are_as_the_chains_closed_form_says(joint):
    links = 30
    m, d = at_rest(links, joint)
    place = joints(m, d)
    assert place[-1] == pytest.approx([SPAN, RISE], abs=1e-3)   # the tie gives way a little; H and V are those of where the end is
    across, up = forces(links, *place[-1])
    slopes = np.diff(place, axis=0)
    assert slopes[:, 1] / slopes[:, 0] == pytest.approx((up + (np.arange(links) + 0.5) * WEIGHT / links) / across, abs=1e-6)
    assert d.efc_force[:3] == pytest.approx([across, 0, up + WEIGHT], abs=1e-6 * WEIGHT)
    start = m.site("start").id
    pulled = d.site_xmat[start].reshape(3, 3) @ d.sensordata
    assert pulled == pytest.approx([-across, 0, -up], abs=1e-6 * WEIGHT)
    assert np.abs(d.xpos[:, 1]).max() < 1e-7


def catenary(span: float, rise: float):
    """(a, x0, y0): y = y0 + a cosh((x - x0) / a) through the origin and (span, rise), ROPE long in between."""
    a = brentq(lambda a: 2 * a * np.sinh(span / (2 * a)) - np.sqrt(ROPE**2 - rise**2), 0.05 * span, 10 * span, xtol=1e-15)
    x0 = span / 2 - a * np.arctanh(rise / ROPE)
    return a, x0, -a * np.cosh(x0 / a)


def test_short_links_approach_the_catenary():
    off, pull = [], []
    for links in (10, 20, 40):
        m, d = at_rest(links)
        place = joints(m, d)
        a, x0, y0 = catenary(*place[-1])
        off.append(np.abs(y0 + a * np.cosh((place[:, 0] - x0) / a) - place[:, 1]).max())
        pull.append(np.linalg.norm(d.efc_force[:3]) - WEIGHT / ROPE * (place[-1, 1] - y0))
    assert off[2] < 2e-4 and np.abs(pull[2]) < 1e-3 * WEIGHT
    assert np.log2(off[:-1] / np.array(off[1:])) == pytest.approx([2, 2], abs=0.2)   # like the square of a link's length
    assert np.log2(pull[0] / pull[1]) == pytest.approx(2, abs=0.3)
