"""All that a hard step needs of the soft engine's stages: where things are, contacts, velocities, forces of springs, dampers, tendons, fluid and actuators.

Contacts are listed as far as geoms may come nearer within the step. The mass matrix is made only where somebody asks for what follows from it.
"""
from __future__ import annotations

from physics.engine.actuator.actuation import actuation
from physics.engine.actuator.transmission import actuator_velocity, transmission
from physics.engine.collide.collision import collision
from physics.engine.hard.contact.mocap import place_mocap
from physics.engine.hard.contact.reach import end_reach, widen_reach
from physics.engine.hard.momenta import keep_start, momenta
from physics.engine.hard.stage_numbers import COLLISION, FORCES, KINEMATICS, SENSORS
from physics.engine.inertia.energy import energy_pos, energy_vel
from physics.engine.inertia.mass_matrix import crb, factor_m
from physics.engine.kinematics.com import com_pos, com_vel
from physics.engine.kinematics.kinematics import kinematics
from physics.engine.passive.passive import passive
from physics.engine.sensor.stages import sensor_pos, sensor_vel
from physics.engine.stage_clock import stage_ends
from physics.engine.tendon.tendon import tendon, tendon_velocity
from physics.enums import DSBL_ACTUATION, ENBL_ENERGY
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import callback

# what is made besides: nothing (a part of a step), sensors and energies, the factor of the mass matrix too
BARE, WATCHED, WHOLE = range(3)


@helper
def forget_hard_needs(d):
    """No stage has asked for room yet."""
    d.need_ncon = 0
    d.need_nefc = 0
    d.need_nJ = 0
    d.need_nH = 0
    d.need_nhb = 0
    d.need_nhv = 0
    d.need_nhq = 0
    d.need_nhc = 0
    d.need_nhB = 0
    d.need_nht = 0
    d.need_nhe = 0
    d.need_nhw = 0
    d.need_nhS = 0


@helper
def lacks_hard_room(d):
    """Whether a stage has asked for more room."""
    if d.need_nhe > 0 or d.need_nhw > 0 or d.need_nhS > 0:
        return True
    return d.need_ncon > 0 or d.need_nefc > 0 or d.need_nJ > 0 or d.need_nhb > 0 or d.need_nhc > 0 or d.need_nhB > 0 or d.need_nht > 0


@helper
def wants_mass_matrix(m):
    """Whether kinetic energy is asked for, as an energy or perhaps by a sensor."""
    return m.opt_enableflags & ENBL_ENERGY != 0 or m.nsensor > 0


@kernel("m d i", ret="i")
def hard_position(m, d, watch):
    """All that follows from the position, and the momenta that bodies bring along: the reach of geoms depends on them. Returns 0 where room was lacking.

    Reads: qpos, qvel, mocap_pos, mocap_quat, hard_h
    Writes: what kinematics, com_pos, tendon, keep_start, momenta, place_mocap, widen_reach, collision, crb, factor_m, transmission, sensor_pos and energy_pos write
    """
    timed = d.cb_stage != 0
    d.flg_energypos = 0
    d.flg_energyvel = 0
    d.flg_subtreevel = 0
    kinematics(m, d)
    com_pos(m, d)
    tendon(m, d)
    keep_start(m, d)
    momenta(m, d)
    place_mocap(m, d)
    stage_ends(m, d, timed, KINEMATICS)
    widen_reach(m, d)
    collision(m, d)
    end_reach(m, d)
    stage_ends(m, d, timed, COLLISION)
    if lacks_hard_room(d):
        return 0
    if watch == WHOLE or (watch == WATCHED and wants_mass_matrix(m)):
        crb(m, d)
        if watch == WHOLE:
            factor_m(m, d)
    transmission(m, d)
    if watch != BARE:
        if m.nsensor > 0:
            sensor_pos(m, d)
            stage_ends(m, d, timed, SENSORS)
        if lacks_hard_room(d):
            return 0
        if m.opt_enableflags & ENBL_ENERGY == 0:
            if d.flg_energypos == 0:   # nobody asks for them: better none than those of an earlier pass
                d.energy[0] = 0.0
                d.energy[1] = 0.0
        elif d.flg_energypos == 0:
            energy_pos(m, d)
    return 1


@kernel("m d i")
def hard_forces(m, d, watch):
    """Velocities and the forces that follow from the state, the callback for controls asked before those of actuators, once a step.

    Reads: qpos, qvel, act, ctrl, cb_control
    Writes: what tendon_velocity, actuator_velocity, com_vel, passive, sensor_vel, energy_vel, the callback and actuation write
    """
    timed = d.cb_stage != 0
    tendon_velocity(m, d)
    actuator_velocity(m, d)
    com_vel(m, d)
    passive(m, d)
    stage_ends(m, d, timed, FORCES)
    if watch != BARE:
        if m.nsensor > 0:
            sensor_vel(m, d)
            stage_ends(m, d, timed, SENSORS)
        if m.opt_enableflags & ENBL_ENERGY != 0 and d.flg_energyvel == 0:
            energy_vel(m, d)
        if d.cb_control != 0 and m.opt_disableflags & DSBL_ACTUATION == 0:
            callback(d.cb_control, m, d)
    actuation(m, d)
    stage_ends(m, d, timed, FORCES)
