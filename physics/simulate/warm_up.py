"""The modules whose kernels make up the engine, and making them callable."""
from __future__ import annotations

from collections.abc import Callable

from physics.enums import ENGINE_HARD
from physics.kernels import load
from physics.kernels.decorators import NOJIT
from physics.model.model import Model

# in the order of compiling: a step needs the first group, running and recording the second
ENGINE = (
    "physics.engine.forward",
    "physics.engine.smooth_acceleration",
    "physics.engine.sleep.awake",
    "physics.engine.sleep.fall_asleep",
    "physics.engine.sleep.initial_sleep",
    "physics.engine.sleep.wake",
    "physics.engine.sleep.state",
    "physics.engine.kinematics.kinematics",
    "physics.engine.kinematics.com",
    "physics.engine.tendon.tendon",
    "physics.engine.inertia.articulated_body",
    "physics.engine.inertia.mass_matrix",
    "physics.engine.collide.explicit_pairs",
    "physics.engine.collide.sap_proxies",
    "physics.engine.collide.sap_grid",
    "physics.engine.collide.broad_phase",
    "physics.engine.collide.asleep_pairs",
    "physics.engine.collide.plane",
    "physics.engine.collide.plane_mesh",
    "physics.engine.collide.sphere_capsule",
    "physics.engine.collide.box",
    "physics.engine.collide.box_box",
    "physics.engine.collide.convex.shapes",
    "physics.engine.collide.convex.support",
    "physics.engine.collide.convex.gjk",
    "physics.engine.collide.convex.epa",
    "physics.engine.collide.convex.normal_refinement",
    "physics.engine.collide.convex.separating_axis_cache",
    "physics.engine.collide.convex.faces",
    "physics.engine.collide.convex.clip",
    "physics.engine.collide.convex.multicontact",
    "physics.engine.collide.convex.ccd",
    "physics.engine.collide.contact",
    "physics.engine.collide.hfield",
    "physics.engine.collide.pair_table",
    "physics.engine.collide.collision",
    "physics.engine.collide.distance",
    "physics.engine.constraint.rows",
    "physics.engine.constraint.distance_row",
    "physics.engine.constraint.equality",
    "physics.engine.constraint.friction",
    "physics.engine.constraint.limit",
    "physics.engine.constraint.contact_rows",
    "physics.engine.constraint.surface",
    "physics.engine.constraint.adhesion",
    "physics.engine.constraint.reference",
    "physics.engine.actuator.transmission",
    "physics.engine.passive.passive",
    "physics.engine.passive.fluid",
    "physics.engine.passive.gravity_compensation",
    "physics.engine.inertia.rne",
    "physics.engine.actuator.muscle",
    "physics.engine.actuator.servo",
    "physics.engine.actuator.dcmotor",
    "physics.engine.actuator.delay_history",
    "physics.engine.actuator.activation",
    "physics.engine.actuator.actuation",
    "physics.engine.solve.ordering",
    "physics.engine.solve.articulated_direction",
    "physics.engine.solve.symbolic_factorisation",
    "physics.engine.solve.sparse_cholesky",
    "physics.engine.solve.constraint_blocks",
    "physics.engine.solve.cost",
    "physics.engine.solve.hessian",
    "physics.engine.solve.linesearch",
    "physics.engine.solve.primal",
    "physics.engine.solve.newton",
    "physics.engine.solve.cg",
    "physics.engine.solve.cone_dual",
    "physics.engine.solve.delassus_factor",
    "physics.engine.solve.delassus_diagonal",
    "physics.engine.solve.pgs",
    "physics.engine.solve.noslip",
    "physics.engine.solve.constraint_solve",
    "physics.engine.inertia.energy",
    "physics.engine.kinematics.subtree",
    "physics.engine.inertia.rne_post_constraint",
    "physics.engine.ray.mesh",
    "physics.engine.ray.hfield",
    "physics.engine.ray.cast",
    "physics.engine.sensor.output",
    "physics.engine.sensor.contact",
    "physics.engine.sensor.distance",
    "physics.engine.sensor.range_finder",
    "physics.engine.sensor.tactile",
    "physics.engine.sensor.containment_distance",
    "physics.engine.sensor.position",
    "physics.engine.sensor.velocity",
    "physics.engine.sensor.acceleration",
    "physics.engine.sensor.read_sensor",
    "physics.engine.sensor.delays",
    "physics.engine.sensor.stages",
    "physics.engine.integrator.rne_derivative",
    "physics.engine.actuator.velocity_derivative",
    "physics.engine.actuator.length_derivative",
    "physics.engine.integrator.derivative",
    "physics.engine.integrator.fluid_derivative",
    "physics.engine.integrator.integrate",
    "physics.engine.integrator.implicit",
    "physics.engine.inverse",
    "physics.engine.integrator.discrete",
    "physics.engine.solve.effective_mass_rows",
    "physics.engine.constraint.contact_force",
    "physics.engine.trace",
    # not part of a step
    "physics.engine.advance",
    "physics.engine.control_noise",
    "physics.engine.perturb",
    "physics.engine.record",
    "physics.engine.user_writes",
    "physics.engine.replay",
    "physics.engine.stage_time",
    "physics.engine.length_range_simulation",
    "physics.engine.kinematics.jacobians",
    "physics.engine.point_velocity",
    "physics.engine.rollout",
    "physics.engine.linalg.box_qp",
    "physics.engine.fleet.soft",
    "physics.engine.kinematics.differential_ik",
)

