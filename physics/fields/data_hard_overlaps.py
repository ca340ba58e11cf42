"""Data fields of the hard engine's positions that end overlaps, found apart from velocities. A table; see layout.py for how to read it."""
from physics.fields.field_row import Row, table

HARD_OVERLAPS = table(
    "solve", (
        Row("hard_project", "i", "", "", "1: the solve under way projects positions: no friction, and impulses from where the velocities lead (engine/hard/overlaps.py)"),
        Row("hrow_held", "f8", "maxhc 16", "*", "hrow_var of the velocities while positions are looked for"),
        Row("hlim_held", "f8", "maxhv 4", "*", "hlim_var of the same"),
        Row("hfri_held", "f8", "maxhv 3", "*", "hfri_var of the same"),
        Row("hard_momheld", "f8", "maxhb 6", "N s, N m s", "hard_mom of the step meanwhile"),
        Row("hard_tauheld", "f8", "maxhv", "N s, N m s", "hard_tau of the step meanwhile"),
        Row("hard_rtol", "f", "", "*", "residuals may be this: opt_hard_rtol, or what rounding leaves of momenta"),
        Row("hard_changed", "i4", "ntree", "", "1: the tree's island has not been solved as it is now, and its next solve begins anew"),
    ), engine="hard", private=True,
)
