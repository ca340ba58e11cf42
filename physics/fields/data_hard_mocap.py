"""Data fields of the hard engine's mocap bodies, whose velocity no field of the state has. A table; see layout.py for how to read it."""
from physics.fields.field_row import Row, table

HARD_MOCAP = table(
    "solve", (
        Row("mocap_before", "f8", "nmocap 8", "*", "time at which the last hard step ended, and position and orientation of the mocap body then"),
        Row("hard_mocap", "f8", "nmocap 40", "*", "velocity of a mocap body and how it moves within the present solve (engine/hard/contact/mocap.py)"),
    ), engine="hard", private=True,
)
