"""Data fields of the hard engine's convex approach and of its projections of positions. A table; see layout.py for how to read it."""
from physics.fields.field_row import Row, table

HARD_CONVEX = table(
    "solve", (
        Row("hard_convex", "i", "", "", "1: the contact rows of the solve under way are those of the convex approach (engine/hard/contact/convex.py)"),
        Row("hard_project", "i", "", "", "1: the solve under way projects positions: no friction, and impulses from where the velocities lead (engine/hard/overlaps.py)"),
        Row("hrow_scale", "f8", "maxhc 8", "", "scaling of a convex row: beta^2, then w, six numbers"),
        Row("hrow_held", "f8", "maxhc 16", "*", "hrow_var of the velocities while positions are looked for"),
        Row("hlim_held", "f8", "maxhv 4", "*", "hlim_var of the same"),
        Row("hfri_held", "f8", "maxhv 3", "*", "hfri_var of the same"),
        Row("hard_momheld", "f8", "maxhb 6", "N s, N m s", "hard_mom of the step meanwhile"),
        Row("hard_tauheld", "f8", "maxhv", "N s, N m s", "hard_tau of the step meanwhile"),
    ), engine="hard", private=True,
)
