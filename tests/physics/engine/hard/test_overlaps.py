"""Overlaps of the start in a pile: positions end them, velocities and what is reported do not know of it."""
import numpy as np

import physics
from physics.diagnostics.engine_figures import Judge
from physics.enums import Engine

OVERLAP = 2e-3
EDGE = 0.2
MASS = 2.0


def pile(layers: int = 3, across: int = 2):
    """Boxes in layers, each in its neighbours and in the floor by OVERLAP: they must part to all sides, against friction."""
    s = EDGE - OVERLAP
    boxes = "".join(f'<body pos="{s * x} {s * y} {EDGE / 2 - OVERLAP + s * z}"><freejoint/><geom type="box" size=".1 .1 .1" mass="{MASS}" friction=".7"/></body>'
                    for z in range(layers) for y in range(across) for x in range(across))
    physics.ensure_kernels()
    m = physics.load_string(f'<mujoco><option timestep=".005"/><worldbody><geom type="plane" size="9 9 .1"/>{boxes}</worldbody></mujoco>')
    m.opt.engine = Engine.HARD
    return m, physics.Data(m)


def test_bodies_of_a_pile_part_without_a_velocity():
    m, d = pile()
    assert Judge(m).look(d).overlap > .9 * OVERLAP
    for _ in range(40):
        physics.step(m, d, 1, autoreset=False)
        assert np.abs(d.qvel).max() < 1e-3
    assert Judge(m).look(d).overlap < 1e-6
    assert d.hard_nstuck == d.hard_nfailed == d.hard_ncoarse == d.hard_nhalved == 0


def test_forces_of_such_a_step_are_those_of_the_velocities():
    """At rest the floor carries the weight, also while the positions part."""
    m, d = pile()
    weight = 12 * MASS * 9.81
    for _ in range(3):
        assert physics.step(m, d, 1, autoreset=False) == 1
        pushed = sum(d.efc_force[d.contact.efc_address[k]] for k in range(d.ncon) if 0 in d.contact.geom[k] and d.contact.efc_address[k] >= 0)
        assert abs(pushed - weight) < 1e-3 * weight


def test_the_step_is_a_function_of_its_state():
    m, d = pile()
    physics.step(m, d, 5, autoreset=False)
    e = physics.Data(m)
    e.qpos[:], e.qvel[:] = d.qpos, d.qvel
    for x in (d, e):
        physics.step(m, x, 5, autoreset=False)
    assert (d.qpos == e.qpos).all() and (d.qvel == e.qvel).all()
