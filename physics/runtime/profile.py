"""Stage timers: the step taken apart, with a clock between the stages.

While the profiler is open the runner takes its steps here: the same kernels as the compiled step, called one by one. With
Runge-Kutta the stages are those of its first evaluation; the three others count as 'integrate'.
"""
from __future__ import annotations

import time
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from physics.engine import forward, inverse
from physics.engine.actuator import actuation, transmission
from physics.engine.advance import MAXVAL
from physics.engine.inertia import energy, mass_matrix, rne
from physics.engine.kinematics import com, kinematics
from physics.engine.passive import passive
from physics.engine.sensor import stages as sensors
from physics.engine.tendon import tendon
from physics.enums import DSBL_ACTUATION, ENBL_ENERGY, ENBL_FWDINV, INT_RK4, WARN_BADQACC, WARN_BADQPOS, WARN_BADQVEL
from physics.kernels.rows import callback
from physics.simulate.step import check_dynamics

# the step in order: (stage as shown, kernels)
POSITION = (
    ("kinematics", (kinematics.kinematics,)), ("com", (com.com_pos,)), ("tendon", (tendon.tendon,)), ("inertia", (mass_matrix.crb,)),
    ("factor", (mass_matrix.factor_m,)), ("collision", (forward.contacts,)), ("efc_rows", (forward.make_constraint, forward.exact_diagonal)),
    ("transmission", (transmission.transmission,)),
)
VELOCITY = (
    ("velocity", (tendon.tendon_velocity, transmission.actuator_velocity, com.com_vel)), ("passive", (passive.passive,)),
    ("reference", (forward.reference_constraint,)), ("bias", (rne.rne,)),
)
ENERGY_POS, ENERGY_VEL = (("energy", (energy.energy_pos,)),), (("energy", (energy.energy_vel,)),)
SENSOR_POS, SENSOR_VEL, SENSOR_ACC = ((("sensors", (kernel,)),) for kernel in (sensors.sensor_pos, sensors.sensor_vel, sensors.sensor_acc))
FORCE = (("actuation", (actuation.actuation,)), ("qacc_smooth", (forward.fwd_acceleration,)), ("solve", (forward.fwd_constraint,)))
STAGES = (*(name for name, _ in (*POSITION, *VELOCITY, *ENERGY_POS, *FORCE, *SENSOR_ACC)), "integrate")

# the official profiler's rows: what each sums up; the rest is 'other'
GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"collision": ("collision",), "prepare": ("inertia", "factor", "efc_rows", "reference", "transmission"), "solve": ("solve",)}
)


class Profile:
    """Sums of stage times [s] over the steps since the last clear. A Data's callback cb_time is the clock where there is one."""

    def __init__(self, clock=time.perf_counter):
        self._clock = clock
        self.clear()

    def clear(self) -> None:
        """Start counting anew."""
        self.seconds = dict.fromkeys(STAGES, 0.0)
        self.steps = 0

    def per_step(self) -> Mapping[str, float]:
        """Stage -> microseconds per step, with 'total' and the official rows collision, prepare, solve, other under 'group:...'."""
        n = max(1, self.steps)
        out = {name: 1e6 * s / n for name, s in self.seconds.items()}
        total = sum(out.values())
        groups = {"group:" + g: sum(out[s] for s in names) for g, names in GROUPS.items()}
        groups["group:other"] = total - sum(groups.values())
        return MappingProxyType({**out, "total": total, **groups})

    def _clock_of(self, m, d):
        """The user's clock where the data has one (cb_time), else ours."""
        if not d.cb_time:
            return self._clock

        def ask() -> float:
            callback(d.cb_time, m, d)
            return d.cb_value

        return ask

    def _timed(self, m, d, stages) -> bool:
        """Run stages; False where one lacked room."""
        clock, seconds = self._clock_of(m, d), self.seconds
        start = clock()
        for name, kernels in stages:
            for kernel in kernels:
                kernel(m, d)
            now = clock()
            seconds[name] += now - start
            start = now
            if d.need_ncon or d.need_nefc or d.need_nJ or d.need_nH:
                return False
        return True

    def step(self, m, d) -> int:
        """One step like forward.step: 1, or 0 with the state untouched. Raises ViewOnlyError where the options ask for what is missing."""
        if forward.step_n(m, d, 0) < 0:
            check_dynamics(m)
        d.diverged = 0
        for field, warning in ((d.qpos, WARN_BADQPOS), (d.qvel, WARN_BADQVEL)):
            if self._refused(d, field, warning):
                return 0
        d.need_ncon = d.need_nefc = d.need_nJ = d.need_nH = 0
        d.flg_energypos = d.flg_energyvel = d.flg_subtreevel = d.flg_rnepost = 0
        if not self._evaluated(m, d) or d.cb_error or self._refused(d, d.qacc, WARN_BADQACC):
            return 0
        if m.opt_enableflags & ENBL_FWDINV:
            inverse.compare_fwd_inv(m, d)
        clock = self._clock_of(m, d)
        start = clock()
        kernel = forward.rk4 if m.opt_integrator == INT_RK4 else forward.advance_state
        done = kernel(m, d)
        self.seconds["integrate"] += clock() - start
        self.steps += done
        return done

    def _evaluated(self, m, d) -> bool:
        """Accelerations, sensors and energies of the present state; False where a stage lacked room."""
        energies = m.opt_enableflags & ENBL_ENERGY
        if d.rest_due:
            forward.take_rest(m, d)
        if d.need_ncon or d.need_nefc or d.need_nJ or d.need_nH:
            return False
        if not self._timed(m, d, POSITION) or (m.nsensor and not self._timed(m, d, SENSOR_POS)):
            return False
        if energies and not d.flg_energypos:
            self._timed(m, d, ENERGY_POS)
        self._timed(m, d, VELOCITY)
        if m.nsensor:
            self._timed(m, d, SENSOR_VEL)
        if energies and not d.flg_energyvel:
            self._timed(m, d, ENERGY_VEL)
        if d.cb_control and not m.opt_disableflags & DSBL_ACTUATION and not forward.ask_control(m, d):
            return False
        return self._timed(m, d, FORCE) and (not m.nsensor or self._timed(m, d, SENSOR_ACC))

    def _refused(self, d, field, warning) -> bool:
        if (np.abs(field) < MAXVAL).all():
            return False
        first = int(np.nonzero(~(np.abs(field) < MAXVAL))[0][0])
        d.diverged, d.diverged_id = warning, first
        d.warning_number[warning] += 1
        d.warning_lastinfo[warning] = first
        return True
