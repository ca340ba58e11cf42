"""The modules whose kernels make up the engine, and making them callable."""
from __future__ import annotations

from collections.abc import Callable

from physics.kernels import load

# not part of the engine: what makes loading a model quick
COMPILER = (
    "physics.compiler.native.pixels",
    "physics.compiler.native.png_rows",
    "physics.compiler.native.mesh_text",
    "physics.compiler.native.mesh_corners",
    "physics.compiler.native.trees",
    "physics.compiler.native.hull_links",
    "physics.compiler.native.hull_polygons",
    "physics.compiler.native.vertex_normals",
    "physics.compiler.native.mesh_mass",
)

# in the order of compiling: a step needs the first group, running and recording the second
ENGINE = (
    "physics.engine.forward",
    "physics.engine.sleep.awake",
    "physics.engine.sleep.rest",
    "physics.engine.sleep.begin",
    "physics.engine.sleep.wake",
    "physics.engine.sleep.state",
    "physics.engine.kinematics",
    "physics.engine.com",
    "physics.engine.tendon",
    "physics.engine.articulated",
    "physics.engine.inertia",
    "physics.engine.collide.explicit",
    "physics.engine.collide.groups",
    "physics.engine.collide.columns",
    "physics.engine.collide.broad",
    "physics.engine.collide.resting",
    "physics.engine.collide.plane",
    "physics.engine.collide.plane_mesh",
    "physics.engine.collide.round",
    "physics.engine.collide.box",
    "physics.engine.collide.box_box",
    "physics.engine.collide.convex.shapes",
    "physics.engine.collide.convex.support",
    "physics.engine.collide.convex.gjk",
    "physics.engine.collide.convex.epa",
    "physics.engine.collide.convex.polish",
    "physics.engine.collide.convex.near",
    "physics.engine.collide.convex.faces",
    "physics.engine.collide.convex.clip",
    "physics.engine.collide.convex.more",
    "physics.engine.collide.convex.pair",
    "physics.engine.collide.contact",
    "physics.engine.collide.hfield",
    "physics.engine.collide.driver",
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
    "physics.engine.transmission",
    "physics.engine.passive",
    "physics.engine.fluid",
    "physics.engine.gravity_compensation",
    "physics.engine.bias",
    "physics.engine.muscle",
    "physics.engine.servo",
    "physics.engine.dcmotor",
    "physics.engine.history",
    "physics.engine.activation",
    "physics.engine.actuation",
    "physics.engine.solve.ordering",
    "physics.engine.solve.deep_direction",
    "physics.engine.solve.row_plan",
    "physics.engine.solve.tree_rows",
    "physics.engine.solve.units",
    "physics.engine.solve.cost",
    "physics.engine.solve.hessian",
    "physics.engine.solve.linesearch",
    "physics.engine.solve.primal",
    "physics.engine.solve.newton",
    "physics.engine.solve.cg",
    "physics.engine.solve.cone_dual",
    "physics.engine.solve.dual_rows",
    "physics.engine.solve.exact_diagonal",
    "physics.engine.solve.pgs",
    "physics.engine.solve.noslip",
    "physics.engine.solve.constraint_solve",
    "physics.engine.energy",
    "physics.engine.subtree",
    "physics.engine.reaction",
    "physics.engine.ray.mesh",
    "physics.engine.ray.hfield",
    "physics.engine.ray.cast",
    "physics.engine.sensor.output",
    "physics.engine.sensor.contact",
    "physics.engine.sensor.distance",
    "physics.engine.sensor.range_finder",
    "physics.engine.sensor.tactile",
    "physics.engine.sensor.enclosure",
    "physics.engine.sensor.position",
    "physics.engine.sensor.velocity",
    "physics.engine.sensor.acceleration",
    "physics.engine.sensor.reading",
    "physics.engine.sensor.delays",
    "physics.engine.sensor.stages",
    "physics.engine.bias_derivative",
    "physics.engine.actuator_slope",
    "physics.engine.actuator_stiffness",
    "physics.engine.derivative",
    "physics.engine.fluid_derivative",
    "physics.engine.integrate",
    "physics.engine.implicit",
    "physics.engine.inverse",
    "physics.engine.discrete",
    "physics.engine.solve.metric_rows",
    # not part of a step
    "physics.engine.advance",
    "physics.engine.noise",
    "physics.engine.perturb",
    "physics.engine.record",
    "physics.engine.constraint.contact_force",
    "physics.engine.pull",
    "physics.engine.jacobians",
    "physics.engine.probe",
    "physics.engine.rolling",
)
MODULES = (*ENGINE, *COMPILER)


def ensure_kernels(progress: Callable[[int, int, str], None] | None = None) -> dict:
    """Make the engine callable; compiles in worker processes what the cache lacks.

    progress(done, total, symbol) is called in the calling thread; when it raises, the build stops. Returns
    {'kernels': n, 'compiled': n, 'compile_s': t, 'load_s': t}. Raises KernelError or BuildError naming the kernels at fault.
    """
    return load.ensure(MODULES, progress)


def ensure_engine(progress: Callable[[int, int, str], None] | None = None) -> dict:
    """As ensure_kernels, but only what running a model needs: a sixth sooner on the first start."""
    return load.ensure(ENGINE, progress)


def ensure_compiler() -> dict:
    """As ensure_kernels, but only what makes loading a model quick."""
    return load.ensure(COMPILER)
