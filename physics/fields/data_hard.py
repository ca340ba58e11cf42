"""Data fields of the hard engine: what a step found, bodies and dofs. Tables; see layout.py for how to read them.

Twists and wrenches have their linear part first, in world axes, of the body's centre of mass. Sizes: maxhb bodies, maxhv dofs (or joints), maxhq
coordinates; all are 0 until the engine takes its first step.
"""
from physics.fields.field_row import Row, table

_FOUND = table(
    "solve", (
        Row("hard_status", "i", "", "", "of the last step: 0 converged, 1 coarse (accepted at 1000 times the tolerance), 2 failed (the step did not happen)"),
        Row("hard_niter", "i", "", "", "interior-point iterations of the last step, all solves together"),
        Row("hard_halved", "i", "", "", "how often the last step was halved"),
        Row("hard_looked", "i", "", "", "solves of the last step that were repeated for contacts found at its end"),
        Row("hard_nrestart", "i", "", "", "solves of the last step that were started again elsewhere"),
        Row("hard_rv", "f", "", "*", "largest residual of the last step"),
        Row("hard_kv", "f", "", "J", "largest violation of complementarity of the last step"),
        Row("hard_ncoarse", "i", "", "", "coarse steps since the last reset"),
        Row("hard_nhalved", "i", "", "", "halved steps since the last reset"),
        Row("hard_nfailed", "i", "", "", "failed steps since the last reset"),
        Row("hard_trace", "f8", "maxhb 250", "*", "of each of the first islands, for up to 50 iterations: residual (-1 behind the last), violation, mu, its target, step length"),
    ), engine="hard",
)

HARD_STUCK = table(
    "solve", (
        Row("hard_stuck", "i", "", "", "1: overlaps of the start that the last step could not lessen: it left them as deep as they were"),
        Row("hard_nstuck", "i", "", "", "such steps since the last reset"),
        Row("hard_eased", "i", "", "", "solves of the last step that ended with less friction only, by factors of 4; the step is coarse"),
        Row("hard_neased", "i", "", "", "steps with such solves since the last reset"),
    ), engine="hard",
)

_STORAGE = table(
    "solve", (
        Row("maxhb", "i", "", "", "hard engine: bodies that there is room for, all or none"),
        Row("need_nhb", "i", "", "", "hard engine: bodies that a stage lacked room for; 0: it had room"),
        Row("maxhv", "i", "", "", "hard engine: dofs that there is room for, all or none"),
        Row("need_nhv", "i", "", "", "hard engine: dofs that a stage lacked room for; 0: it had room"),
        Row("maxhq", "i", "", "", "hard engine: coordinates that there is room for, all or none"),
        Row("need_nhq", "i", "", "", "hard engine: coordinates that a stage lacked room for; 0: it had room"),
        # the solve under way
        Row("hard_h", "f", "", "s", "time step of the present solve: opt_timestep or a part of it"),
        Row("hard_kappa", "f", "", "J", "the products are to come to this"),
        Row("hard_fraction", "f", "", "", "part of the way to a cone's edge that a step may go"),
        Row("hard_spread", "f", "", "", "factor on the velocity scale of the start"),
        Row("hard_recover", "f", "", "m, rad", "what of an overlap at the start of the step must be undone at its end; velocities undo nothing: 0"),
        Row("hard_first", "i", "", "", "the present island in hard_order: its first"),
        Row("hard_end", "i", "", "", "and the one after its last"),
        Row("hard_rowfirst", "i", "", "", "the present island in hrow_at: its first"),
        Row("hard_rowend", "i", "", "", "and the one after its last"),
        Row("hard_nlimit", "i", "", "", "orthant pairs of limits in the present island"),
        Row("hard_nrub", "i", "", "", "orthant pairs of dry friction in the present island"),
        Row("hard_island", "i", "", "", "number of the present island"),
        Row("hard_overlap", "i", "", "", "1: bodies overlap or joints are beyond their limits at the start of the step; 2: and positions are a projection, without friction (engine/hard/overlaps.py)"),
        Row("hard_touchable", "i", "", "", "1: there are geoms that may touch: it is worth looking again"),
        Row("hard_moved", "i", "", "", "1: geoms are at the trial pose, not at the start of the step"),
        Row("hard_ktol", "f", "", "J", "products may differ by this from hard_kappa"),
        Row("hard_mu", "f", "", "J", "mean product of the present island before its last direction"),
        Row("hard_aim", "f", "", "J", "what the last direction of the present island aimed its products at"),
        Row("hard_alpha", "f", "", "", "how far it was followed"),
    ), engine="hard", private=True,
)

