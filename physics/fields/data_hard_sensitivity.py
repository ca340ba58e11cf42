"""Data fields of the hard engine's derivatives. Tables; see layout.py for how to read them."""
from physics.fields.field_row import Row, table

HARD_SENSITIVITY = table(
    "solve", (
        Row("maxhs", "i", "", "", "hard engine: numbers of a set of derivatives that there is room for"),
        Row("need_nhs", "i", "", "", "hard engine: such numbers that a stage lacked room for; 0: it had room"),
        Row("hard_column", "f8", "maxhs", "*", "derivatives of the trial coordinates (nv, along their tangents, over the time step) and of the next activations (na), a column each"),
    ), engine="hard", private=True,
)
