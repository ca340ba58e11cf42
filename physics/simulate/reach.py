"""Which kernels a model can reach, and which of them have to be compiled before it moves for the first time.

The table GATES says of a kernel that it is called only where the model has some feature. A kernel that is not in the table counts as reached
wherever a reached one calls it. A feature may be said to be there when it is not (that costs time), never the other way round; what a
model can reach changes with its options, so this is asked anew after commands. A kernel that is called although it was taken for
unreachable is a stub that lets no step be completed (physics/kernels/load.py). LATER names what can be reached but need not be waited for.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from physics.engine import advance, forward, inverse, perturb, user_writes
from physics.engine.actuator import activation, actuation, dcmotor, delay_history, servo, transmission
from physics.engine.collide import asleep_pairs, broad_phase, explicit_pairs, sap_grid, sap_proxies
from physics.engine.collide import contact as contact_parameters
from physics.engine.collide.convex import ccd, separating_axis_cache
from physics.engine.collide.pair_table import ROUTINES, TABLE
from physics.engine.constraint import adhesion, contact_force, equality, limit, surface
from physics.engine.inertia import articulated_body, energy, mass_matrix
from physics.engine.integrator import discrete, implicit
from physics.engine.kinematics import kinematics
from physics.engine.passive import fluid, gravity_compensation
from physics.engine.sensor import delays, stages
from physics.engine.sleep import fall_asleep, wake
from physics.engine.solve import (
    articulated_direction,
    cg,
    cost,
    delassus_diagonal,
    delassus_factor,
    effective_mass_rows,
    hessian,
    linesearch,
    newton,
    noslip,
    ordering,
    pgs,
)
from physics.engine.tendon import tendon
from physics.enums import (
    BIAS_AFFINE,
    BIAS_NONE,
    CONE_ELLIPTIC,
    DYN_DCMOTOR,
    ENBL_DIAGEXACT,
    ENBL_ENERGY,
    ENBL_FWDINV,
    ENBL_OVERRIDE,
    ENBL_SLEEP,
    GAIN_AFFINE,
    GAIN_DCMOTOR,
    GAIN_FIXED,
    GAIN_SO3,
    INT_DISCRETE,
    INT_IMPLICIT,
    INT_IMPLICITFAST,
    INT_RK4,
    JNT_BALL,
    SOL_CG,
    SOL_NEWTON,
    SOL_PGS,
    TENDON_FIXED,
    TRN_BODY,
    TRN_JOINT,
    TRN_JOINTINPARENT,
    TRN_SO3,
    TRN_TENDON,
)
from physics.kernels import decorators
from physics.kernels.decorators import Kernel
from physics.model.model import Model

Feature = Callable[[Model], bool]
# what the program calls itself, before and while time passes: chunks of steps, forward at pauses, the mouse, what a Snapshot shows, what functions of
# the user's have written
ROOTS = (advance.advance, forward.step_n, forward.evaluate, forward.compute_sleep_state, mass_matrix.fill_factor, kinematics.kinematics, perturb.perturb_mass,
         contact_force.contact_forces, fluid.fluid_wrenches, user_writes.find_writes, user_writes.advance_noting)
VIEW_ROOTS = (kinematics.kinematics,)


# ---------------------------------------------------------------- features


def _option(name: str, *values: int) -> Feature:
    """Option `name` has one of these values."""
    return lambda m: getattr(m, name) in values


def _enabled(bit: int) -> Feature:
    return lambda m: bool(m.opt_enableflags & bit)


def _counts(name: str, least: int = 1) -> Feature:
    """There are at least so many."""
    return lambda m: getattr(m, name) >= least


def _has(field: str, *values: int) -> Feature:
    """Some element has one of these values."""
    return lambda m: bool(np.isin(getattr(m, field), values).any())


def _has_other(field: str, *values: int) -> Feature:
    """Some element has none of these values."""
    return lambda m: not np.isin(getattr(m, field), values).all()


def _any(*features: Feature) -> Feature:
    return lambda m: any(feature(m) for feature in features)


def _all(*features: Feature) -> Feature:
    return lambda m: all(feature(m) for feature in features)


def touching_types(m: Model) -> frozenset[tuple[int, int]]:
    """Type pairs (ascending) of geoms that their masks let touch, and of explicit pairs; bodies and distances are not looked at."""
    kinds, number = np.unique(np.stack([m.geom_type, m.geom_contype, m.geom_conaffinity], 1), axis=0, return_counts=True)
    found = set()
    for i, (kind, contype, conaffinity) in enumerate(kinds.tolist()):
        for j, (other, others_contype, others_conaffinity) in enumerate(kinds[:i + 1].tolist()):
            if (contype & others_conaffinity or others_contype & conaffinity) and (i != j or number[i] > 1):
                found.add((min(kind, other), max(kind, other)))
    for a, b in zip(m.geom_type[m.pair_geom1].tolist(), m.geom_type[m.pair_geom2].tolist(), strict=True):
        found.add((min(a, b), max(a, b)))
    return frozenset(found)


def _touch(*pairs: tuple[int, int]) -> Feature:
    """Geoms of one of these pairs of types may touch."""
    return lambda m: not touching_types(m).isdisjoint(pairs)


def _touch_by(*routines: Kernel) -> Feature:
    """Geoms may touch whose types meet by one of these routines (engine/collide/pair_table.py)."""
    return _touch(*(pair for pair, row in TABLE.items() if row.routine in routines))


_SLEEP = _enabled(ENBL_SLEEP)
_DISCRETE = _option("opt_integrator", INT_DISCRETE)
_DUAL = _any(_option("opt_solver", SOL_PGS), _counts("opt_noslip_iterations"))
_ELLIPTIC = _option("opt_cone", CONE_ELLIPTIC)
_SWEPT = _counts("nsapgeom")
_DEEP = _counts("nabadof")
_MOTORS = _any(_has("actuator_dyntype", DYN_DCMOTOR), _has("actuator_gaintype", GAIN_DCMOTOR))
_SENSORS = _counts("nsensor")
_SEVERAL_TREES = _counts("ntree", 2)


def _medium(m: Model) -> bool:
    return bool(m.opt_density or m.opt_viscosity)


# kernel -> where it is called at all; each line is the condition around its calls, or one that holds more often
GATES: Mapping[Kernel, Feature] = MappingProxyType({
    # integrators
    implicit.implicitfast: _option("opt_integrator", INT_IMPLICITFAST),
    implicit.implicit: _option("opt_integrator", INT_IMPLICIT),
    forward.rk4: _option("opt_integrator", INT_RK4),
    discrete.discrete_smooth: _DISCRETE,
    effective_mass_rows.rows_in_effective_mass: _DISCRETE,
    effective_mass_rows.enter_effective_mass: _DISCRETE,
    effective_mass_rows.leave_effective_mass: _DISCRETE,
    effective_mass_rows.correct_lone_free: _DISCRETE,
    inverse.compare_fwd_inv: _enabled(ENBL_FWDINV),
    # sleep
    forward.settle: _SLEEP,
    forward.compute_sleep_state: _SLEEP,
    fall_asleep.fall_asleep: _SLEEP,
    fall_asleep.wake_touched: _SLEEP,
    wake.wake_by_tendons: _SLEEP,
    wake.wake_by_contacts: _SLEEP,
    wake.wake_by_equalities: _SLEEP,
    asleep_pairs.awake_pairs: _SLEEP,
    asleep_pairs.drop_asleep: _SLEEP,
    # sensors and energies
    stages.sensor_pos: _SENSORS,
    stages.sensor_vel: _SENSORS,
    stages.sensor_acc: _SENSORS,
    delays.keep_sensors: _counts("nhistory"),
    energy.energy_pos: _any(_enabled(ENBL_ENERGY), _SENSORS),
    energy.energy_vel: _any(_enabled(ENBL_ENERGY), _SENSORS),
    # actuators and tendons
    tendon.spatial_tendon: _has_other("tendon_type", TENDON_FIXED),
    transmission.site_moment: _has_other("actuator_trntype", TRN_TENDON, TRN_JOINT, TRN_JOINTINPARENT, TRN_BODY, TRN_SO3),
    transmission.adhesion_moment: _has("actuator_trntype", TRN_BODY),
    transmission.orientation_moments: _has("actuator_trntype", TRN_SO3),
    servo.orientation_force: _has("actuator_gaintype", GAIN_SO3),
    actuation.other_push: _has_other("actuator_gaintype", GAIN_FIXED, GAIN_AFFINE),
    actuation.other_bias: _has_other("actuator_biastype", BIAS_NONE, BIAS_AFFINE),
    activation.activation_rates: _counts("na"),
    dcmotor.next_motor_state: _MOTORS,
    dcmotor.motor_friction: _MOTORS,
    delay_history.keep_controls: _counts("nhistory"),
    delay_history.delayed_controls: _counts("nhistory"),
    # passive forces
    fluid.fluid: _medium,
    fluid.fluid_wrenches: _medium,
    adhesion.adhesion_force: _counts("flg_adhesion"),
    adhesion.adhesion_reference: _counts("flg_adhesion"),
    gravity_compensation.gravity_compensation: _counts("flg_gravcomp"),
    # broad phase
    sap_proxies.bound_proxies: _SWEPT,
    broad_phase.widest_axis: _SWEPT,
    broad_phase.sort_by_lower_end: _SWEPT,
    broad_phase.plane_pairs: _SWEPT,
    broad_phase.swept_pairs: _SWEPT,
    sap_grid.build_grid: _counts("nsapproxy", broad_phase.GRID_FROM),
    sap_grid.grid_pairs: _counts("nsapproxy", broad_phase.GRID_FROM),
    separating_axis_cache.drop_separated: _all(_SWEPT, _counts("nmesh")),
    separating_axis_cache.boxes_apart: _any(_touch(*(pair for pair, row in TABLE.items() if row.boxes_first)), _touch_by(ccd.convex_convex), _all(_SWEPT, _counts("nmesh"))),
    explicit_pairs.merge_explicit: _counts("npair"),
    # pairs of geoms
    **{routine: _touch_by(routine) for routine in ROUTINES},
    # contacts and rows
    contact_parameters.explicit_parameters: _counts("npair"),
    contact_parameters.override_parameters: _enabled(ENBL_OVERRIDE),
    surface.surface_velocity: _counts("flg_surfacevel"),
    surface.add_surface_velocities: _counts("flg_surfacevel"),
    equality.equality_rows: _counts("neq"),
    equality.equality_drift: _counts("neq"),
    limit.ball_limit: _has("jnt_type", JNT_BALL),
    delassus_diagonal.delassus_diagonal: _enabled(ENBL_DIAGEXACT),
    # solvers
    newton.newton: _option("opt_solver", SOL_NEWTON),
    cg.cg: _option("opt_solver", SOL_CG),
    pgs.pgs: _option("opt_solver", SOL_PGS),
    pgs.start_dual: _option("opt_solver", SOL_PGS),
    pgs.finish_dual: _DUAL,
    noslip.noslip: _counts("opt_noslip_iterations"),
    delassus_factor.layout_delassus: _any(_DUAL, _enabled(ENBL_DIAGEXACT)),
    delassus_factor.factor_delassus: _DUAL,
    delassus_factor.sum_forces: _DUAL,
    cost.cone_update: _ELLIPTIC,
    linesearch.evaluate_line_cone: _ELLIPTIC,
    ordering.adjacent_trees: _SEVERAL_TREES,
    ordering.eliminate: _SEVERAL_TREES,
    articulated_direction.factor_by_aba: _DEEP,
    articulated_direction.solve_by_aba: _DEEP,
    articulated_body.aba_factor_trees: _DEEP,
    articulated_body.aba_solve_damped: _DEEP,
    articulated_body.aba_solve_tree: _DEEP,
})


# kernel -> where a model that is to move waits for it; elsewhere it is reached seldom, or when somebody asks. Kernels called from Python run under the
# interpreter until they are there (Kernel.at_once), a call by another kernel is waited for as if the kernel had been taken for unreachable
LATER: Mapping[Kernel, Feature] = MappingProxyType({
    perturb.perturb_mass: lambda m: False,       # a body is dragged
    forward.evaluate_timed: lambda m: False,     # the profiler is shown
    mass_matrix.fill_factor: _any(_DUAL, _enabled(ENBL_DIAGEXACT)),   # qLD is looked at
    # one tree has its Hessian by rows, unless its constraints tie branches together so that they need too much room
    hessian.load_inertia: _SEVERAL_TREES,
    hessian.add_block: _SEVERAL_TREES,
    hessian.add_subblock: _SEVERAL_TREES,
    hessian.factor_supernode: _SEVERAL_TREES,
})


def reachable(m: Model) -> frozenset[str]:
    """Symbols of the kernels that running this model can reach, as its options are now; a few at least of those that show it where it cannot run."""
    return _called(m, GATES)


def needed_to_move(m: Model) -> frozenset[str]:
    """Those of the reachable kernels that have to be there before the model moves."""
    return _called(m, GATES, LATER)


def _called(m: Model, *tables: Mapping[Kernel, Feature]) -> frozenset[str]:
    shut = {kernel.symbol for table in tables for kernel, feature in table.items() if not feature(m)}
    roots = VIEW_ROOTS if m.view_only else ROOTS
    return frozenset(decorators.calls((k.symbol for k in roots), shut.__contains__))
