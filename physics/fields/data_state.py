"""Data fields of the state, of warnings and of storage. Tables; see layout.py for how to read them."""
from physics.fields.field_row import Row, table

STATE = table(
    "state", (
        Row("time", "f", "", "s", "simulated time"),
        Row("qpos", "f8", "nq", "*", "positions"),
        Row("qvel", "f8", "nv", "*", "velocities"),
        Row("act", "f8", "na", "*", "activations"),
        Row("qacc_warmstart", "f8", "nv", "*", "acceleration that the solver starts from"),
        Row("ctrl", "f8", "nu", "*", "controls"),
        Row("qfrc_applied", "f8", "nv", "N, N m", "force on degrees of freedom, set by the user"),
        Row("xfrc_applied", "f8", "nbody 6", "N, N m", "force and torque on bodies at their centres of mass, set by the user"),
        Row("eq_active", "b1", "neq", "", "the equality constraint is on"),
        Row("mocap_pos", "f8", "nmocap 3", "m", "positions of user-moved bodies"),
        Row("mocap_quat", "f8", "nmocap 4", "", "orientations of user-moved bodies"),
        Row("userdata", "f8", "nuserdata", "", "values that the engine leaves alone"),
        Row("history", "f8", "nhistory", "*", "kept values of delayed controls and sensors"),
    ),
)

WARNINGS = table(
    "state", (
        Row("diverged", "i", "", "", "0, or the warning (BADQPOS, BADQVEL, BADQACC) for which the last step did not happen"),
        Row("diverged_id", "i", "", "", "index of the bad number in qpos, or its dof"),
        Row("maxuse_con", "i", "", "", "most contacts since the last reset"),
        Row("maxuse_efc", "i", "", "", "most constraint rows since the last reset"),
        Row("warning_number", "i4", "7", "", "times that a WarningType came up"),
        Row("warning_lastinfo", "i4", "7", "", "index that went with the last of them"),
    ),
)

STORAGE = table(
    "state", (
        Row("maxcon", "i", "", "", "contacts that there is room for"),
        Row("maxefc", "i", "", "", "constraint rows that there is room for"),
        Row("maxJ", "i", "", "", "Jacobian entries that there is room for"),
        Row("need_ncon", "i", "", "", "contacts that a stage lacked room for; 0: it had room"),
        Row("need_nefc", "i", "", "", "rows that a stage lacked room for; 0: it had room"),
        Row("need_nJ", "i", "", "", "Jacobian entries that a stage lacked room for; 0: it had room"),
        Row("maxH", "i", "", "", "numbers of the solver's factor that there is room for"),
        Row("need_nH", "i", "", "", "numbers of the factor that the solver lacked room for; 0: it had room"),
    ), private=True,
)