# the hard engine's own kernels, compiled after all others: only a model that asks for it waits for them (it also needs most of the first group)
HARD = (
    "physics.engine.hard.runnable",
    "physics.engine.hard.step",
    "physics.engine.hard.forces",
    "physics.engine.hard.poses",
    "physics.engine.hard.momenta",
    "physics.engine.hard.slopes",
    "physics.engine.hard.contact.mocap",
    "physics.engine.hard.contact.reach",
    "physics.engine.hard.contact.points",
    "physics.engine.hard.system.order",
    "physics.engine.hard.start",
    "physics.engine.hard.residual",
    "physics.engine.hard.limits",
    "physics.engine.hard.dry_friction",
    "physics.engine.hard.ties",
    "physics.engine.hard.tendon.rows",
    "physics.engine.hard.tendon.impulses",
    "physics.engine.hard.contact.cones",
    "physics.engine.hard.contact.fresh_rows",
    "physics.engine.hard.system.matrix",
    "physics.engine.hard.system.eliminate",
    "physics.engine.hard.tendon.bordered",
    "physics.engine.hard.search",
    "physics.engine.hard.newton",
    "physics.engine.hard.contact.geoms",
    "physics.engine.hard.contact.corners",
    "physics.engine.hard.contact.passing",
    "physics.engine.hard.rescue",
    "physics.engine.hard.overlaps",
    "physics.engine.hard.whole_step",
    "physics.engine.hard.tendon.report",
    "physics.engine.hard.report",
    "physics.engine.hard.many_steps",
    "physics.engine.hard.sensitivity",
    "physics.engine.hard.next_state",
    "physics.engine.hard.derivatives.responses",
    "physics.engine.hard.derivatives.momentum_slopes",
    "physics.engine.hard.derivatives.own_forces",
    "physics.engine.hard.derivatives.projected",
    "physics.engine.hard.derivatives.riding",
    "physics.engine.hard.derivatives.state_columns",
    "physics.engine.hard.central_path",
    "physics.engine.fleet.hard",
)


def ensure_engine(progress: Callable[[int, int, str], None] | None = None, first: Callable[[], Model | None] | None = None,
                  first_ready: Callable[[], None] | None = None) -> dict:
    """Make the engine callable; compiles in worker processes what the cache lacks.

    progress(done, total, symbol) is called in the calling thread; when it raises, the build stops. first: where something has to be
    compiled, this is asked for the model that is to move soonest; what it needs for that is compiled ahead of the rest, then first_ready() is
    called in the calling thread, and `covers` says what can move. Returns {'kernels': n, 'compiled': n, 'compile_s': t, 'load_s': t,
    'first_s': t or None}. Raises KernelError or BuildError naming the kernels at fault.
    """
    return load.ensure(ENGINE, progress, first=first and (lambda: _needed(first())), first_ready=first_ready)


def hard_is_ready() -> bool:
    """Whether the hard engine's kernels are there. Quick: the last of them is loaded with all others."""
    from physics.engine.hard.many_steps import step_n

    return bool(step_n.addr) or NOJIT


def ensure_hard(progress: Callable[[int, int, str], None] | None = None) -> None:
    """Make the hard engine callable; arguments and errors: those of ensure_engine. Takes no time where it is."""
    if not hard_is_ready():
        load.ensure(HARD, progress)


def _needed(m: Model | None) -> frozenset[str]:
    from physics.simulate.reach import needed_to_move

    return needed_to_move(m) if m is not None else frozenset()


def covers(m: Model) -> bool:
    """Whether all that this model needs to move, as its options are now, is compiled and loaded: always, once `ensure_engine` has returned."""
    if m.opt_engine == ENGINE_HARD and not hard_is_ready():
        return False
    lacking = load.missing()
    return not lacking or _needed(m).isdisjoint(lacking)


def want(m: Model, called: str = "") -> None:
    """Have what this model needs to move, as its options are now, compiled ahead of the rest, if anything is being compiled. From any thread.

    called: a kernel that was called although it is not there: then all that the model can reach. When it is there the first_ready of that
    `ensure_engine` is called once more.
    """
    if not load.is_compiling():
        return
    if called:
        from physics.simulate.reach import reachable

        load.want(reachable(m) | {called})
    else:
        load.want(_needed(m))
