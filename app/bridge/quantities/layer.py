"""The layer of quantities: which switch draws what, and what it tells in the legend."""
from __future__ import annotations

from types import MappingProxyType

from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.quantities import applied, cones, constraint_forces, joint_forces, limits, margins, motion, tensions, trails
from app.bridge.quantities.canvas import QuantityCanvas
from app.bridge.view_state import ViewState
from physics.runtime.snapshot import Snapshot
from render.scene.snapshot import Scene

# switch -> what draws it (m, snapshot, options, drawing), what explains it (m, options, drawing)
QUANTITIES = MappingProxyType({
    "contact_torque": (cones.add_contact_torques, cones.contact_torque_legend),
    "friction_cone": (cones.add_friction_cones, cones.friction_cone_legend),
    "joint_torque": (joint_forces.add_joint_torques, joint_forces.joint_torque_legend),
    "joint_limit": (limits.add_joint_limits, limits.joint_limit_legend),
    "tendon_tension": (tensions.add_tensions, tensions.tension_legend),
    "constraint_force": (constraint_forces.add_constraint_forces, constraint_forces.constraint_force_legend),
    "external_force": (applied.add_external, applied.external_legend),
    "linear_velocity": (motion.add_linear_velocities, motion.linear_velocity_legend),
    "angular_velocity": (motion.add_angular_velocities, motion.angular_velocity_legend),
    "momentum": (motion.add_momenta, motion.momentum_legend),
    "gravity_compensation": (applied.add_lifts, applied.lift_legend),
    "fluid_force": (applied.add_fluid, applied.fluid_legend),
    "margin_shell": (margins.add_shells, margins.shell_legend),
})
TRAILS = ("body_trail", "site_trail")


def add_quantities(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """Everything of options.QUANTITY_FLAGS that is on, with its rows of the legend; nothing is worked out while all are off."""
    m = visuals.model
    on = options.quantities
    if state.track.count and not any(on[name] for name in TRAILS):
        state.track.clear()   # or a trail that is switched on again would begin with a leap
    if not any(on.values()):
        return
    draw = QuantityCanvas(visuals, options, out)
    for name, (add, explain) in QUANTITIES.items():
        if on[name]:
            with draw.of(name):
                add(m, snapshot, options, draw)
                explain(m, options, draw)
    if any(on[name] for name in TRAILS):
        trails.add_trails(m, snapshot, options, state, draw)
        trails.trail_legend(m, options, state, draw)
