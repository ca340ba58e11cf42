"""Data fields of sleep: who is awake. Tables; see layout.py for how to read them."""
from physics.fields.field_row import Row, table

SLEEP = table(
    "sleep", (
        Row("ntree_awake", "i", "", "", "trees that are awake"),
        Row("nbody_awake", "i", "", "", "bodies that are awake or static"),
        Row("nparent_awake", "i", "", "", "bodies whose parents are awake or static"),
        Row("nv_awake", "i", "", "", "degrees of freedom that are awake"),
        Row("tree_asleep", "i4", "ntree", "", "below 0: awake, -1: ready to sleep; else the next tree of those that sleep together"),
        Row("tree_awake", "i4", "ntree", "", "1: awake"),
        Row("body_awake", "i4", "nbody", "", "a SleepState"),
        Row("body_awake_ind", "i4", "nbody", "", "bodies that are awake or static, nbody_awake of them"),
        Row("parent_awake_ind", "i4", "nbody", "", "bodies whose parents are awake or static, nparent_awake of them"),
        Row("dof_awake_ind", "i4", "nv", "", "degrees of freedom that are awake, nv_awake of them"),
    ),
)

SLEEP_SCRATCH = table(
    "sleep", (
        Row("nbody_run", "i", "", "", "rows of body_run"),
        Row("ndof_run", "i", "", "", "rows of dof_run"),
        Row("ngeom_run", "i", "", "", "rows of geom_run"),
        Row("nsite_run", "i", "", "", "rows of site_run"),
        Row("sleep_due", "i", "", "", "what sleepers keep is to be computed: 1 of trees that begin asleep, 2 of those that tree_asleep names"),
        Row("nactuator_run", "i", "", "", "rows of actuator_run"),
        Row("ndof_asleep_run", "i", "", "", "rows of dof_asleep_run"),
        Row("nslept", "i", "", "", "trees that have just fallen asleep, while the step is not finished"),
        Row("sol_etree_run", "i4", "nv", "", "solver: how many of these, going up, are the dofs just before it"),
        Row("body_run", "i4", "nbody 2", "", "runs of bodies that are awake or static, without the world: first, last + 1 (engine/sleep/awake.py)"),
        Row("dof_run", "i4", "nv 2", "", "the same for degrees of freedom"),
        Row("geom_run", "i4", "ngeom 2", "", "the same for geoms; while something sleeps without those that nothing moves"),
        Row("site_run", "i4", "nsite 2", "", "the same for sites"),
        Row("actuator_run", "i4", "nactuator 2", "", "runs of actuators that act on something awake or static: first, last + 1"),
        Row("dof_asleep_run", "i4", "nv 2", "", "runs of degrees of freedom that are asleep: first, last + 1"),
        Row("sleep_qpos", "f8", "nq", "*", "qpos as it was when it was last noted who sleeps"),
        Row("sleep_first", "i4", "ntree", "", "scratch of falling asleep: first tree of each island"),
        Row("sleep_next", "i4", "ntree", "", "scratch of beginning asleep: tree_asleep"),
        Row("sleep_last", "i4", "ntree", "", "scratch of falling asleep: the tree before"),
    ), engine="soft", private=True,
)
