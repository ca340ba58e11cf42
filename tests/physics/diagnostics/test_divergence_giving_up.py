"""A post-mortem ends when it is asked to, and its numbers of many constraint rows are those of a loop over them."""
import numpy as np
import pytest

import physics
from physics.diagnostics.divergence import growth as growths
from physics.diagnostics.divergence import sources
from physics.diagnostics.divergence.growth import growth_of
from physics.diagnostics.divergence.ratios import row_elements, stiff_elements
from physics.diagnostics.divergence.report import PostMortem
from physics.diagnostics.divergence.stopping import GivenUp
from tests.long.divergence import last_steps
from tests.physics.diagnostics.divergence_cases import CASES

HEAP = 220      # boxes
BOXES = "".join(f'<body pos="{0.3 * (k % 20)} {0.3 * (k // 20)} {0.098 - 1e-4 * (k % 7)}"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body>' for k in range(HEAP))
MANY = f"""<mujoco><option timestep="0.002"/><worldbody><geom name="floor" type="plane" size="9 9 .1"/>{BOXES}
  <body name="wing" pos="-2 0 1"><joint name="hinge" axis="0 1 0" stiffness="1e7" springref="0.5"/><geom size=".05" pos=".1 0 0" mass=".1"/></body></worldbody></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


class Asked:
    """Says yes when it is asked for the `n`th time."""

    def __init__(self, n: int):
        self.left = n

    def __call__(self) -> bool:
        self.left -= 1
        return self.left < 0


def steps_of(name: str):
    return last_steps(next(case for case in CASES if case.name == name))


def test_growth_ends_when_asked(monkeypatch):
    steps, looked = steps_of("sprung probe on a stiff plate, direct form"), []
    whole = growths._moment
    monkeypatch.setattr(growths, "_moment", lambda *arguments: looked.append(arguments[3]) or whole(*arguments))
    growth_of(steps.model, steps)
    assert len(looked) > 20
    looked.clear()
    with pytest.raises(GivenUp):
        growth_of(steps.model, steps, Asked(3))
    assert len(looked) == 3


def test_stiff_elements_end_when_asked():
    m = physics.load_string(MANY)
    d = physics.Data(m)
    physics.forward(m, d)
    assert len(stiff_elements(m, d)) > HEAP
    with pytest.raises(GivenUp):
        stiff_elements(m, d, stopping=Asked(5))


def test_a_post_mortem_that_nobody_wants_is_none():
    with pytest.raises(GivenUp):
        PostMortem(steps_of("servo with kp 1e6 on a wrist"), lambda: True)


def test_trials_go_on_where_they_were_left():
    mortem, known = PostMortem(steps_of("servo with kp 1e6 on a wrist")), {}
    for remedy, outcome in mortem.tries(Asked(60)):
        known[remedy] = outcome
    assert 0 < len(known) < len(mortem.report.remedies)
    rest = [remedy for remedy, _outcome in mortem.tries(known=known)]
    assert [*known, *rest] == list(mortem.report.remedies)


def test_many_rows_are_told_as_a_loop_would():
    m = physics.load_string(MANY)
    d = physics.Data(m)
    d.qvel[:-1] = 0.1
    physics.step(m, d, 3)
    physics.forward(m, d)
    assert d.nefc > 2000
    force, power, worst = {}, {}, {}
    acceleration = np.array(d.qacc)
    work = d.efc_force[:d.nefc] * sources.sparse_dot(d.efc_J, d.efc_J_rownnz[:d.nefc], d.efc_J_rowadr[:d.nefc], d.efc_J_colind, acceleration)
    for row in range(d.nefc):
        source = sources.Source(sources.CONTACT, tuple(sorted(d.contact_geom[d.efc_id[row]].tolist())))     # nothing else has rows here
        force[source] = max(force.get(source, 0.0), abs(float(d.efc_force[row])))
        power[source] = power.get(source, 0.0) + float(work[row])
        k, b, imp, _slope = d.efc_KBIP[row]
        if d.efc_force[row]:
            h = m.opt_timestep
            worst[source] = max(worst.get(source, 0.0), (h * h * k * imp * imp + 2 * h * b * imp) / 4)
    found = {source: one for source, one in sources.exerted(m, d, acceleration).items() if source.kind == sources.CONTACT}
    assert found.keys() == {source for source, f in force.items() if f}
    for source, one in found.items():
        assert one.force == force[source] and one.power == pytest.approx(power[source], rel=1e-9, abs=1e-12)
        rows = [row for row in range(d.nefc) if set(d.contact_geom[d.efc_id[row]].tolist()) == set(source.id)]
        assert one.depth == pytest.approx(max(-d.contact_dist[d.efc_id[row]] for row in rows))
    assert {one.source: one.load for one in row_elements(m, d)} == pytest.approx(worst)


def test_a_spring_beside_many_rows_is_named():
    m = physics.load_string(MANY)
    steps = physics.step_until_divergence(m, physics.Data(m), 1.0)
    report = PostMortem(steps).report
    assert report.culprit.elements[0].name == "hinge"
    _found, of_row = sources.row_sources(m, _state(m, steps))
    assert len(of_row) > 2000


def _state(m, steps):
    d = physics.Data(m)
    steps.put(d, len(steps) - 1)
    physics.forward(m, d)
    return d
