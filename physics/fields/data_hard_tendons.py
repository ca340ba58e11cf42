"""Data fields of the hard engine's tendons: limits, dry friction and couplings, and the small matrix of their impulses. Tables; see layout.py for how to read them.

Sizes: maxhw rows (tendons and equalities), maxhS entries of the matrix and of the answers kept behind it; both are 0 until a step asks.
"""
from physics.fields.field_row import Row, table

HARD_TENDONS = table(
    "solve", (
        Row("maxhw", "i", "", "", "hard engine: rows of tendons that there is room for"),
        Row("need_nhw", "i", "", "", "hard engine: such rows that a stage lacked room for; 0: it had room"),
        Row("maxhS", "i", "", "", "hard engine: entries of the matrix of these rows and its answers that there is room for"),
        Row("need_nhS", "i", "", "", "hard engine: such entries that a stage lacked room for; 0: it had room"),
        Row("hard_nten", "i", "", "", "rows of tendons"),
        Row("hard_tenoff", "i", "", "", "1: a tendon is beyond its range, or a coupling is off, at the start of the step"),
        Row("hard_ntenrow", "i", "", "", "rows of tendons in the present island"),
        Row("hard_ntenpair", "i", "", "", "orthant pairs of these"),
        Row("hten_kind", "i4", "maxhw", "", "sum of 1: a range, 2: dry friction, 4: a coupling, 8: a range that is out of reach in this step"),
        Row("hten_tendon", "i4", "maxhw", "", "the tendon, of a coupling the first"),
        Row("hten_other", "i4", "maxhw", "", "the second tendon of a coupling, -1: none"),
        Row("hten_eq", "i4", "maxhw", "", "the equality constraint of a coupling"),
        Row("hten_body", "i4", "maxhw", "", "a body that the row moves"),
        Row("hten_at", "i4", "maxhw", "", "the rows of the present island"),
        Row("hten_push", "f8", "maxhw", "", "factor on the second tendon's Jacobian, at the start of the step"),
        Row("hten_slope", "f8", "maxhw", "", "the same at the trial pose"),
        Row("hten_loss", "f8", "maxhw", "N s", "largest impulse of dry friction in the step"),
        Row("hten_soft", "f8", "maxhw", "1/kg", "compliance of a coupling in the matrix"),
        Row("hten_start", "f8", "maxhw", "m", "what a coupling is off by at the start of the step"),
        Row("hten_var", "f8", "maxhw 9", "*", "slack and impulse of the upper, then of the lower end [m/s, N s]; parts of the velocity forwards and backwards with what is left of the bound [m/s, N s]; "
            "multiplier"),
        Row("hten_res", "f8", "maxhw 9", "*", "residual and product of each pair, of dry friction the first residual alone; that of a coupling"),
        Row("hten_step", "f8", "maxhw 9", "*", "direction of hten_var"),
        Row("hten_predict", "f8", "maxhw 9", "*", "direction of the predictor"),
        Row("hten_impulse", "f8", "maxhw", "N s", "solve: right side, then change of the row's whole impulse"),
        Row("hten_matrix", "f8", "maxhS", "1/kg", "change of the rows' lengths by their impulses, and compliances; after factoring its factors; behind it what a unit impulse of each row moves: dofs, then six for each body"),
    ), engine="hard", private=True,
)
