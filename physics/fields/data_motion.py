"""Data fields that follow from velocities and accelerations: velocities, forces, energies, sensors. Tables; see layout.py for how to read them."""
from physics.fields.field_row import Row, table

VELOCITY = table(
    "velocity", (
        Row("flg_energypos", "i", "", "", "the potential energy is that of the present positions"),
        Row("flg_energyvel", "i", "", "", "the kinetic energy is that of the present velocities"),
        Row("flg_subtreevel", "i", "", "", "subtree velocities are those of the present state"),
        Row("flg_rnepost", "i", "", "", "cacc, cfrc_int and cfrc_ext are those of the present state"),
        Row("ten_velocity", "f8", "ntendon", "m/s", "velocity of the length"),
        Row("actuator_velocity", "f8", "nout", "m/s, rad/s", "velocity of the length"),
        Row("cvel", "f8", "nbody 6", "rad/s, m/s", "velocity of the body about the tree's centre of mass"),
        Row("cdof_dot", "f8", "nv 6", "*", "rate of change of cdof"),
        Row("qfrc_bias", "f8", "nv", "N, N m", "Coriolis, centrifugal and gravity forces, on the left of M qacc"),
        Row("qfrc_spring", "f8", "nv", "N, N m", "spring force"),
        Row("qfrc_damper", "f8", "nv", "N, N m", "damper force"),
        Row("qfrc_gravcomp", "f8", "nv", "N, N m", "gravity compensation"),
        Row("qfrc_fluid", "f8", "nv", "N, N m", "force of the medium"),
        Row("qfrc_adhesion", "f8", "nv", "N, N m", "force of adhesion"),
        Row("qfrc_passive", "f8", "nv", "N, N m", "all passive forces"),
        Row("subtree_linvel", "f8", "nbody 3", "m/s", "velocity of the centre of mass of the body with its descendants"),
        Row("subtree_angmom", "f8", "nbody 3", "kg m2/s", "its angular momentum about that point"),
        Row("energy", "f8", "2", "J", "potential and kinetic energy"),
    ),
)

FORCE = table(
    "acceleration", (
        Row("qacc", "f8", "nv", "*", "acceleration"),
        Row("act_dot", "f8", "na", "*", "rate of change of the activations"),
        Row("actuator_force", "f8", "nout", "N, N m", "force of each actuator output"),
        Row("qfrc_actuator", "f8", "nv", "N, N m", "the same on the degrees of freedom"),
        Row("qfrc_smooth", "f8", "nv", "N, N m", "all forces but those of constraints"),
        Row("qacc_smooth", "f8", "nv", "*", "acceleration without constraints"),
        Row("qfrc_constraint", "f8", "nv", "N, N m", "constraint forces"),
        Row("qfrc_inverse", "f8", "nv", "N, N m", "force that the given acceleration needs"),
        Row("cacc", "f8", "nbody 6", "rad/s2, m/s2", "acceleration of the body about the tree's centre of mass"),
        Row("cfrc_int", "f8", "nbody 6", "N m, N", "force from the parent on the body"),
        Row("cfrc_ext", "f8", "nbody 6", "N m, N", "external force on the body"),
        Row("ten_tension", "f8", "ntendon", "N", "what pushes the tendon longer, all forces along it together"),
    ),
)

SENSOR = table(
    "sensor", (
        Row("sensordata", "f8", "nsensordata", "*", "sensor values"),
    ),
)

SENSOR_SCRATCH = table(
    "sensor", (
        Row("sens_match", "i4", "maxcon", "", "contacts that a contact sensor reports, in its order; -1 - contact where the normal is turned round"),
        Row("sens_key", "f8", "maxcon", "*", "what they are sorted by"),
        Row("sens_fromto", "f8", "1 6", "m", "the segment between the nearest points of the last two geoms that a distance sensor looked at"),
        Row("sens_fresh", "f8", "nsensordata", "*", "present readings of the sensors that are read late, to be kept when the step ends"),
    ), private=True,
)

MOTION_SCRATCH = table(
    "velocity", (
        Row("body_acc", "f8", "nbody 6", "", "scratch of the bias force: accelerations about the trees' centres of mass"),
        Row("body_frc", "f8", "nbody 6", "", "scratch: forces on bodies about the trees' centres of mass"),
        Row("bias_slope", "f8", "nbody 12", "*", "scratch of the bias force's derivative: velocity terms of all that a body carries"),
        Row("axis_rate", "f8", "nv 6", "*", "scratch of the bias force's derivative: rates of a dof's axis before and after its joint, added"),
        Row("fluid_slope", "f8", "nbody 36", "", "change of the medium's force on a body and all below it with the velocity about the tree's centre of mass: 6x6, by rows"),
        Row("fluid_row", "f8", "nv 6", "", "fluid_slope' cdof: what times another dof's axis is an entry of the dof's row of the derivative"),
        Row("fluid_col", "f8", "nv 6", "", "fluid_slope cdof: the same for the dof's column"),
    ), private=True,
)
