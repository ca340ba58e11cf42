"""What each stage of a step computes, in words and as a formula, and where the documentation tells of it. A table, a row per row of step_order.STAGES.

Formulas are rich text with <sub>, <sup> and Greek letters, in the names of the fields. The same with numbers put in: physics/pipeline/numbers.py.
"""
from __future__ import annotations

from typing import NamedTuple

URL = "https://mujoco.readthedocs.io/en/stable/computation/index.html#"


class Formula(NamedTuple):
    """text: what is computed, one or two sentences. formulas: one a line. chapter: of the MuJoCo documentation, anchor: in its address. shown: fields to look at first.

    matrix: 'M', 'L' or 'J' where the result is best seen as a picture of a matrix.
    """

    text: str
    formulas: tuple[str, ...]
    chapter: str
    anchor: str
    shown: tuple[str, ...]
    matrix: str = ""

    @property
    def address(self) -> str:
        """Of the section in the documentation."""
        return URL + self.anchor


def _pipeline(stage: str) -> str:
    return f'Computation, "Simulation pipeline", "Forward dynamics", stage {stage}'


FORMULAS: tuple[Formula, ...] = (
    Formula("From the root to the leaves each body is placed in its parent's frame and moved by its joints; geoms, sites, cameras and lights follow their bodies.",
            ("xpos = xpos<sub>parent</sub> + R<sub>parent</sub> body_pos", "slide: xpos += (q \u2212 q<sub>0</sub>) xaxis",
             "hinge, ball: xpos = xanchor \u2212 R jnt_pos", "xipos = xpos + R body_ipos", "subtree_com = \u03a3 m xipos / \u03a3 m"),
            _pipeline("2") + '; "General framework"', "pistages", ("xpos", "xquat", "xipos", "xanchor", "xaxis", "subtree_com")),
    Formula("Inertias and the motion axes of the degrees of freedom are expressed about one point for each kinematic tree, its centre of mass c, along the world's axes.",
            ("hinge: cdof = (xaxis, xaxis \u00d7 (c \u2212 xanchor))", "slide: cdof = (0, xaxis)", "cinert = inertia of the body about c"),
            _pipeline("3") + '; "General framework"', "framework", ("cdof", "cinert")),
    Formula("The length of a tendon and its derivative by the degrees of freedom: a weighted sum of joint positions (fixed), or the shortest path through sites and around geoms (spatial).",
            ("fixed: ten_length = \u03a3 coef q", "spatial: ten_length = \u03a3 |p<sub>k+1</sub> \u2212 p<sub>k</sub>| / divisor", "ten_J = \u2202 ten_length / \u2202 q"),
            _pipeline("5") + "; XML reference, tendon", "pistages", ("ten_length", "ten_J", "wrap_xpos")),
    Formula("The inertia of each body with all that it carries (crb), seen along pairs of motion axes, gives the mass matrix. Two dofs have an entry where one is an ancestor of the other.",
            ("M<sub>ij</sub> = cdof<sub>j</sub> \u00b7 (crb<sub>body(i)</sub> cdof<sub>i</sub>)", "M<sub>ii</sub> += armature", "M += armature<sub>t</sub> J<sub>t</sub>\u1d40 J<sub>t</sub> of tendons"),
            _pipeline("6") + '; "General framework"', "framework", ("M", "crb"), "M"),
    Formula("M is factored from the leaves to the root, so that the factor has entries only where M has. Accelerations follow from forces by substitution with it.",
            ("M = L\u1d40 D L", "M<sub>ii</sub> = D<sub>i</sub> + \u03a3<sub>k</sub> L<sub>ki</sub><sup>2</sup> D<sub>k</sub> over the descendants k of dof i"),
            _pipeline("7") + '; "General framework"', "framework", ("qLD", "qLDiagInv"), "L"),
    Formula("Pairs of geoms whose bounds are in reach are candidates (broad phase); for these the distance, the point and the normal are found (narrow phase).",
            ("dist &lt; margin + gap: a contact", "dist &lt; margin: it gets constraint rows", "contact_frame: n from geom 1 to geom 2, t<sub>1</sub>, t<sub>2</sub>"),
            _pipeline("8") + '; "Collision detection"', "collision", ("contact_dist", "contact_pos", "contact_frame", "contact_geom", "ncon", "ncand", "cand_geom")),
    Formula("Each equality constraint, dry friction, limit that is reached and contact gives rows of the constraint Jacobian J: how fast the row's position changes per unit speed of each dof.",
            ("contact: J = n \u00b7 (J<sub>geom 2</sub> \u2212 J<sub>geom 1</sub>) at its point, tangents alike", "pyramidal: n \u00b1 \u03bc t", "limit: J = \u00b11",
             "R = (1 \u2212 d) / d \u00b7 diagA, D = 1 / R"),
            _pipeline("9, 11") + '; "Constraint model"', "constraint", ("efc_J", "efc_pos", "efc_margin", "efc_KBIP", "efc_R", "efc_diagA", "efc_type"), "J"),
    Formula("The length of each actuator's transmission and its derivative by the degrees of freedom, the moment arms.",
            ("joint: length = gear q, moment = gear", "tendon: length = gear ten_length, moment = gear ten_J"),
            _pipeline("10") + '; "Actuation model"', "geactuation", ("actuator_length", "actuator_moment")),
    Formula("Sensors that follow from positions alone are read.", ("sensordata = what the sensor measures, within its cutoff",), _pipeline("12") + "; XML reference, sensor", "pistages", ("sensordata",)),
    Formula("The potential energy of gravity and springs.", ("E<sub>pot</sub> = \u2212\u03a3 m g \u00b7 xipos + \u03a3 k (q \u2212 q<sub>spring</sub>)<sup>2</sup> / 2",), _pipeline("12"), "pistages", ("energy",)),
    Formula("Velocities of tendons and actuators, and from the root to the leaves the velocity of each body as rotation and translation about its tree's centre of mass.",
            ("cvel = cvel<sub>parent</sub> + \u03a3 cdof qvel", "ten_velocity = ten_J qvel", "actuator_velocity = moment qvel"),
            _pipeline("13, 14"), "pistages", ("cvel", "cdof_dot", "ten_velocity", "actuator_velocity")),
    Formula("Springs and dampers of joints and tendons, gravity compensation, the force of the medium and adhesion: what acts without being asked for.",
            ("qfrc_spring = \u2212k (q \u2212 q<sub>spring</sub>)", "qfrc_damper = \u2212b qvel", "qfrc_passive = spring + damper + gravcomp + fluid + adhesion"),
            _pipeline("15") + '; "Passive forces"', "gepassive", ("qfrc_passive", "qfrc_spring", "qfrc_damper", "qfrc_gravcomp", "qfrc_fluid", "qfrc_adhesion")),
    Formula("Along each row a virtual spring and damper say which acceleration the constraint asks for. It is not a force: how much of it comes about is the solver's answer.",
            ("efc_vel = J qvel", "efc_aref = \u2212B efc_vel \u2212 K d (efc_pos \u2212 efc_margin)"),
            _pipeline("17") + '; "Constraint solver", "Parameters"', "soparameters", ("efc_vel", "efc_aref")),
    Formula("The recursive Newton-Euler algorithm with the acceleration 0: the forces that moving on like this, and holding against gravity, would need.",
            ("qfrc_bias<sub>i</sub> = cdof<sub>i</sub> \u00b7 \u03a3 (I a + v \u00d7 I v) over all that dof i moves", "gravity's part: \u2212m<sub>subtree</sub> g \u00b7 J<sub>i</sub> at subtree_com"),
            _pipeline("18") + '; "General framework"', "framework", ("qfrc_bias",)),
    Formula("Sensors that follow from velocities are read.", ("sensordata = what the sensor measures, within its cutoff",), _pipeline("16") + "; XML reference, sensor", "pistages", ("sensordata", "subtree_linvel", "subtree_angmom")),
    Formula("The kinetic energy.", ("E<sub>kin</sub> = qvel\u1d40 M qvel / 2",), _pipeline("16"), "pistages", ("energy",)),
    Formula("Controls become forces: through the activation where an actuator has one, its gain and its bias, then its moment arms.",
            ("actuator_force = gain \u00b7 input + bias", "affine: p<sub>0</sub> + p<sub>1</sub> length + p<sub>2</sub> velocity", "qfrc_actuator = moment\u1d40 actuator_force"),
            _pipeline("20") + '; "Actuation model"', "geactuation", ("actuator_force", "qfrc_actuator", "act_dot")),
    Formula("All forces but those of constraints are summed; the acceleration that they alone would give is where the solver starts from.",
            ("qfrc_smooth = qfrc_passive \u2212 qfrc_bias + qfrc_applied + qfrc_actuator + J\u1d40 xfrc_applied", "M qacc_smooth = qfrc_smooth"),
            _pipeline("21") + '; "General framework"', "framework", ("qacc_smooth", "qfrc_smooth")),
    Formula("Of all accelerations the one is found that deviates least from qacc_smooth and from what the rows ask for, weighted by M and by D; the constraint forces are what bends it.",
            ("minimise (a \u2212 qacc_smooth)\u1d40 M (a \u2212 qacc_smooth) / 2 + s(J a \u2212 efc_aref)", "M qacc = qfrc_smooth + J\u1d40 efc_force", "qfrc_constraint = J\u1d40 efc_force"),
            _pipeline("22") + '; "Constraint solver", "Primal problem"', "soprimal", ("qacc", "qfrc_constraint", "efc_force", "efc_state")),
    Formula("Sensors that follow from accelerations and forces are read.", ("sensordata = what the sensor measures, within its cutoff",), _pipeline("23") + "; XML reference, sensor", "pistages",
            ("sensordata", "cacc", "cfrc_int", "cfrc_ext")),
    Formula("The velocity moves by the acceleration, then the position by the new velocity (semi-implicit). Implicit integrators take forces that depend on the velocity at the end of the step.",
            ("Euler: qvel' = qvel + h qacc", "implicit: (M \u2212 h \u2202f/\u2202v) a = qfrc_smooth + qfrc_constraint, qvel' = qvel + h a", "qpos' = qpos \u2295 h qvel'", "RK4: qpos' = qpos \u2295 h (v<sub>1</sub> + 2 v<sub>2</sub> + 2 v<sub>3</sub> + v<sub>4</sub>) / 6 of its four evaluations, qvel' likewise with their accelerations"),
            _pipeline("26") + '; "Numerical integration"', "geintegration", ("qpos", "qvel", "act", "time")),
)
