"""Data fields of the soft engine's integrators and inverse dynamics. Tables; see layout.py for how to read them."""
from physics.fields.field_row import Row, table

INTEGRATION = table(
    "integration", (
        Row("qH", "f8", "nC", "*", "factors of the mass matrix with damping, entries as qLD"),
        Row("qHDiagInv", "f8", "nv", "*", "1 / their diagonal"),
        Row("qDeriv", "f8", "nD", "*", "derivative of the smooth forces by velocity, entries of the full pattern"),
        Row("qLU", "f8", "nD", "*", "factors of M - h qDeriv, entries of the full pattern"),
    ), engine="soft",
)

INTEGRATION_SCRATCH = table(
    "integration", (
        Row("qacc_step", "f8", "nv", "*", "acceleration that the integrator applied"),
        Row("rk_qpos", "f8", "nq", "*", "Runge-Kutta: position at the start of the step"),
        Row("rk_qvel", "f8", "nv", "*", "Runge-Kutta: velocity at the start of the step"),
        Row("rk_act", "f8", "na", "*", "Runge-Kutta: activation at the start of the step"),
        Row("rk_slope", "f8", "nv", "*", "Runge-Kutta: slope of the position at the present stage"),
        Row("rk_qvel_sum", "f8", "nv", "*", "Runge-Kutta: weighted sum of the stages' slopes of the position"),
        Row("rk_qacc_sum", "f8", "nv", "*", "Runge-Kutta: weighted sum of the stages' accelerations"),
        Row("rk_act_sum", "f8", "na", "*", "Runge-Kutta: weighted sum of the stages' rates of activation"),
        Row("lu_upper", "f8", "nM", "*", "qLU right of its diagonal, by columns along the ancestor chains"),
        Row("inv_qacc", "f8", "nv", "*", "inverse dynamics: acceleration as given, while a continuous one stands in its place"),
        Row("inv_qfrc", "f8", "nv", "N, N m", "inverse dynamics: constraint forces found forwards"),
        Row("inv_impulse", "f8", "nv", "N, N m", "inverse dynamics: scratch, M qacc with the integrator's implicit terms"),
        Row("inv_force", "f8", "maxefc", "N, N m", "inverse dynamics: forces of the rows found forwards"),
        Row("rk_actuator_velocity", "f8", "nout", "m/s, rad/s", "Runge-Kutta: velocities of the actuators at the start of the step"),
        Row("M_eff", "f8", "nC", "*", "discrete integrator: effective (implicit) mass matrix M + h D + h^2 K, stored entries as M"),
        Row("M_eff_diag", "f8", "nv", "*", "discrete integrator: what stiffness and damping add to the diagonal"),
        Row("qfrc_eff", "f8", "nv", "N, N m", "discrete integrator: qfrc_smooth as the springs' forces change over the step"),
        Row("qacc_eff", "f8", "nv", "*", "discrete integrator: acceleration that M_eff alone gives to qfrc_eff"),
        Row("M_eff_tendon", "f8", "ntendon", "*", "discrete integrator: factor of J'J of a tendon that does not fit M_eff's rows, else 0"),
        Row("M_eff_output", "f8", "nout", "*", "discrete integrator: the same for actuator outputs"),
        Row("M_eff_dof", "i4", "nv", "", "discrete integrator: 1 where a tendon or actuator that is in the effective mass matrix moves the dof"),
        Row("spring_slope", "f8", "nv", "N/m, N m/rad", "scratch of the discrete integrator: slopes of the joints' springs"),
        Row("aba_damped_U", "f8", "nabadof 8", "*", "aba_U with damping at the end of the step"),
        Row("aba_damped_Dinv", "f8", "nabadof", "*", "aba_Dinv with damping at the end of the step"),
        Row("M_precond", "f8", "nC", "*", "discrete integrator with the flag diagexact: factor of the effective mass matrix with only the diagonal of tendons and actuators"),
        Row("M_precond_inv", "f8", "nv", "*", "its inverse diagonal"),
    ), engine="soft", private=True,
)
