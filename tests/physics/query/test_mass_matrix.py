"""Parts of the mass matrix, and of the stiffness and damping of springs and servos, without room for the whole."""
import numpy as np

import physics
from physics.query.mass_matrix import full_m
from physics.tuning.servos.springs import passive_springs, servo_springs

TEXT = """<mujoco><worldbody>
  <body><joint name="a" axis="0 1 0" stiffness="3" damping=".2"/><geom size=".1" pos=".2 0 0"/>
    <body pos=".4 0 0"><joint name="b" axis="0 1 0" stiffness="2"/><geom size=".1" pos=".2 0 0"/>
      <body pos=".4 0 0"><joint name="c" axis="0 1 0" damping=".5"/><geom size=".1" pos=".2 0 0"/></body></body></body>
  <body pos="0 1 0"><freejoint/><geom size=".2"/></body></worldbody>
  <tendon><fixed name="t" stiffness="4" damping="1" springlength=".1"><joint joint="a" coef="1"/><joint joint="c" coef="-2"/></fixed></tendon>
  <actuator><position joint="b" kp="50" kv="3"/><position tendon="t" kp="20"/></actuator></mujoco>"""


def test_rows_and_columns_of_some_dofs_are_those_of_the_whole():
    physics.ensure_kernels()
    m = physics.load_string(TEXT)
    d = physics.Data(m)
    d.qpos[:3] = 0.3, -0.4, 0.9
    physics.forward(m, d)
    for dofs in (np.array([0, 2]), np.array([2, 1]), np.array([4, 1, 8, 0])):
        part = np.ix_(dofs, dofs)
        assert (full_m(m, d, dofs) == full_m(m, d)[part]).all()
        for of in (passive_springs, servo_springs):
            for some, whole in zip(of(m, d, dofs), of(m, d), strict=True):
                assert np.allclose(some, whole[part], atol=1e-12) and np.abs(whole).max() > 0.1
