"""The order of a step, said once: what forward.py calls, what the profiler counts, what docs/step.md tells.

forward.py is compiled and cannot read a table; tests/architecture/test_step_order.py holds its calls against this one.
"""
from __future__ import annotations

from typing import NamedTuple

from physics.engine import forward
from physics.engine.actuator.transmission import actuator_velocity, transmission
from physics.engine.constraint.reference import reference_constraint
from physics.engine.constraint.rows import make_constraint
from physics.engine.inertia.energy import energy_pos, energy_vel
from physics.engine.inertia.mass_matrix import crb, factor_m
from physics.engine.inertia.rne import rne
from physics.engine.integrator.implicit import single_step
from physics.engine.kinematics.com import com_pos, com_vel
from physics.engine.kinematics.kinematics import kinematics
from physics.engine.passive.passive import passive
from physics.engine.sensor.stages import sensor_acc, sensor_pos, sensor_vel
from physics.engine.solve.delassus_diagonal import delassus_diagonal
from physics.engine.tendon.tendon import tendon, tendon_velocity
from physics.kernels.decorators import Kernel


class StepStage(NamedTuple):
    """A stage: its name in timings, what it depends on, when it is taken, its kernels in their order, what it finds.

    group: the row of the official profiler that it counts for, '' for 'other'.
    """

    name: str
    part: str
    when: str
    kernels: tuple[Kernel, ...]
    finds: str
    group: str = ""


ALWAYS, SENSORS, ENERGY = "always", "if the model has sensors", "if the flag energy is on, unless a sensor has asked for it"

STAGES = (
    StepStage("kinematics", "position", ALWAYS, (kinematics,), "poses of bodies, joints, geoms, sites, cameras, lights"),
    StepStage("com", "position", ALWAYS, (com_pos,), "centres of mass, spatial inertias, motion axes of the dofs"),
    StepStage("tendon", "position", ALWAYS, (tendon,), "paths, lengths and Jacobians of tendons"),
    StepStage("inertia", "position", ALWAYS, (crb,), "the mass matrix M (composite rigid body algorithm)", "prepare"),
    StepStage("factor", "position", ALWAYS, (factor_m,), "its factors L' D L", "prepare"),
    StepStage("collision", "position", ALWAYS, (forward.contacts,), "contacts: broad and narrow phase; who is woken", "collision"),
    StepStage("efc_rows", "position", ALWAYS, (make_constraint, delassus_diagonal), "constraint Jacobian; with diagexact the exact diagonal of the Delassus matrix", "prepare"),
    StepStage("transmission", "position", ALWAYS, (transmission,), "lengths and moment arms of actuators", "prepare"),
    StepStage("sensors", "position", SENSORS, (sensor_pos,), "sensors that positions tell"),
    StepStage("energy", "position", ENERGY, (energy_pos,), "potential energy"),
    StepStage("velocity", "velocity", ALWAYS, (tendon_velocity, actuator_velocity, com_vel), "velocities of tendons, actuators and bodies"),
    StepStage("passive", "velocity", ALWAYS, (passive,), "spring, damper, gravity compensation and fluid forces"),
    StepStage("reference", "velocity", ALWAYS, (reference_constraint,), "reference acceleration and regularisation of the rows", "prepare"),
    StepStage("bias", "velocity", ALWAYS, (rne,), "Coriolis, centrifugal and gravity forces (recursive Newton-Euler)"),
    StepStage("sensors", "velocity", SENSORS, (sensor_vel,), "sensors that velocities tell"),
    StepStage("energy", "velocity", ENERGY, (energy_vel,), "kinetic energy"),
    StepStage("actuation", "acceleration", ALWAYS, (forward.fwd_actuation,), "actuator forces and activation rates; before it the callback cb_control"),
    StepStage("qacc_smooth", "acceleration", ALWAYS, (forward.fwd_acceleration,), "all forces but constraint forces, and the acceleration they give"),
    StepStage("solve", "acceleration", ALWAYS, (forward.fwd_constraint,), "constraint forces and the acceleration", "solve"),
    StepStage("sensors", "acceleration", SENSORS, (sensor_acc,), "sensors that accelerations and forces tell"),
    StepStage("integrate", "integration", ALWAYS, (single_step, forward.rk4), "the next state; RK4 takes the stages above three times more"),
)
