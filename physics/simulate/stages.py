"""Single stages by hand, for scripts that need only part of `forward`. Each takes the stages before it as done.

    kinematics -> com_pos -> tendon -> transmission            after a change of positions
    com_vel -> rne, subtree_vel, energy_vel                    after a change of velocities
    rne_post_constraint                                        after `forward`: cacc, cfrc_int, cfrc_ext
"""
from __future__ import annotations

from physics.engine.actuator import transmission as arms
from physics.engine.inertia import energy
from physics.engine.inertia import rne as bias
from physics.engine.inertia import rne_post_constraint as reaction
from physics.engine.kinematics import com, subtree
from physics.engine.kinematics import kinematics as poses
from physics.engine.tendon import tendon as strings
from physics.model.data import Data
from physics.model.model import Model
from physics.simulate.step import check_mocap, check_pair


def kinematics(m: Model, d: Data) -> None:
    """Poses of bodies, geoms, sites, cameras and lights from qpos and the mocap poses."""
    check_pair(m, d)
    check_mocap(m, d)
    poses.kinematics(m, d)


def com_pos(m: Model, d: Data) -> None:
    """Centres of mass, inertias about them (cinert), and the motion axes (cdof)."""
    check_pair(m, d)
    com.com_pos(m, d)


def com_vel(m: Model, d: Data) -> None:
    """Velocities of bodies (cvel) and rates of the motion axes (cdof_dot)."""
    check_pair(m, d)
    com.com_vel(m, d)


def tendon(m: Model, d: Data) -> None:
    """Lengths, paths and Jacobians of tendons."""
    check_pair(m, d)
    strings.tendon(m, d)


def transmission(m: Model, d: Data) -> None:
    """Lengths and moment arms of actuators."""
    check_pair(m, d)
    arms.transmission(m, d)


def rne(m: Model, d: Data) -> None:
    """The bias force qfrc_bias [N, N m]: what the acceleration 0 needs."""
    check_pair(m, d)
    bias.rne(m, d)


def rne_post_constraint(m: Model, d: Data) -> None:
    """Accelerations of bodies (cacc), forces on them from outside (cfrc_ext) and from their parents (cfrc_int)."""
    check_pair(m, d)
    reaction.rne_post_constraint(m, d)


def subtree_vel(m: Model, d: Data) -> None:
    """Velocity of the centre of mass and angular momentum of each body with all that it carries (subtree_linvel, subtree_angmom)."""
    check_pair(m, d)
    subtree.subtree_vel(m, d)


def energy_pos(m: Model, d: Data) -> float:
    """The potential energy [J]; also d.energy[0]."""
    check_pair(m, d)
    energy.energy_pos(m, d)
    return float(d.energy[0])


def energy_vel(m: Model, d: Data) -> float:
    """The kinetic energy [J]; also d.energy[1]."""
    check_pair(m, d)
    energy.energy_vel(m, d)
    return float(d.energy[1])
