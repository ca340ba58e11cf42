"""Data fields of the hard engine's contacts, ties and elimination order. Tables; see layout.py for how to read them.

Sizes: maxhb bodies, maxhc rows (one for each contact point), maxhB pairs of bodies whose motions are coupled, maxht entries of the plan.
"""
from physics.fields.field_row import Row, table

HARD_CONTACTS = table(
    "solve", (
        Row("maxhc", "i", "", "", "hard engine: contact rows that there is room for"),
        Row("need_nhc", "i", "", "", "hard engine: contact rows that a stage lacked room for; 0: it had room"),
        Row("maxhB", "i", "", "", "hard engine: pairs of bodies with a block that there is room for"),
        Row("need_nhB", "i", "", "", "hard engine: such pairs that a stage lacked room for; 0: it had room"),
        Row("maxht", "i", "", "", "hard engine: entries of the elimination plan that there is room for"),
        Row("need_nht", "i", "", "", "hard engine: such entries that a stage lacked room for; 0: it had room"),
        Row("hard_nrow", "i", "", "", "contact rows"),
        Row("hard_nfirst", "i", "", "", "contact rows that the contacts at the start of the step gave; those behind came from looking again"),
        Row("hard_npair", "i", "", "", "pairs of bodies with a block: those that touch or are tied, and fill"),
        Row("hard_ntouch", "i", "", "", "the first of these: those that touch or are tied, which the plan was made for"),
        Row("hard_nplan", "i", "", "", "times that an elimination order was planned since the last reset"),
        Row("hard_nisland", "i", "", "", "groups of bodies that the solve may treat alone"),
        Row("hard_degree", "f", "", "", "sum of the degrees of the rows' cones: by this the sum of products is divided"),
        Row("hard_worst", "f", "", "m", "deepest overlap that the last look found, negative; overlaps that were there before do not count"),
        # contact rows: bodies and geometry at the start of the step
        Row("hrow_body", "i4", "maxhc 2", "", "the two bodies, 0 for what does not move"),
        Row("hrow_geom", "i4", "maxhc 2", "", "the two geoms"),
        Row("hrow_contact", "i4", "maxhc", "", "contact that the row reports to, -1: none yet"),
        Row("hrow_kind", "i4", "maxhc", "", "how the gap follows the bodies (engine/hard/gaps.py)"),
        Row("hrow_dim", "i4", "maxhc", "", "dimension of the contact: 1, 3, 4 or 6"),
        Row("hrow_at", "i4", "maxhc", "", "rows, those of an island one after the other"),
        Row("hrow_pair", "i4", "maxhc", "", "pair of bodies whose block the row adds to, -1: one of them does not move"),
        Row("hrow_dir", "f8", "maxhc 9", "", "two tangents, then the normal from geom 1 to geom 2"),
        Row("hrow_arm", "f8", "maxhc 6", "m", "contact point less the centre of mass of each body"),
        Row("hrow_witness", "f8", "maxhc 6", "m", "the points between which the gap is measured, less the centre of mass of each body"),
        Row("hrow_mu", "f8", "maxhc 6", "", "friction: two sliding, one torsional [m], two rolling [m]; the last is unused"),
        Row("hrow_drive", "f8", "maxhc 3", "m/s, rad/s", "velocity of geom 2's surface against geom 1's: along both tangents, and spin"),
        Row("hrow_shape", "f8", "maxhc 6", "m", "what the kind of gap needs besides (engine/hard/gaps.py)"),
        Row("hrow_rest", "f8", "maxhc", "m", "gap at the start less n . (witness 2 - witness 1)"),
        Row("hrow_floor", "f8", "maxhc", "m", "overlap at the start of the step, negative or 0: velocities are asked not to let it grow, positions to end it"),
        # the same at the trial pose
        Row("hrow_normal", "f8", "maxhc 3", "", "slope of the gap by the motion of body 2"),
        Row("hrow_reach", "f8", "maxhc 6", "m", "slope of the gap by turns, as the arm at each body that the normal acts on"),
        # unknowns: slack of the gap, normal impulse, eta_0, eta (5), xi (5)
        Row("hrow_var", "f8", "maxhc 16", "*", "slack [m/s], normal impulse [N s], eta_0, five of eta, five of xi"),
        Row("hrow_res", "f8", "maxhc 16", "*", "residuals: gap, five of slip; products: slack and impulse, then six of the cone"),
        Row("hrow_step", "f8", "maxhc 16", "*", "direction of hrow_var"),
        Row("hrow_predict", "f8", "maxhc 16", "*", "direction of the predictor"),
        Row("hrow_turn", "f8", "maxhc 36", "", "slopes of the five slips and the gap by turns of each body: six rows of three, twice"),
        # pairs of bodies, the earlier eliminated one first
        Row("hard_pair", "i4", "maxhB 2", "", "the two bodies, that which is eliminated earlier first"),
        Row("hard_upper", "f8", "maxhB 48", "", "block of the pair: residual of the earlier body by motion of the later one, six rows of eight"),
        Row("hard_lower", "f8", "maxhB 48", "", "block of the pair: residual of the later body by motion of the earlier one, six rows of eight"),
        Row("hard_pairrow", "f8", "maxhB 48", "", "for each dof of the earlier body, its row of hard_upper as it was when the dof was eliminated"),
        Row("hard_paircol", "f8", "maxhB 48", "", "for each dof of the earlier body, its column of hard_lower then"),
        Row("hard_pairnext", "i4", "maxhB", "", "the pair that this one joins when the earlier body is done, that of its parent; -1: the parent's own block; -2: none"),
        Row("hard_touch", "i4", "maxhB 2", "", "pairs of bodies that touch or are tied, ascending"),
        Row("hard_touchwas", "i4", "maxhB 2", "", "those that the plan was made for"),
        Row("hard_pairof", "i4", "maxhB", "", "the row of hard_pair for each of hard_touch"),
        # the plan
        Row("hard_order", "i4", "maxhb", "", "bodies in the order of elimination, islands one after the other"),
        Row("hard_place", "i4", "maxhb", "", "place of each body in that order, -1: it does not move"),
        Row("hard_pairadr", "i4", "maxhb", "", "first row of hard_pair in which a body is the earlier one"),
        Row("hard_pairnum", "i4", "maxhb", "", "number of such rows; their later bodies come in the order of elimination"),
        Row("hard_targetadr", "i4", "maxhb", "", "where a body's entries of hard_target begin"),
        Row("hard_target", "i4", "maxht", "", "for the later bodies x < y of an eliminated one, at y (y - 1) / 2 + x: the pair of x and y"),
        Row("hard_bodyisland", "i4", "maxhb", "", "island of a body, -1: it does not move"),
        Row("hard_islandadr", "i4", "maxhb 2", "", "where an island begins in hard_order and in hrow_at"),
        Row("hard_islandnum", "i4", "maxhb 2", "", "its bodies and rows"),
        Row("hard_childleft", "i4", "maxhb", "", "scratch of planning: children not eliminated yet"),
        Row("hard_mark", "i4", "maxhb", "", "scratch of planning"),
        Row("hard_link", "i4", "maxht", "", "scratch of planning: neighbours of bodies"),
        Row("hard_treerow", "i4", "maxhb", "", "contact rows of each tree"),
    ), engine="hard", private=True,
)
