"""Data fields of constraint rows. Tables; see layout.py for how to read them."""
from physics.fields.field_row import Row, table

CONSTRAINT = table(
    "constraint", (
        Row("ne", "i", "", "", "number of equality rows"),
        Row("nf", "i", "", "", "number of dry friction rows"),
        Row("nl", "i", "", "", "number of limit rows"),
        Row("nefc", "i", "", "", "number of constraint rows"),
        Row("nJ", "i", "", "", "number of stored entries of the constraint Jacobian"),
        Row("efc_type", "i4", "maxefc", "", "a ConstraintType"),
        Row("efc_id", "i4", "maxefc", "", "element that the row belongs to"),
        Row("efc_J_rownnz", "i4", "maxefc", "", "stored entries of the row of the Jacobian"),
        Row("efc_J_rowadr", "i4", "maxefc", "", "the first of them"),
        Row("efc_J_colind", "i4", "maxJ", "", "degree of freedom of each entry, ascending in a row"),
        Row("efc_J", "f8", "maxJ", "*", "constraint Jacobian, stored entries"),
        Row("efc_pos", "f8", "maxefc", "m, rad", "violation; for limits and contacts the distance"),
        Row("efc_margin", "f8", "maxefc", "m, rad", "margin, to be subtracted from it"),
        Row("efc_frictionloss", "f8", "maxefc", "N, N m", "largest dry friction force"),
        Row("efc_diagA", "f8", "maxefc", "1/kg, 1/kg m2", "estimate of the diagonal of J inv(M) J'"),
        Row("efc_KBIP", "f8", "maxefc 4", "*", "stiffness, damping, impedance and its derivative"),
        Row("efc_D", "f8", "maxefc", "kg, kg m2", "1 / efc_R"),
        Row("efc_R", "f8", "maxefc", "1/kg, 1/kg m2", "regularisation"),
        Row("tendon_efcadr", "i4", "ntendon", "", "limit row of the tendon, -1: none"),
        Row("efc_vel", "f8", "maxefc", "m/s, rad/s", "J qvel"),
        Row("efc_aref", "f8", "maxefc", "m/s2, rad/s2", "acceleration that the row asks for"),
        Row("efc_b", "f8", "maxefc", "m/s2, rad/s2", "J qacc_smooth - efc_aref"),
        Row("efc_state", "i4", "maxefc", "", "a ConstraintState"),
        Row("efc_force", "f8", "maxefc", "N, N m", "constraint force"),
    ),
)

CONSTRAINT_SCRATCH = table(
    "constraint", (
        Row("sol_nisland", "i", "", "", "solver: groups of trees that it solves on their own"),
        Row("M_eff_coupled", "i", "", "", "discrete integrator: 1 where a tendon or actuator does not fit the rows of M_eff"),
        Row("ncoupling", "i", "", "", "discrete integrator: rows of such after the nefc others, while the solver works"),
        Row("rows_kept", "i", "", "", "discrete integrator: what efc_plain holds for the present rows: 1 efc_R, 2 efc_aref"),
        Row("tendon_total", "f8", "ntendon", "N", "scratch of actuation: sum of the actuator forces on a tendon"),
        Row("adhesion_row", "f8", "nv", "*", "scratch of the transmission: moments of an actuator on a body's contacts"),
        Row("efc_plain", "f8", "maxefc 2", "*", "discrete integrator: efc_R and efc_aref as they are without the effective mass matrix"),
    ), engine="soft", private=True,
)
