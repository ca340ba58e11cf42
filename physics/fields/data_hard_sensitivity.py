"""Data fields of the hard engine's derivatives. Tables; see layout.py for how to read them."""
from physics.fields.field_row import Row, table

HARD_SENSITIVITY = table(
    "solve", (
        Row("maxhs", "i", "", "", "hard engine: numbers of a set of derivatives that there is room for"),
        Row("need_nhs", "i", "", "", "hard engine: such numbers that a stage lacked room for; 0: it had room"),
        Row("hard_column", "f8", "maxhs", "*", "derivatives of the next state (2 nv + na rows) by the state and the controls (2 nv + na + nu columns)"),
        Row("hard_right", "f8", "maxhs", "*", "right sides of the dofs, a row of nv for each of these columns"),
        Row("hard_response", "f8", "maxhs", "*", "change of all dofs' velocities by a unit right side of a dof, a row of nv for each"),
    ), engine="hard", private=True,
)