_BODIES = table(
    "solve", (
        Row("hard_x2", "f8", "maxhb 3", "m", "centre of mass at the start of the step"),
        Row("hard_quat2", "f8", "maxhb 4", "", "principal axes of inertia then"),
        Row("hard_x", "f8", "maxhb 3", "m", "centre of mass at the trial pose"),
        Row("hard_quat", "f8", "maxhb 4", "", "principal axes of inertia there"),
        Row("hard_xpos", "f8", "maxhb 3", "m", "the body's frame at the trial pose"),
        Row("hard_xquat", "f8", "maxhb 4", "", "its orientation there"),
        Row("hard_turn", "f8", "maxhb 4", "", "rotation from the start to the trial pose, (s, u) with s >= 0"),
        Row("hard_vel", "f8", "maxhb 6", "m/s, rad/s", "difference quotients: (x - x2) / h and 2 u / h"),
        Row("hard_mom", "f8", "maxhb 6", "N s, N m s", "momentum that the body brings along, and the impulse of gravity and applied wrenches"),
        Row("hard_inertia", "f8", "maxhb 9", "kg m2", "inertia about the centre of mass in world axes, at the start of the step"),
        Row("hard_res", "f8", "maxhb 6", "N s, N m s", "residual of the body's motion"),
        Row("hard_wrench", "f8", "maxhb 6", "N s, N m s", "residuals, carried inwards"),
        Row("hard_nu", "f8", "maxhb 6", "m/s, rad/s", "direction: of the centre of mass and of turning, per time step"),
        Row("hard_reach", "f8", "maxhb 3", "m", "how far its centre may go, its points by a unit of their distance more, and the largest such distance of its geoms"),
        Row("hard_block", "f8", "maxhb 48", "kg, kg m, kg m2", "residual of the body by its own motion: six rows of eight"),
    ), engine="hard", private=True,
)

_DOFS = table(
    "solve", (
        Row("hard_axis2", "f8", "maxhv 6", "", "twist of a dof's body by a unit of its velocity, at the start of the step"),
        Row("hard_axis", "f8", "maxhv 6", "", "the same at the trial pose"),
        Row("hard_col", "f8", "maxhv 6", "*", "elimination: block times hard_axis"),
        Row("hard_row", "f8", "maxhv 6", "*", "elimination: hard_axis2 times block"),
        Row("hard_pivot", "f8", "maxhv", "*", "elimination: 1 / pivot"),
        Row("hard_H0", "f8", "maxhv", "*", "slope of a dof's own terms: armature, dampers, servos"),
        Row("hard_H", "f8", "maxhv", "*", "the same with limits and dry friction"),
        Row("hard_tau", "f8", "maxhv", "N s, N m s", "impulse of its forces, armature's momentum included"),
        Row("hard_qd", "f8", "maxhv", "m/s, rad/s", "velocity that leads to the trial pose"),
        Row("hard_qd0", "f8", "maxhv", "m/s, rad/s", "velocity before the step"),
        Row("hard_r", "f8", "maxhv", "N s, N m s", "residual of a dof"),
        Row("hard_g", "f8", "maxhv", "N s, N m s", "the part of it, or of a right side, that is the dof's own"),
        Row("hard_y", "f8", "maxhv", "m/s, rad/s", "solve: what has been found inwards"),
        Row("hard_dir", "f8", "maxhv", "m/s, rad/s", "direction of hard_qd"),
        Row("hard_vel0", "f8", "maxhv", "m/s, rad/s", "velocity that the solve without recovery found"),
        # limits, by joint: upper and lower (a ball: upper alone)
        Row("hlim_kind", "i4", "maxhv", "", "0 none, 1 a range of a hinge or slide, 2 an angle of a ball, -1 a range that is out of reach in this step"),
        Row("hlim_var", "f8", "maxhv 4", "*", "slack [m/s] and impulse [N s] of the upper limit, then of the lower"),
        Row("hlim_res", "f8", "maxhv 4", "*", "residuals of the slacks and products, upper then lower"),
        Row("hlim_step", "f8", "maxhv 4", "*", "direction of hlim_var"),
        Row("hlim_predict", "f8", "maxhv 4", "*", "direction of the predictor"),
        Row("hlim_axis", "f8", "maxhv 6", "", "ball: axis of the impulse at the start, slope of the angle by turns at the trial pose, both in world axes"),
        # dry friction, by dof
        Row("hfri_loss", "f8", "maxhv", "N s, N m s", "largest impulse of dry friction in the step, 0: none"),
        Row("hfri_var", "f8", "maxhv 3", "*", "impulse [N s], parts of the velocity forwards and backwards [m/s]"),
        Row("hfri_res", "f8", "maxhv 3", "*", "residual of the velocity, the two products"),
        Row("hfri_step", "f8", "maxhv 3", "*", "direction of hfri_var"),
        Row("hfri_predict", "f8", "maxhv 3", "*", "direction of the predictor"),
        Row("hfri_at", "i4", "maxhv", "", "dofs of the present island that have dry friction"),
        Row("hfri_slope", "f8", "maxhv 3", "*", "1 over what is left of each bound, and the slope of the impulse, at the present point"),
    ), engine="hard", private=True,
)

_COORDINATES = table(
    "solve", (
        Row("hard_qpos", "f8", "maxhq", "*", "coordinates of the trial pose"),
        Row("hard_qpos2", "f8", "maxhq", "*", "those at the start of the step"),
        Row("hard_qkept", "f8", "maxhq", "*", "those that a line search started from"),
        Row("hard_qstart", "f8", "maxhq", "*", "those at the start of a step that is taken in parts"),
        Row("hard_vstart", "f8", "maxhq", "*", "velocities at the start of such a step"),
    ), engine="hard", private=True,
)

HARD = (*_FOUND, *_STORAGE, *_BODIES, *_DOFS, *_COORDINATES)

HARD_RECOVERY = table(
    "solve", (
        Row("hard_recovering", "f", "", "m, rad", "hard_recover of trees whose overlaps end as fast as they may; velocities undo nothing: 0"),
        Row("hard_slowed", "i4", "ntree", "", "how the tree ends overlaps of the start in the present step: 0 as fast as it may, 1 more slowly, 2 not at all"),
    ), engine="hard", private=True,
)
